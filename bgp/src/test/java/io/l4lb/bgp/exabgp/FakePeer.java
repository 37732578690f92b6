// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Prefix;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One session of {@link FakeExaBgp} and the router at its other end, after rib/outgoing.py, rib/cache.py and
 * reactor/peer.py of ExaBGP 4.2.21: a cache of what is announced, and a queue that is sent group by group of equal
 * attributes.
 */
final class FakePeer {
    /** Attributes as the listing prints them; null withdraws, and is queued with the routes that have no metric. */
    private record Change(String attributes, boolean withdraw) {}

    private record Update(String attributes, Map<Prefix, Change> changes) {}

    private final InetAddress address;
    private final Consumer<String> events;
    final Map<Prefix, String> cache = new LinkedHashMap<>();
    final Map<Prefix, String> router = new HashMap<>();
    private Map<String, Map<Prefix, Change>> groups = new LinkedHashMap<>();
    private Map<Prefix, Change> changed = new LinkedHashMap<>();
    private final Deque<Update> sending = new ArrayDeque<>();
    private boolean up;
    private boolean resend;
    private boolean endOfRib;
    private boolean includeWithdraw;

    FakePeer(InetAddress address, Consumer<String> events) {
        this.address = address;
        this.events = events;
    }

    boolean isUp() {
        return up;
    }

    void goUp() {
        up = true;
        resend = true;
        endOfRib = true;
        includeWithdraw = false;
        events.accept(event("state", "\"state\": \"up\""));
    }

    /** The session ends, or an attempt to connect does. */
    void goDown() {
        up = false;
        router.clear();
        events.accept(event("state", "\"state\": \"down\", \"reason\": \"peer reset\""));
        sending.clear();
        changed = new LinkedHashMap<>();
        groups = new LinkedHashMap<>();
    }

    void announce(Prefix prefix, String attributes) {
        if (!attributes.equals(cache.get(prefix))) {
            queue(prefix, new Change(attributes, false));
        }
    }

    void withdraw(Prefix prefix) {
        queue(prefix, new Change("next-hop self", true));
    }

    private void queue(Prefix prefix, Change change) {
        if (change.withdraw()) {
            Change previous = changed.get(prefix);
            if (previous != null) {
                groups.getOrDefault(previous.attributes(), new HashMap<>()).remove(prefix);
            }
            cache.remove(prefix);
        } else {
            cache.put(prefix, change.attributes());
        }
        groups.computeIfAbsent(change.attributes(), any -> new LinkedHashMap<>())
                .put(prefix, change);
        changed.put(prefix, change);
    }

    /** One turn of the session in ExaBGP's loop. */
    void turn(int messages) {
        if (!up) {
            return;
        }
        if (resend) {
            resend = false;
            new ArrayList<>(cache.entrySet())
                    .forEach(route -> queue(route.getKey(), new Change(route.getValue(), false)));
        }
        if (sending.isEmpty() && !changed.isEmpty()) {
            groups.forEach((attributes, changes) -> sending.add(new Update(attributes, changes)));
            groups = new LinkedHashMap<>();
            changed = new LinkedHashMap<>();
        }
        if (sending.isEmpty()) {
            if (endOfRib) {
                endOfRib = false;
                events.accept(
                        event("update", "\"direction\": \"send\", \"message\": { \"eor\": { \"afi\" : \"any\" } }"));
            }
            return;
        }
        for (int i = 0; i < messages && !sending.isEmpty(); i++) {
            send(sending.remove());
        }
        includeWithdraw |= sending.isEmpty();
    }

    private void send(Update update) {
        List<String> announced = new ArrayList<>();
        List<String> withdrawn = new ArrayList<>();
        update.changes().forEach((prefix, change) -> {
            if (!change.withdraw()) {
                router.put(prefix, change.attributes());
                announced.add("{ \"nlri\": \"" + prefix + "\" }");
            } else if (includeWithdraw) {
                router.remove(prefix);
                withdrawn.add("{ \"nlri\": \"" + prefix + "\" }");
            }
        });
        if (announced.isEmpty() && withdrawn.isEmpty()) {
            return;
        }
        List<String> parts = new ArrayList<>();
        String[] words = update.attributes().split(" ", -1);
        parts.add("\"attribute\": { \"origin\": \"igp\"" + (words.length > 2 ? ", \"med\": " + words[3] : "") + " }");
        if (!announced.isEmpty()) {
            parts.add("\"announce\": { \"unicast\": { \"self\": " + announced + " } }");
        }
        if (!withdrawn.isEmpty()) {
            parts.add("\"withdraw\": { \"unicast\": " + withdrawn + " }");
        }
        events.accept(event(
                "update",
                "\"direction\": \"send\", \"message\": { \"update\": { " + String.join(", ", parts) + " } }"));
    }

    private String event(String type, String content) {
        return "{ \"exabgp\": \"4.0.1\", \"type\": \"" + type
                + "\", \"neighbor\": { \"address\": { \"local\": \"::\", \"peer\": \"" + IpLiteral.text(address)
                + "\" }, " + content + " } }";
    }
}
