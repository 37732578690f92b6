// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a version pinned that had no hash keys is taken over. */
@Tag("kernel")
final class EarlierVersionTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    /** Its services had zeroes where the key is now, its map of verdicts as many entries as it had verdicts. */
    @Test
    void takesOverTheMapsOfTheVersionWithoutHashKeys() throws IOException {
        InetAddress real;
        try (XdpDataplane first = lab.openWith(web(), REALS)) {
            real = FLOW.send().real();
            first.probes(Map.of(0x4c340000, new ProbePath(ONE, Forwarding.IPIP)));
        }
        Files.delete(lab.pin("server_ids"));
        pinVerdicts(11);
        try (XdpDataplane second = lab.open()) {
            assertTrue(second.info().adopted());
            assertEquals(1, second.info().notes().size());
            assertTrue(second.info().notes().get(0).startsWith("packets by verdict are counted from zero"));
            assertTrue(web().doneBy(second.observe()));
            assertEquals(Optional.of(real), second.remembered(FLOW.key()));
            assertEquals(real, FLOW.send().real());
            assertEquals(1, second.verdicts().get("forward-flow"));
            assertEquals(0, second.verdicts().get("forward-server-id"));
        }
        try (XdpDataplane third = lab.open()) {
            assertEquals(List.of(), third.info().notes());
            assertEquals(1, third.verdicts().get("forward-flow"));
        }
    }

    private void pinVerdicts(int entries) throws IOException {
        Files.delete(lab.pin("verdicts"));
        try (BpfObject earlier = BpfObject.open("balancer", BpfProgram.BALANCER.object())
                        .maxEntries("verdicts", entries)
                        .load();
                BpfMap verdicts = earlier.map("verdicts")) {
            verdicts.pin(lab.pin("verdicts"));
        }
    }

    @Test
    void aRefusalLeavesTheMapsOfTheVersionBefore() throws IOException {
        lab.openWith(web(), REALS).close();
        pinVerdicts(11);
        Files.delete(lab.pin("reals"));
        try (BpfMap other = BpfMap.createArray("reals", 4, 1, 0)) {
            other.pin(lab.pin("reals"));
        }
        assertThrows(DataplaneException.class, lab::open);
        try (BpfMap verdicts = BpfMap.openPinned(lab.pin("verdicts")).orElseThrow()) {
            assertEquals(11, verdicts.maxEntries());
        }
    }
}
