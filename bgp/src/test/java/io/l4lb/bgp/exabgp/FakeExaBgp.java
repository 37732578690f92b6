// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import io.l4lb.bgp.Prefix;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** ExaBGP with its bridge, in memory: command lines go in, lines come out, and routers learn routes. */
final class FakeExaBgp {
    private static final long MILLISECOND = 1_000_000;

    final Map<InetAddress, FakePeer> peers = new LinkedHashMap<>();
    final Deque<String> toAgent = new ArrayDeque<>();
    private final Deque<String> commands = new ArrayDeque<>();
    private final Map<InetAddress, String> states =
            new TreeMap<>((a, b) -> IpLiteral.text(a).compareTo(IpLiteral.text(b)));
    private int given;
    private int unacknowledged;
    private long lastActivity = Long.MIN_VALUE;
    private long now;

    FakeExaBgp(List<Neighbor> neighbors) {
        for (Neighbor neighbor : neighbors) {
            InetAddress address = neighbor.address();
            peers.put(address, new FakePeer(address, line -> {
                lastActivity = now;
                if (line.contains("\"state\": \"up\"") || line.contains("\"state\": \"down\"")) {
                    states.put(address, line);
                }
                toAgent.add(line);
            }));
        }
    }

    FakePeer peer(InetAddress address) {
        return Objects.requireNonNull(peers.get(address));
    }

    void give(String command) {
        commands.add(command);
        unacknowledged++;
        if (!command.equals("version")) {
            given++;
            lastActivity = now;
        }
    }

    /** One turn of the main loop: every session, then some of the commands. */
    void turn(long time, int messages, int commandLimit) {
        now = time;
        peers.values().forEach(peer -> peer.turn(messages));
        for (int i = 0; i < commandLimit && !commands.isEmpty(); i++) {
            run(commands.remove());
        }
    }

    /** A new agent connects: what the last one was still owed is lost. */
    void accept(long time) {
        while (unacknowledged > 0) {
            turn(time, 1, 1);
        }
        now = time;
        toAgent.clear();
        toAgent.addAll(states.values());
        toAgent.add(
                "{\"type\": \"bridge\", \"protocol\": 1, \"epoch\": \"7-7\", \"commands\": " + given + ", \"quiet\": "
                        + (lastActivity == Long.MIN_VALUE ? "null" : (now - lastActivity) / MILLISECOND) + "}");
    }

    private void run(String command) {
        if (command.startsWith("show")) {
            list();
        } else if (command.equals("version")) {
            toAgent.add("exabgp 4.2.21");
        } else {
            String[] words = command.split(" ", 6);
            FakePeer peer = peer(IpLiteral.parse(words[1]));
            Prefix prefix = Prefix.parse(words[4]);
            if (words[2].equals("announce")) {
                peer.announce(prefix, words[5]);
            } else {
                peer.withdraw(prefix);
            }
        }
        unacknowledged--;
        toAgent.add("done");
    }

    private void list() {
        List<String> lines = new ArrayList<>();
        peers.forEach((address, peer) -> peer.cache.forEach((prefix, attributes) -> lines.add("neighbor "
                + IpLiteral.text(address) + " local-ip 192.0.2.1 local-as 65010 peer-as 65000 router-id 192.0.2.1"
                + " family-allowed in-open " + (prefix.isIpv6() ? "ipv6" : "ipv4") + " unicast " + prefix + " "
                + attributes)));
        toAgent.addAll(lines);
    }
}
