// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Interfaces that something is pinned of, though they are not configured any more. */
record LeftInterfaces(AttachmentPlan plan) {
    private static final List<String> PINS = List.of(InterfacePins.BALANCER, InterfacePins.PROBE, InterfacePins.CHAIN);

    Set<String> names() {
        Set<String> names = pinned(plan.pinDir());
        names.removeAll(plan.interfaces());
        return names;
    }

    /** All interfaces that something is pinned of. */
    static Set<String> pinned(Path directory) {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> pins = Files.list(directory)) {
            for (String pin : pins.map(path -> path.getFileName().toString()).toList()) {
                PINS.stream()
                        .map(what -> what + "_")
                        .filter(pin::startsWith)
                        .forEach(prefix -> names.add(InterfacePins.decoded(pin.substring(prefix.length()))));
            }
            return names;
        } catch (IOException e) {
            throw new DataplaneException("cannot read " + directory + ": " + FileProblem.words(e), e);
        }
    }
}
