// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.Service;
import io.l4lb.hashing.decision.Verdict;
import java.util.Map;
import java.util.TreeMap;

/** What has to be counted, by what it is counted for. */
final class Tally {
    private final Map<String, Counter> counters = new TreeMap<>();

    /** Counts a packet by its verdict; for its real, or for its service if it does not get to a real. */
    void add(byte[] frame, PacketDecision decision) {
        String verdict = decision.verdict().text();
        count(verdict(verdict), 1, frame.length);
        String service = decision.service().map(Service::name).orElse("");
        if (isForwarded(decision.verdict())) {
            count(real(service, decision.real().orElseThrow()), 1, frame.length);
        } else if (!service.isEmpty()) {
            count(service(service, verdict), 1, frame.length);
        }
    }

    void count(String what, long packets, long bytes) {
        if (packets != 0) {
            counters.merge(
                    what,
                    new Counter(packets, bytes),
                    (a, b) -> new Counter(a.packets() + b.packets(), a.bytes() + b.bytes()));
        }
    }

    static String verdict(String verdict) {
        return verdict;
    }

    static String real(String service, String real) {
        return service + ", real " + real;
    }

    static String service(String service, String verdict) {
        return service + ", " + verdict;
    }

    static boolean isForwarded(Verdict verdict) {
        return verdict.name().startsWith("FORWARD");
    }

    Map<String, Counter> counters() {
        return counters;
    }
}
