// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent and the balancer agree on whether an entry of the flow table still counts. */
@Tag("kernel")
final class TimeoutTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);
    /** The test itself may take some ticks. */
    private static final int MARGIN = 20;

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    /** Makes the only flow one that was last seen so many ticks ago; the real that it names is not the one of its slot. */
    private void age(InetAddress real, FlowValue.State state, int ticks) {
        try (BpfMap flows = BpfMap.openPinned(lab.pin("flows")).orElseThrow();
                BpfMap reals = BpfMap.openPinned(lab.pin("reals")).orElseThrow()) {
            ByteBuffer name = ByteBuffer.wrap(flows.keys().get(0));
            int number = 0;
            while (!RealValue.decode(reals.lookup(Word.encode(number)).orElseThrow())
                    .address()
                    .equals(real)) {
                number++;
            }
            FlowValue value = new FlowValue(number, Ticks.at(System.nanoTime()) - ticks, 0, state);
            flows.update(name, value.encode(), UpdateMode.ANY);
        }
    }

    @ParameterizedTest
    @CsvSource({"OPENING, 56", "ESTABLISHED, 3353", "CLOSING, 56"})
    void bothAgree(FlowValue.State state, int timeout) {
        Programs web = program(Set.of(WEB4), Map.of(ONE, 1, TWO, 1));
        try (XdpDataplane dataplane = lab.openWith(web, REALS)) {
            InetAddress bySlot = FLOW.send().real();
            InetAddress other = bySlot.equals(ONE) ? TWO : ONE;
            age(other, state, timeout - MARGIN);
            assertEquals(Optional.of(other), dataplane.remembered(FLOW.key()));
            assertEquals(other, FLOW.send().real());
            age(other, state, timeout + MARGIN);
            assertEquals(Optional.empty(), dataplane.remembered(FLOW.key()));
            assertEquals(bySlot, FLOW.send().real());
            assertEquals(Optional.of(bySlot), dataplane.remembered(FLOW.key()));
        }
    }
}
