// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** See {@link Kind#MODULE}. */
final class KernelModules implements Part {
    static final String LOADED = "loaded";

    private static final Path LOADED_MODULES = Path.of("/sys/module");

    @Override
    public String read(String name) {
        return Files.exists(LOADED_MODULES.resolve(name)) || isBuiltIn(name) ? LOADED : "";
    }

    @Override
    public void write(String name, String value) {
        Command.run(List.of("modprobe", name));
    }

    /** Whether it is there or can be loaded. Loads nothing. */
    boolean isAvailable(String name) {
        if (!read(name).isEmpty()) {
            return true;
        }
        try {
            return Command.attempt(List.of("modprobe", "--dry-run", "--quiet", name))
                    .worked();
        } catch (RealServerException e) {
            return false; // no modprobe(8)
        }
    }

    private static boolean isBuiltIn(String name) {
        Path list = Path.of("/lib/modules", System.getProperty("os.version", ""), "modules.builtin");
        if (!Files.exists(list)) {
            return false;
        }
        try (Stream<String> lines = Files.lines(list)) {
            return lines.anyMatch(line -> line.endsWith("/" + name + ".ko"));
        } catch (IOException e) {
            throw new RealServerException("cannot read " + list + ": " + FileProblem.words(e), e);
        }
    }
}
