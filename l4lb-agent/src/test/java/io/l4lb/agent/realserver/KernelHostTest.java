// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.test.ThreadContext;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on the kernel, and what it finds there. */
@Tag("kernel")
class KernelHostTest extends HostContract {
    @RegisterExtension
    final InNamespace inNamespace = new InNamespace(this::build);

    private final Namespaces namespaces = new Namespaces();
    private Optional<TemporaryBpfFs> pins = Optional.empty();

    private String build() {
        Machine.needNetworkNamespaces();
        Machine.needBpf();
        pins = Optional.of(new TemporaryBpfFs());
        namespaces.make("real");
        namespaces.make("peer");
        namespaces.connect("real", "eth0", "peer", "eth0");
        return namespaces.name("real");
    }

    @AfterEach
    void remove() {
        namespaces.close();
        pins.ifPresent(TemporaryBpfFs::close);
    }

    @Override
    Host host() {
        return KernelHost.open(pins.orElseThrow().path("real"));
    }

    private static SetupRequest request(String... sources) {
        return new SetupRequest(
                List.of(ip("192.0.2.10")),
                Optional.empty(),
                Method.AUTO,
                List.of(sources).stream().map(Prefix::parse).toList(),
                java.nio.file.Path.of("/sys/fs/bpf/l4lb-real"));
    }

    @Test
    void factsAreThoseOfTheNamespace() {
        namespaces.batch("real", """
                addr add 10.0.1.1/24 dev eth0
                addr add fd00:1::1/64 dev eth0 nodad
                route add 172.16.0.0/12 via 10.0.1.2
                route add default via 10.0.1.254
                """);
        namespaces.exec("real", "sysctl -qw net.ipv4.conf.eth0.rp_filter=2 net.ipv4.conf.all.arp_ignore=1");
        Prefix routed = Prefix.parse("172.16.0.0/12");
        try (Host host = host()) {
            Facts facts = host.look(request("172.16.0.0/12"));
            Facts.Device eth0 = facts.device("eth0").orElseThrow();
            assertEquals(new Facts.Device("eth0", Namespaces.MTU, true), eth0);
            assertEquals(
                    List.of(
                            new Facts.HostAddress("eth0", ip("10.0.1.1")),
                            new Facts.HostAddress("eth0", ip("fd00:1::1"))),
                    facts.addresses());
            assertTrue(facts.ipv6());
            assertEquals(Optional.of("eth0"), facts.ways().outward());
            assertEquals(Optional.of("eth0"), facts.ways().toSources().get(routed));
            assertEquals(2, facts.ways().reversePathFilter());
            assertEquals(1, facts.ways().arpIgnore());
        }
    }

    @Test
    void waysMayBeMissing() {
        try (Host host = host()) {
            Facts.Ways none = host.look(request("172.16.0.0/12")).ways();
            assertEquals(Optional.empty(), none.outward());
            assertEquals(Optional.empty(), none.toSources().get(Prefix.parse("172.16.0.0/12")));
        }
        namespaces.ip("real", "addr add fd00:1::1/64 dev eth0 nodad");
        namespaces.ip("real", "route add default via fd00:1::2");
        try (Host host = host()) {
            assertEquals(Optional.of("eth0"), host.look(request()).ways().outward());
        }
    }

    @Test
    void privilegeIsThatOfTheThread() throws Exception {
        try (Host host = host()) {
            assertEquals("", host.missingPrivilege());
            assertFalse(
                    ThreadContext.withoutCapabilities(host::missingPrivilege).isEmpty());
        }
    }
}
