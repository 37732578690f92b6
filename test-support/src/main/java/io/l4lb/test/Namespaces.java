// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Network namespaces with names of their own, and links between them; closing removes them all. */
public final class Namespaces implements AutoCloseable {
    /** Of the links: an outer header fits in front of a full packet. */
    public static final int MTU = 1600;

    private final String prefix = "l4t" + ProcessHandle.current().pid() + "-"
            + Integer.toHexString(ThreadLocalRandom.current().nextInt(0x10000)) + "-";
    private final List<String> made = new ArrayList<>();

    /** Makes one; IPv6 addresses are usable at once in it. */
    public void make(String host) {
        Machine.run("ip", "netns", "add", name(host));
        made.add(name(host));
        ip(host, "link set lo up");
        exec(
                host,
                "sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0"
                        + " net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0");
    }

    /** The name that the system knows it by. */
    public String name(String host) {
        return prefix + host;
    }

    /** A veth pair with both ends up. */
    public void connect(String host, String end, String otherHost, String otherEnd) {
        String peer = " type veth peer name " + otherEnd + " netns " + name(otherHost);
        Machine.run(words("ip link add " + end + " netns " + name(host) + peer));
        ip(host, "link set " + end + " mtu " + MTU + " up");
        ip(otherHost, "link set " + otherEnd + " mtu " + MTU + " up");
    }

    /** Runs {@code ip} inside; the arguments are split at blanks. */
    public String ip(String host, String arguments) {
        return Machine.run(words("ip -n " + name(host) + " " + arguments));
    }

    /** Runs many {@code ip} commands inside, one a line, in one go. */
    public void batch(String host, String commands) {
        Machine.runWithInput(commands, "ip", "-n", name(host), "-batch", "-");
    }

    /** Runs a command inside; it is split at blanks. */
    public String exec(String host, String command) {
        return Machine.run(words("ip netns exec " + name(host) + " " + command));
    }

    private static String[] words(String line) {
        return line.split(" ", -1);
    }

    @Override
    public void close() {
        for (String name : made) {
            Machine.succeeds("ip", "netns", "del", name);
        }
    }
}
