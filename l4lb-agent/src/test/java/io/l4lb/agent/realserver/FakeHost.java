// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A server on paper: with eth0, two addresses, and settings as a fresh kernel has them. */
public final class FakeHost implements Host {
    final Map<Item, String> values = new HashMap<>();
    /** Cannot be written. */
    final Set<Item> broken = new HashSet<>();
    /** Writes to these do nothing. */
    final Set<Item> deaf = new HashSet<>();

    /** Known not to be writable before that is tried. */
    final Map<Item, String> refusals = new HashMap<>();

    boolean interrupted;
    final List<Item> written = new ArrayList<>();
    final Map<String, Long> counters = new HashMap<>();
    String missingPrivilege = "";
    Facts facts = facts(Set.of(), 0);

    public FakeHost() {
        values.put(new Item(Kind.DEVICE, "lo"), "up");
        values.put(Item.setting("net/ipv4/conf/eth0/arp_ignore"), "0");
        values.put(Item.setting("net/ipv4/conf/eth0/arp_announce"), "0");
        values.put(Item.setting("net/ipv6/conf/lo/disable_ipv6"), "0");
        values.put(Item.setting("net/ipv6/conf/eth0/disable_ipv6"), "0");
    }

    static Facts facts(Set<String> modules, int reversePathFilter) {
        return new Facts(
                List.of(new Facts.Device("lo", 65536, true), new Facts.Device("eth0", 1500, true)),
                List.of(new Facts.HostAddress("eth0", ip("10.0.1.1")), new Facts.HostAddress("eth0", ip("fd00:1::1"))),
                modules,
                new Facts.Ways(Optional.of("eth0"), Map.of(), reversePathFilter, 0),
                true);
    }

    /** A command's view of it. */
    public RealServer server(Path stateFile) {
        return new RealServer(directory -> this, stateFile, () -> interrupted);
    }

    /** The whole command is refused with these words. */
    public void missPrivilege(String words) {
        missingPrivilege = words;
    }

    /** What the program has counted. */
    public void count(String counter, long packets) {
        counters.put(counter, packets);
    }

    /** As if somebody else had written a file below /proc/sys. */
    public void change(String setting, String value) {
        values.put(Item.setting(setting), value);
    }

    @Override
    public String missingPrivilege() {
        return missingPrivilege;
    }

    @Override
    public Facts look(SetupRequest request) {
        return facts;
    }

    @Override
    public String read(Item item) {
        return values.getOrDefault(item, "");
    }

    @Override
    public String refusal(Item item, String value) {
        return refusals.getOrDefault(item, "");
    }

    @Override
    public void write(Item item, String value) {
        if (broken.contains(item) || (item.kind() == Kind.SETTING && !values.containsKey(item))) {
            throw new RealServerException("broken");
        }
        written.add(item);
        if (deaf.contains(item)) {
            return;
        }
        if (value.isEmpty()) {
            if (values.remove(item) == null) {
                throw new RealServerException("not there");
            }
        } else {
            if (item.kind() == Kind.ADDRESS && values.containsKey(item)) {
                throw new RealServerException("there already");
            }
            values.put(item, value);
        }
    }

    @Override
    public Map<String, Long> counters() {
        return Map.copyOf(counters);
    }

    @Override
    public void close() {}
}
