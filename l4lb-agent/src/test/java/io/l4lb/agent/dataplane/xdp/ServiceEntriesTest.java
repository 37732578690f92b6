// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a CPU found of a service before counts as long as it is so. */
@Tag("kernel")
final class ServiceEntriesTest {
    private static final ServiceKey REST4 = new ServiceKey(WEB4.vip(), Protocol.ANY, ServiceKey.ANY_PORT);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private int port = 40000;

    /** Where flows that nobody remembers go: all of them to one, or nowhere. */
    private Optional<InetAddress> realOfFreshFlows() {
        Set<Optional<InetAddress>> reals = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            ClientFlow flow = new ClientFlow("198.51.100.7", port++, WEB4);
            reals.add(flow.trySend().map(ClientFlow.Sent::real));
        }
        assertEquals(1, reals.size(), reals::toString);
        return reals.iterator().next();
    }

    @Test
    void packetsFollowEveryChange() {
        try (XdpDataplane dataplane = lab.openWith(program(Set.of(WEB4), Map.of(ONE, 1)), REALS)) {
            assertEquals(Optional.of(ONE), realOfFreshFlows());
            program(Set.of(REST4), Map.of(TWO, 1)).installOn(dataplane);
            assertEquals(Optional.of(ONE), realOfFreshFlows(), "a service of its port goes before");
            dataplane.remove(Set.of(WEB4));
            assertEquals(Optional.of(TWO), realOfFreshFlows());
            program(Set.of(WEB4), Map.of(ONE, 1)).installOn(dataplane);
            assertEquals(Optional.of(ONE), realOfFreshFlows());
            dataplane.remove(Set.of(WEB4, REST4));
            assertEquals(Optional.empty(), realOfFreshFlows());
        }
    }

    /** A service that leaves its place names another table, and the old one is gone. */
    @Test
    void packetsFollowAServiceToAnotherTable() {
        try (XdpDataplane dataplane = lab.openWith(program(Set.of(WEB4), Map.of(ONE, 1)), REALS)) {
            assertEquals(Optional.of(ONE), realOfFreshFlows());
            program(Set.of(WEB4), Map.of(TWO, 1), 2039).installOn(dataplane);
            assertEquals(Optional.of(TWO), realOfFreshFlows());
        }
    }

    /** Behind the agent's back. */
    private void take(ServiceKey key) {
        try (BpfMap services = BpfMap.openPinned(lab.pin("services")).orElseThrow()) {
            services.delete(KeyLayout.encode(key));
        }
    }

    @Test
    void whatSomebodyElseWroteIsFollowedOnceItIsSeen() {
        try (XdpDataplane dataplane = lab.openWith(program(Set.of(WEB4), Map.of(ONE, 1)), REALS)) {
            program(Set.of(REST4), Map.of(TWO, 1)).installOn(dataplane);
            assertEquals(Optional.of(ONE), realOfFreshFlows());
            take(WEB4);
            assertEquals(Set.of(REST4), dataplane.observe().keySet());
            assertEquals(Optional.of(TWO), realOfFreshFlows());
        }
    }

    /** As after an agent that died before it could tell. */
    @Test
    void aNewAgentTakesNothingForKnown() {
        try (XdpDataplane first = lab.openWith(program(Set.of(WEB4), Map.of(ONE, 1)), REALS)) {
            program(Set.of(REST4), Map.of(TWO, 1)).installOn(first);
        }
        assertEquals(Optional.of(ONE), realOfFreshFlows());
        take(WEB4);
        try (XdpDataplane second = lab.open()) {
            assertEquals(Set.of(REST4), second.observe().keySet());
            assertEquals(Optional.of(TWO), realOfFreshFlows());
        }
    }

    /** 0 says that nobody tells. */
    @Test
    void generationsStartAnewBehindTheLast() {
        try (XdpDataplane dataplane = lab.open();
                BpfMap generation =
                        BpfMap.openPinned(lab.pin("service_generation")).orElseThrow()) {
            generation.update(Word.encode(0), Word.encode(-1), UpdateMode.ANY);
            program(Set.of(WEB4), Map.of(ONE, 1)).installOn(dataplane);
            assertEquals(1, Word.decode(generation.lookup(Word.encode(0)).orElseThrow()));
            program(Set.of(REST4), Map.of(ONE, 1)).installOn(dataplane);
            assertEquals(2, Word.decode(generation.lookup(Word.encode(0)).orElseThrow()));
        }
    }
}
