// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.Descriptors;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pins that somebody takes away are made again while the agent runs, so that its end ends nothing. */
@Tag("kernel")
final class LostPinsTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private List<Path> pins() throws IOException {
        try (Stream<Path> files = Files.list(lab.pinDirectory())) {
            return files.sorted().toList();
        }
    }

    /** The kernel's id of everything that is pinned, by the name of the pin. */
    private Map<String, Integer> pinned() throws IOException {
        Map<String, Integer> ids = new TreeMap<>();
        for (Path pin : pins()) {
            String name = pin.getFileName().toString();
            ids.put(name, name.startsWith("link_") ? linkId(pin) : mapId(pin));
        }
        return ids;
    }

    private static int linkId(Path pin) {
        try (Link link = Link.openPinned(pin).orElseThrow()) {
            return link.id();
        }
    }

    private static int mapId(Path pin) {
        try (BpfMap map = BpfMap.openPinned(pin).orElseThrow()) {
            return map.id();
        }
    }

    private void assertForwardsWithoutAgent() {
        assertEquals(FLOW.realIn(web().table()), FLOW.open().real());
        assertTrue(lab.hasProbe("d0"));
    }

    @Test
    void eachIsMadeAgainOfTheSame() throws IOException {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            Map<String, Integer> before = pinned();
            assertTrue(before.keySet().containsAll(List.of("link_balancer_d0", "flows", "settings")), before + "");
            for (Path pin : pins()) {
                Files.delete(pin);
                dataplane.keepAttached();
                assertEquals(before, pinned());
            }
            assertEquals(List.of(), dataplane.info().notes());
        }
        assertForwardsWithoutAgent();
    }

    @Test
    void theWholeDirectoryIsMadeAgain() throws IOException {
        Map<String, Integer> before;
        lab.openWith(web(), REALS).close();
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) { // what was adopted is kept as what was made
            before = pinned();
            for (Path pin : pins()) {
                Files.delete(pin);
            }
            Files.delete(lab.pinDirectory());
            dataplane.keepAttached();
            assertEquals(before, pinned());
        }
        assertForwardsWithoutAgent();
        try (XdpDataplane dataplane = lab.open()) {
            assertTrue(dataplane.info().adopted());
            assertEquals(before.get("link_balancer_d0"), pinned().get("link_balancer_d0"));
        }
    }

    /** As of another agent with the same directory. */
    @Test
    void anotherInItsPlaceIsLeftAndSaidAndStopsNoOther() throws IOException {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS);
                BpfMap other = BpfMap.createArray("other", Integer.BYTES, 1, 0)) {
            Map<String, Integer> before = pinned();
            Path flows = lab.pin("flows");
            Files.delete(flows);
            other.pin(flows);
            Files.delete(lab.pin("link_balancer_d0"));
            dataplane.keepAttached();
            assertEquals(other.id(), mapId(flows));
            assertEquals(before.get("link_balancer_d0"), linkId(lab.pin("link_balancer_d0")));
            assertEquals(
                    List.of("not pinned in " + lab.pinDirectory()
                            + ", and cannot be: flows (something else is there: has another agent the same pin-dir?);"
                            + " what is not pinned ends with the agent"),
                    dataplane.info().notes());
            Files.delete(flows);
            long bpf = Descriptors.ofBpf();
            dataplane.keepAttached();
            assertEquals(bpf, Descriptors.ofBpf());
            assertEquals(before, pinned());
            assertEquals(List.of(), dataplane.info().notes());
        }
        assertForwardsWithoutAgent();
    }
}
