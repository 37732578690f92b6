// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.IpText;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.decision.FragmentKey;
import io.l4lb.hashing.decision.InMemory;
import io.l4lb.hashing.decision.ServiceFlow;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** What the packet model remembers, and how it is written down to be compared. */
record ModelMemories(InMemory<ServiceFlow> flows, InMemory<FragmentKey> fragments) {
    ModelMemories() {
        this(new InMemory<>(), new InMemory<>());
    }

    /** What is taken away and comes back is another service. */
    void make(Scenario.Change change) {
        if (change.program().isEmpty()) {
            flows.forget(change.key().toString());
            fragments.forget(change.key().toString());
        }
    }

    /** All of it. */
    Map<String, String> text(HashSeed seed) {
        Map<String, String> text = new HashMap<>();
        flows.all().forEach((flow, real) -> {
            int entropy = (int) (flow.key().hash(seed) & 0xffff);
            text.put(flow(flow.service(), flow.key()), flow(real.real(), entropy));
        });
        fragments
                .all()
                .forEach((key, real) -> text.put(
                        fragment(key.source(), key.destination(), key.protocol(), key.id()),
                        real.service() + ", " + real.real()));
        return text;
    }

    static String flow(String service, FlowKey key) {
        return service + ", " + key;
    }

    static String flow(String real, int entropy) {
        return real + ", entropy " + entropy;
    }

    static String fragment(InetAddress source, InetAddress destination, int protocol, long id) {
        return "fragments of " + IpText.of(source) + " to " + IpText.of(destination) + ", protocol " + protocol
                + ", id " + id;
    }
}
