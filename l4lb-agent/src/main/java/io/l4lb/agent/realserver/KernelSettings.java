// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files below /proc/sys; those of the network are the calling thread's namespace's. */
final class KernelSettings implements Part {
    private static final Path ROOT = Path.of("/proc/sys");

    @Override
    public String read(String name) {
        Path file = ROOT.resolve(name);
        if (!Files.exists(file)) {
            return "";
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new RealServerException("cannot read " + file + ": " + FileProblem.words(e), e);
        }
    }

    @Override
    public void write(String name, String value) {
        Path file = ROOT.resolve(name);
        if (!Files.exists(file)) {
            throw new RealServerException("this kernel has no " + file);
        }
        try {
            Files.writeString(file, value + "\n");
        } catch (IOException e) {
            throw new RealServerException("cannot write " + value + " to " + file + ": " + FileProblem.words(e), e);
        }
    }

    /** 0 if there is no such setting, or it is no number. */
    int number(String name) {
        String value = read(name);
        return value.matches("\\d{1,9}") ? Integer.parseInt(value) : 0;
    }
}
