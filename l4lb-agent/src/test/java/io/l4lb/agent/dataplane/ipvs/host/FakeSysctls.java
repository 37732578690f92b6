// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A /proc/sys of plain files, as it is when ip_vs was just loaded on a machine with the interfaces eth0 and eth0.100. */
final class FakeSysctls {
    static final List<String> OFF = List.of(
            "net/ipv4/vs/expire_nodest_conn",
            "net/ipv4/vs/sloppy_tcp",
            "net/ipv4/vs/sloppy_sctp",
            "net/ipv4/vs/schedule_icmp",
            "net/ipv4/vs/expire_quiescent_template",
            "net/ipv4/vs/nat_icmp_send",
            "net/ipv4/conf/all/accept_local",
            "net/ipv4/conf/all/rp_filter",
            "net/ipv4/conf/eth0/accept_local",
            "net/ipv4/conf/eth0/rp_filter",
            "net/ipv4/conf/eth0.100/accept_local",
            "net/ipv4/conf/eth0.100/rp_filter",
            "net/ipv4/ip_forward");
    private static final List<String> ON =
            List.of("net/ipv4/vs/conn_reuse_mode", "net/ipv4/vs/pmtu_disc", "net/ipv4/vs/run_estimation");

    private final Path root;

    FakeSysctls(Path root) {
        this.root = root;
        OFF.forEach(path -> set(path, "0"));
        ON.forEach(path -> set(path, "1"));
    }

    Path root() {
        return root;
    }

    void set(String path, String value) {
        try {
            Files.createDirectories(root.resolve(path).resolve("..").normalize());
            Files.writeString(root.resolve(path), value + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String get(String path) {
        try {
            return Files.readString(root.resolve(path)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void remove(String path) {
        try {
            Files.delete(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
