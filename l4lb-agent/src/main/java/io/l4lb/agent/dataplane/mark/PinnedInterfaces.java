// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.xdp.InterfacePins;
import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The names of the interfaces that a marker was put on, by what is pinned. */
final class PinnedInterfaces {
    private PinnedInterfaces() {}

    static Set<String> in(Path directory) {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> pins = Files.list(directory)) {
            for (String pin : pins.map(path -> path.getFileName().toString()).toList()) {
                for (String prefix : List.of(MarkedInterface.LINK + "_", MarkedInterface.FILTER + "_")) {
                    if (pin.startsWith(prefix)) {
                        names.add(InterfacePins.decoded(pin.substring(prefix.length())));
                    }
                }
            }
            return names;
        } catch (NoSuchFileException e) {
            return names;
        } catch (IOException e) {
            throw new DataplaneException("cannot read " + directory + ": " + FileProblem.words(e), e);
        }
    }
}
