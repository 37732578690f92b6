// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModulesTest {
    private static final String RELEASE = "6.1.0-50-amd64";
    private static final String NOT_LOADED = "kernel module ip_vs_mh is not loaded and could not be loaded: ";

    @TempDir
    Path root;

    @BeforeEach
    void machine() throws IOException {
        put("proc/sys/kernel/osrelease", RELEASE + "\n");
        put("proc/sys/kernel/modules_disabled", "0\n");
        put("proc/sys/kernel/modprobe", "/sbin/modprobe\n");
        put("proc/modules", "ip_vs 212992 6 ip_vs_mh2, Live 0x0000000000000000\n");
        put("sbin/modprobe", "");
        put("lib/modules/" + RELEASE + "/modules.builtin", "kernel/net/ipv4/ipip.ko\n");
        put(
                "lib/modules/" + RELEASE + "/modules.dep",
                "kernel/net/netfilter/ipvs/ip_vs_mh.ko.xz: kernel/net/netfilter/ipvs/ip_vs.ko.xz\n");
    }

    private void put(String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).resolve("..").normalize());
        Files.writeString(root.resolve(path), text);
    }

    private String missing(String scheduler) {
        String words = new Modules(root).missingScheduler(scheduler);
        return words.replace(root + "/", "/");
    }

    @Test
    void inTheTree() {
        assertTrue(missing("mh").startsWith(NOT_LOADED + "it is in /lib/modules/6.1.0-50-amd64: modprobe ip_vs_mh"));
    }

    @Test
    void notInTheTree() {
        assertTrue(missing("twos")
                .contains(": kernel 6.1.0-50-amd64 has no such module in /lib/modules/6.1.0-50-amd64: install"));
        assertTrue(missing("m").contains("has no such module"));
    }

    @Test
    void noTree() throws IOException {
        put("proc/sys/kernel/osrelease", "6.18.0\n");
        assertTrue(missing("mh")
                .startsWith(
                        NOT_LOADED + "there are no modules of the running kernel 6.18.0 in /lib/modules/6.18.0. In a"
                                + " container: modprobe ip_vs_mh on the host."));
    }

    @Test
    void noLoadingOfModules() throws IOException {
        put("proc/sys/kernel/modprobe", "/nowhere/modprobe\n");
        assertEquals(
                NOT_LOADED + "the kernel has no program to load it with (kernel.modprobe=/nowhere/modprobe): modprobe"
                        + " ip_vs_mh (package kmod)",
                missing("mh"));
        put("proc/sys/kernel/modules_disabled", "1\n");
        assertTrue(missing("mh").contains("kernel.modules_disabled=1"));
    }

    @Test
    void loadedOrBuiltIn() throws IOException {
        assertTrue(missing("mh").startsWith(NOT_LOADED));
        put("proc/modules", "ip_vs_mh 16384 1 - Live 0x0000000000000000\n");
        assertTrue(missing("mh").startsWith("kernel module ip_vs_mh is loaded, but"));
        put("proc/modules", "");
        put("lib/modules/" + RELEASE + "/modules.builtin", "kernel/net/netfilter/ipvs/ip_vs_mh.ko\n");
        assertTrue(missing("mh").startsWith("kernel module ip_vs_mh is loaded, but"));
    }
}
