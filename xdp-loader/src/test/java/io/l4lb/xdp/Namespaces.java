// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Network namespaces with names of their own, and links between them; closing removes them all. */
final class Namespaces implements AutoCloseable {
    private final String prefix = "xl" + ProcessHandle.current().pid() + "-"
            + Integer.toHexString(ThreadLocalRandom.current().nextInt(0x10000)) + "-";
    private final List<String> made = new ArrayList<>();

    /** Makes one; IPv6 addresses are usable at once in it. */
    void make(String host) {
        Machine.run("ip", "netns", "add", name(host));
        made.add(name(host));
        ip(host, "link set lo up");
        exec(host, "sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0");
        exec(host, "sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0");
    }

    /** The name that the system knows it by. */
    String name(String host) {
        return prefix + host;
    }

    /** A veth pair with both ends up. */
    void connect(String host, String end, String otherHost, String otherEnd) {
        Machine.run(
                "ip",
                "link",
                "add",
                end,
                "netns",
                name(host),
                "type",
                "veth",
                "peer",
                "name",
                otherEnd,
                "netns",
                name(otherHost));
        ip(host, "link set " + end + " mtu 1600 up");
        ip(otherHost, "link set " + otherEnd + " mtu 1600 up");
    }

    String ip(String host, String arguments) {
        return Machine.run(words("ip -n " + name(host) + " " + arguments));
    }

    String exec(String host, String command) {
        return Machine.run(words("ip netns exec " + name(host) + " " + command));
    }

    private static String[] words(String line) {
        return Stream.of(line.split(" ", -1)).toArray(String[]::new);
    }

    @Override
    public void close() {
        for (String name : made) {
            Machine.succeeds("ip", "netns", "del", name);
        }
    }
}
