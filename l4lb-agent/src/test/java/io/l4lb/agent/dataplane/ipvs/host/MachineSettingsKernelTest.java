// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.netlink.generic.GenericNetlink;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.TemporaryTmpFs;
import io.l4lb.test.ThreadContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Of the real kernel, in a namespace with the interfaces up0 and up0.7 (a name with a dot, no VLAN). */
@Tag("kernel")
@Timeout(120)
class MachineSettingsKernelTest {
    private static final String HOST = "host";

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @RegisterExtension
    final InNamespace inNamespace = new InNamespace(() -> {
        Machine.needNetworkNamespaces();
        namespaces.make(HOST);
        namespaces.ip(HOST, "link add up0 type veth peer name up0.7");
        return namespaces.name(HOST);
    });

    @TempDir
    Path directory;

    @Test
    void settingsOfTheThreadsNamespace() {
        Sysctls sysctls = new Sysctls(Path.of("/proc/sys"));
        assertTrue(sysctls.exists("net/ipv4/conf/up0.7/rp_filter"));
        sysctls.write("net/ipv4/conf/up0.7/rp_filter", "1");
        assertEquals(
                "net.ipv4.conf.up0/7.rp_filter = 1",
                namespaces.exec(HOST, "sysctl net/ipv4/conf/up0.7/rp_filter").strip());
        WantedSetting wanted = WantedSetting.all(Set.of("up0.7"), false).stream()
                .filter(setting -> setting.path().endsWith("rp_filter"))
                .findFirst()
                .orElseThrow();
        assertEquals("1", wanted.wrong(sysctls).orElseThrow());
        namespaces.exec(HOST, "sysctl -qw net.ipv4.conf.all.rp_filter=2");
        assertTrue(wanted.wrong(sysctls).isEmpty());
        namespaces.exec(HOST, "sysctl -qw " + Sysctls.name(wanted.path()) + "=0");
        assertEquals("0", sysctls.read(wanted.path()).orElseThrow());
    }

    @Test
    void namespacesAreToldApart() throws Exception {
        Incarnation here = Incarnation.current();
        namespaces.make("other");
        Incarnation there = ThreadContext.inNamespace(namespaces.name("other"), Incarnation::current);
        assertEquals(here.boot(), there.boot());
        assertNotEquals(here.namespace(), there.namespace());
        assertEquals(here, Incarnation.current());
    }

    @Test
    void readOnly() throws IOException {
        try (TemporaryTmpFs files = new TemporaryTmpFs("size=1m")) {
            FakeSysctls kernel = new FakeSysctls(files.path());
            kernel.set("net/ipv4/vs/sloppy_tcp", "1");
            files.makeReadOnly();
            MachineSettings settings = new MachineSettings(kernel.root(), directory, new Incarnation("b", "n"));
            settings.want(Set.of(), false);
            DataplaneException e = assertThrows(DataplaneException.class, () -> settings.repair(Instant.EPOCH));
            assertTrue(
                    String.valueOf(e.getMessage())
                            .startsWith("cannot write 1 to " + kernel.root().resolve("net/ipv4/vs/expire_nodest_conn")
                                    + ": Read-only file system: set net.ipv4.vs.expire_nodest_conn=1 from outside"),
                    e::getMessage);
            assertFalse(String.valueOf(e.getMessage()).contains("sloppy_tcp"), e::getMessage);
        }
    }

    @Test
    void aFullDiskKeepsTheOldClaim() throws IOException {
        try (TemporaryTmpFs files = new TemporaryTmpFs("size=16k")) {
            Incarnation incarnation = new Incarnation("b", "n");
            OwnedServices services = new OwnedServices(files.path(), incarnation);
            OwnedKey key = OwnedKey.mark(7, false);
            services.claim(key, Map.of());
            assertThrows(IOException.class, () -> Files.write(files.path().resolve("large"), new byte[100_000]));
            DataplaneException e =
                    assertThrows(DataplaneException.class, () -> services.claim(key, Map.of(ip("10.0.0.1"), 1)));
            assertTrue(String.valueOf(e.getMessage()).endsWith(": No space left on device"), e::getMessage);
            assertEquals(Map.of(key, Map.of()), new OwnedServices(files.path(), incarnation).claims());
        }
    }

    @Test
    void withIpvs() {
        Machine.need("ipvs", hasIpvs(), "the kernel has no IPVS");
        new Modules().loadIpvs();
        MachineSettings settings = new MachineSettings(directory, Incarnation.current());
        settings.want(Set.of("up0"), true);
        namespaces.exec(HOST, "sysctl -qw net.ipv4.conf.up0.rp_filter=1 net.ipv4.vs.sloppy_tcp=0");
        List<String> notes = settings.repair(Instant.EPOCH);
        assertTrue(notes.contains("net.ipv4.vs.expire_nodest_conn 0 -> 1"), notes::toString);
        assertTrue(notes.contains("net.ipv4.conf.up0.rp_filter 1 -> 2"), notes::toString);
        assertTrue(notes.contains("net.ipv4.ip_forward 0 -> 1"), notes::toString);
        assertEquals(
                "1 1",
                namespaces
                        .exec(HOST, "sysctl -n net.ipv4.vs.sloppy_tcp net.ipv4.vs.schedule_icmp")
                        .strip()
                        .replace("\n", " "));
        assertEquals(List.of(), settings.repair(Instant.EPOCH.plusSeconds(60)));
        MachineSettings next = new MachineSettings(directory, Incarnation.current());
        assertEquals(
                notes.stream().filter(note -> note.contains("->")).count(),
                next.restore().putBack().size());
        assertEquals(
                "0 1 0",
                namespaces
                        .exec(HOST, "sysctl -n net.ipv4.vs.sloppy_tcp net.ipv4.conf.up0.rp_filter net.ipv4.ip_forward")
                        .strip()
                        .replace("\n", " "));
    }

    @Test
    void withoutIpvs() {
        if (!hasIpvs()) {
            DataplaneException e = assertThrows(DataplaneException.class, () -> new Modules().loadIpvs());
            assertTrue(
                    String.valueOf(e.getMessage())
                            .startsWith("kernel module ip_vs is not loaded and could not be loaded: "),
                    e::getMessage);
        }
    }

    private static boolean hasIpvs() {
        try (GenericNetlink netlink = GenericNetlink.open()) {
            return netlink.family("IPVS").isPresent();
        }
    }
}
