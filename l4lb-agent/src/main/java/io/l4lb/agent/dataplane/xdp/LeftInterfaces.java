// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Interfaces that links are pinned of, though they are not configured any more. */
record LeftInterfaces(AttachmentPlan plan) {
    private static final String LINK = InterfacePins.BALANCER + "_";

    Set<String> names() {
        try (Stream<Path> pins = Files.list(plan.pinDir())) {
            return pins.map(pin -> pin.getFileName().toString())
                    .filter(name -> name.startsWith(LINK))
                    .map(name -> name.substring(LINK.length()))
                    .map(InterfacePins::decoded)
                    .filter(name -> !plan.interfaces().contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new DataplaneException("cannot read " + plan.pinDir() + ": " + e, e);
        }
    }
}
