// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Why the kernel answered EPERM, as far as a thread can tell, and what to do about it.
 *
 * @param capabilities the effective ones, a bit each (linux/capability.h)
 * @param ownUsers whether this is a user namespace, whose capabilities the kernel does not count for BPF
 * @param lockdown the kernel's lockdown mode, {@code none} if there is none
 */
record Refusal(long capabilities, boolean ownUsers, String lockdown) {
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_SYS_ADMIN = 21;
    private static final int CAP_BPF = 39;
    private static final String ALL_USERS = "0 0 4294967295";

    /** Of the calling thread; what cannot be read is taken to be no obstacle. */
    static Refusal here() {
        long capabilities = read("/proc/thread-self/status").stream()
                .filter(line -> line.startsWith("CapEff:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).trim(), 16))
                .findFirst()
                .orElse(-1);
        List<String> users = read("/proc/self/uid_map");
        boolean all =
                users.isEmpty() || users.get(0).trim().replaceAll(" +", " ").equals(ALL_USERS);
        return new Refusal(capabilities, !all, lockdown(read("/sys/kernel/security/lockdown")));
    }

    private static List<String> read(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** As in {@code none [integrity] confidentiality}. */
    static String lockdown(List<String> lines) {
        for (String line : lines) {
            int from = line.indexOf('[');
            int to = line.indexOf(']');
            if (from >= 0 && to > from) {
                return line.substring(from + 1, to);
            }
        }
        return "none";
    }

    String explain() {
        List<String> missing = new ArrayList<>();
        if (!has(CAP_SYS_ADMIN)) {
            if (!has(CAP_BPF)) {
                missing.add("CAP_BPF (programs and maps)");
            }
            missing.add("CAP_SYS_ADMIN (looking up by id, mounting a bpffs)");
        }
        if (!has(CAP_NET_ADMIN)) {
            missing.add("CAP_NET_ADMIN (XDP and tc)");
        }
        if (!missing.isEmpty()) {
            return "not permitted: this process lacks " + String.join(" and ", missing) + "; run it as root";
        }
        if (ownUsers) {
            return "not permitted: this process is in a user namespace, in which CAP_BPF and CAP_SYS_ADMIN do not count;"
                    + " run it outside of it, as root of the machine";
        }
        if (!lockdown.equals("none")) {
            return "not permitted although this process has the capabilities: the kernel is locked down (" + lockdown
                    + "); boot it without lockdown=" + lockdown;
        }
        return "not permitted although this process has the capabilities: a security module or a seccomp filter"
                + " (of a container, or SystemCallFilter= of a unit) forbids bpf(2); allow it there";
    }

    private boolean has(int capability) {
        return (capabilities & (1L << capability)) != 0;
    }
}
