// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import static io.l4lb.agent.dataplane.mark.MarkLab.PORT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.test.InNamespace;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** IPVS takes new flows to the real of their mark, and known ones to the real that they have, whatever their mark is now. */
@Tag("kernel")
@Timeout(300)
final class MarkedFlowsTest {
    private static final int FLOWS = 12;
    private static final int SMALL = 10;
    /** More than fits a packet: sent in fragments. */
    private static final int BIG = 4000;

    @AutoClose
    private final MarkLab lab = new MarkLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    /** The services, on these reals alone; of each VIP those of its own family. */
    private record Services(Marker marker) {
        private static final Map<InetAddress, Integer> MARKS = Map.of(
                Marked.ONE,
                Marked.MARK_ONE,
                Marked.TWO,
                Marked.MARK_TWO,
                MarkLab.ONE6,
                Marked.MARK_ONE + 0x10,
                MarkLab.TWO6,
                Marked.MARK_TWO + 0x10);

        void install(List<InetAddress> reals4, List<InetAddress> reals6) {
            for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
                install(new ServiceKey(MarkLab.VIP4, protocol, PORT), reals4);
                install(new ServiceKey(MarkLab.VIP6, protocol, PORT), reals6);
            }
        }

        private void install(ServiceKey key, List<InetAddress> reals) {
            ServiceProgram program = Marked.program(key, Forwarding.IPIP, reals.toArray(InetAddress[]::new));
            marker.install(program, real -> MARKS.getOrDefault(real, 0));
        }
    }

    private static List<String> ask(List<Flow> flows, int bytes) throws Exception {
        List<String> names = new ArrayList<>();
        for (Flow flow : flows) {
            names.add(flow.ask(bytes));
        }
        return names;
    }

    private List<Flow> begin(boolean tcp, InetAddress vip) throws Exception {
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < FLOWS; i++) {
            flows.add(lab.flow(tcp, vip));
        }
        return flows;
    }

    @Test
    void knownFlowsKeepTheirRealWhenTheTableChanges() throws Exception {
        Services.MARKS.forEach((real, mark) -> lab.lead(mark, real));
        try (Marker marker = Marker.open(List.of("d0"), lab.pinDir(), Marked.SEED)) {
            Services services = new Services(marker);
            services.install(List.of(Marked.ONE, Marked.TWO), List.of(MarkLab.ONE6, MarkLab.TWO6));
            List<Flow> flows = new ArrayList<>();
            for (boolean tcp : List.of(true, false)) {
                for (InetAddress vip : List.of(MarkLab.VIP4, MarkLab.VIP6)) {
                    List<Flow> begun = begin(tcp, vip);
                    assertEquals(
                            new TreeSet<>(List.of("one", "two")), new TreeSet<>(ask(begun, SMALL)), "both are used");
                    flows.addAll(begun);
                }
            }
            List<String> before = ask(flows, SMALL);
            services.install(List.of(Marked.TWO), List.of(MarkLab.TWO6));
            assertEquals(before, ask(flows, SMALL));
            assertEquals(twos(), ask(begin(true, MarkLab.VIP4), SMALL));
            assertEquals(twos(), ask(begin(false, MarkLab.VIP6), SMALL));
            services.install(List.of(Marked.ONE), List.of(MarkLab.ONE6));
            assertEquals(before, ask(flows, SMALL));
        }
    }

    private static List<String> twos() {
        return Collections.nCopies(FLOWS, "two");
    }

    @Test
    void fragmentsFollowTheMarkOfTheFirst() throws Exception {
        Services.MARKS.forEach((real, mark) -> lab.lead(mark, real));
        try (Marker marker = Marker.open(List.of("d0"), lab.pinDir(), Marked.SEED)) {
            Services services = new Services(marker);
            services.install(List.of(Marked.TWO), List.of(MarkLab.TWO6));
            assertEquals(twos(), ask(begin(false, MarkLab.VIP4), BIG));
        }
    }

    @Test
    void tableAndConnectionAgreeOnNewFlows() throws Exception {
        Services.MARKS.forEach((real, mark) -> lab.lead(mark, real));
        try (Marker marker = Marker.open(List.of("d0"), lab.pinDir(), Marked.SEED)) {
            new Services(marker).install(List.of(Marked.ONE, Marked.TWO), List.of(MarkLab.ONE6, MarkLab.TWO6));
            List<String> names = ask(begin(false, MarkLab.VIP4), SMALL);
            marker.counters(new ServiceKey(MarkLab.VIP4, Protocol.UDP, PORT))
                    .forEach((real, counter) ->
                            assertEquals(Collections.frequency(names, name((Inet4Address) real)), counter.packets()));
        }
    }

    private static String name(Inet4Address real) {
        return String.valueOf(MarkLab.NAMES4.get(real));
    }
}
