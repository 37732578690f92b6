// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Interfaces whose names a bpffs would not take, or which earlier versions took for one. */
@Tag("kernel")
final class InterfacePinsTest {
    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(() -> {
        String namespace = lab.build();
        lab.connectFurther("d.1", "r.1");
        lab.connectFurther("d_1", "r_1");
        return namespace;
    });

    private static int index(String name) {
        return Interfaces.index(name).orElseThrow();
    }

    private int linked(String pin) {
        try (Link link = Link.openPinned(lab.pin(pin)).orElseThrow()) {
            return link.ifindex();
        }
    }

    private int linkId(String pin) {
        try (Link link = Link.openPinned(lab.pin(pin)).orElseThrow()) {
            return link.id();
        }
    }

    private Set<String> linkPins() throws IOException {
        try (Stream<Path> pins = Files.list(lab.pinDirectory())) {
            return pins.map(pin -> pin.getFileName().toString())
                    .filter(name -> name.startsWith("link_balancer"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** As versions before 0.2 had them. */
    private void renameAsBefore() throws IOException {
        for (String program : DirectorLab.linked()) {
            Files.move(lab.pin("link_" + program + "_d:1"), lab.pin("link_" + program + "_d_1"));
        }
    }

    @Test
    void dotAndUnderscoreAreTwo() {
        lab.open(lab.plan("d.1", "d_1")).close();
        for (int i = 0; i < 2; i++) {
            assertEquals(index("d.1"), linked("link_balancer_d:1"));
            assertEquals(index("d_1"), linked("link_balancer_d_1"));
            try (XdpDataplane again = lab.open(lab.plan("d_1", "d.1"))) {
                assertTrue(again.info().adopted());
                assertEquals(List.of(), again.info().notes());
            }
        }
    }

    @Test
    void oneThatIsNotConfiguredAnyMoreIsLeftByItsName() {
        lab.open(lab.plan("d.1", "d0")).close();
        try (XdpDataplane dataplane = lab.open(lab.plan("d0"))) {
            assertEquals(
                    List.of("interface d.1 is not in xdp.interfaces any more: the programs are taken off it"),
                    dataplane.info().notes());
        }
        assertTrue(Links.attachedXdp(index("d.1")).isEmpty());
    }

    @Test
    void pinsOfTheVersionBeforeAreTakenOver() throws IOException {
        try (XdpDataplane first = lab.open(lab.plan("d.1"))) {
            web().installOn(first);
        }
        int link = linkId("link_balancer_d:1");
        renameAsBefore();
        try (XdpDataplane second = lab.open(lab.plan("d.1"))) {
            assertTrue(second.info().adopted());
            assertEquals(List.of(), second.info().notes());
            assertTrue(web().doneBy(second.observe()));
        }
        assertEquals(Set.of("link_balancer_d:1"), linkPins());
        assertEquals(link, linkId("link_balancer_d:1"));
    }

    @Test
    void pinsOfTheVersionBeforeMayBeOfTheOtherOne() throws IOException {
        lab.open(lab.plan("d_1")).close();
        try (XdpDataplane second = lab.open(lab.plan("d.1", "d_1"))) {
            assertTrue(second.info().adopted());
        }
        assertEquals(Set.of("link_balancer_d:1", "link_balancer_d_1"), linkPins());
        assertEquals(index("d_1"), linked("link_balancer_d_1"));
    }

    @Test
    void aRefusalLeavesThemToTheVersionBefore() throws Exception {
        lab.open(lab.plan("d.1")).close();
        renameAsBefore();
        int link = linkId("link_balancer_d_1");
        try (Occupied taken = new Occupied("d0")) {
            DataplaneException refusal = assertThrows(DataplaneException.class, () -> lab.open(lab.plan("d.1", "d0")));
            assertTrue(
                    String.valueOf(refusal.getMessage()).contains("XDP program " + taken.program()),
                    refusal.getMessage());
        }
        assertEquals(Set.of("link_balancer_d_1"), linkPins());
        assertEquals(link, linkId("link_balancer_d_1"));
        assertEquals(index("d.1"), linked("link_balancer_d_1"));
        assertFalse(Files.exists(lab.pin("link_probe_d:1")));
    }
}
