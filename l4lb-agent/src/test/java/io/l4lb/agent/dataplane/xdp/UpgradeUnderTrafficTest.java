// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.InNamespace;
import io.l4lb.xdp.Links;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real packets flow while one program takes the place of the other. */
@Tag("kernel")
final class UpgradeUnderTrafficTest {
    private static final int UPGRADES = 20;
    private static final int ECHO_REPLIES = 0;

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private final Programs dns = program(Set.of(DNS4), Map.of(ONE, 1, TWO, 1));

    /** Every packet that comes in is seen by some program, and sent on by it. */
    @Test
    void noPacketIsLost() throws Exception {
        lab.openWith(dns, REALS).close();
        try (Traffic traffic = new Traffic(lab)) {
            traffic.awaitMore(100);
            for (int i = 0; i < UPGRADES; i++) {
                try (XdpDataplane next = lab.open()) {
                    traffic.awaitMore(50);
                    dns.installOn(next);
                    next.follow(REALS, Set.of());
                }
            }
            traffic.awaitMore(100);
        }
        assertAllForwarded();
    }

    /** The same with other constants each time, and with another flow table, which is filled from the one before. */
    @Test
    void noPacketIsLostWithOtherConstantsAndAnotherFlowTable() throws Exception {
        lab.openWith(dns, REALS).close();
        try (Traffic traffic = new Traffic(lab)) {
            traffic.awaitMore(100);
            for (int i = 0; i < UPGRADES; i++) {
                int program = attached();
                try (XdpDataplane next = lab.open(changed(i))) {
                    assertNotEquals(program, attached());
                    assertTrue(next.info().notes().get(0).contains("1 of 1 flows were taken over"));
                    traffic.awaitMore(50);
                    assertTrue(dns.doneBy(next.observe()));
                }
            }
            traffic.awaitMore(100);
        }
        assertAllForwarded();
    }

    private static int attached() {
        return Links.attachedXdp(DirectorLab.index()).orElseThrow().programId();
    }

    private AttachmentPlan changed(int run) {
        AttachmentPlan plan = lab.plan("d0");
        byte[] constants = new byte[plan.constants().remaining()];
        plan.constants().duplicate().get(constants);
        constants[ECHO_REPLIES] = (byte) (run % 2);
        AttachmentPlan.FlowTable flows =
                new AttachmentPlan.FlowTable(4096 << (run % 3), run % 2 == 0, true, Samples.SEED);
        return new AttachmentPlan(
                plan.interfaces(), plan.mode(), plan.pinDir(), flows, false, ByteBuffer.wrap(constants));
    }

    private void assertAllForwarded() {
        try (XdpDataplane last = lab.open()) {
            Map<String, Long> verdicts = last.verdicts();
            long all = verdicts.values().stream().mapToLong(Long::longValue).sum();
            assertEquals(lab.counter(DirectorLab.DIRECTOR, "d0", "rx_packets"), all);
            assertEquals(0, lab.packetsInStack());
            for (String verdict : List.of("drop-no-real", "drop-no-next-hop", "drop-malformed", "drop-too-big")) {
                assertEquals(0, verdicts.get(verdict), verdict);
            }
            long forwarded = verdicts.getOrDefault("forward-flow", 0L) + verdicts.getOrDefault("forward-table", 0L);
            assertTrue(forwarded > 1000, verdicts.toString());
            assertTrue(lab.counter(DirectorLab.ROUTER, "r0", "rx_packets") >= forwarded);
        }
    }
}
