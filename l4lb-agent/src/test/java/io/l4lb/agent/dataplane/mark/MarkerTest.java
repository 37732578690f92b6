// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import static io.l4lb.agent.dataplane.mark.Marked.DNS;
import static io.l4lb.agent.dataplane.mark.Marked.MARK_ONE;
import static io.l4lb.agent.dataplane.mark.Marked.MARK_TWO;
import static io.l4lb.agent.dataplane.mark.Marked.ONE;
import static io.l4lb.agent.dataplane.mark.Marked.SEED;
import static io.l4lb.agent.dataplane.mark.Marked.TWO;
import static io.l4lb.agent.dataplane.mark.Marked.WEB;
import static io.l4lb.agent.dataplane.mark.Marked.marks;
import static io.l4lb.agent.dataplane.mark.Marked.program;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.ProgramHandle;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The marker on a director's interface. */
@Tag("kernel")
final class MarkerTest {
    private static final int PACKETS = 20;
    /** Ethernet, IPv4 and UDP header, and what is sent. */
    private static final int BYTES = 14 + 20 + 8 + 10;

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    private @Nullable TemporaryBpfFs pins;

    @RegisterExtension
    final InNamespace director = new InNamespace(() -> {
        Machine.needBpf();
        Machine.needNetworkNamespaces();
        pins = new TemporaryBpfFs();
        namespaces.make("director");
        namespaces.make("client");
        connect();
        return namespaces.name("director");
    });

    private void connect() {
        namespaces.connect("director", "d0", "client", "c0");
        namespaces.ip("director", "addr add 10.2.0.2/24 dev d0");
        namespaces.ip("client", "addr add 10.2.0.1/24 dev c0");
        namespaces.ip("client", "route add 192.0.2.10/32 via 10.2.0.2");
    }

    @AfterEach
    void close() {
        if (pins != null) {
            pins.close();
        }
    }

    private Path pinDir() {
        return Objects.requireNonNull(pins).path("l4lb-ipvs");
    }

    private Marker open(String... interfaces) {
        return Marker.open(List.of(interfaces), pinDir(), SEED);
    }

    private static boolean does(Marker marker, ServiceProgram program) {
        ObservedService found = marker.observe().get(program.key());
        return found != null && found.does(program);
    }

    /** Each from a port of its own. */
    private void send(ServiceKey key) throws Exception {
        byte[] bytes = new byte[10];
        ThreadContext.inNamespace(namespaces.name("client"), () -> {
            for (int i = 0; i < PACKETS; i++) {
                try (DatagramSocket socket = new DatagramSocket()) {
                    socket.send(new DatagramPacket(bytes, bytes.length, key.vip(), key.port()));
                }
            }
            return bytes;
        });
    }

    private static Counter sum(Map<InetAddress, Counter> counters) {
        return counters.values().stream().reduce(new Counter(0, 0), Counter::plus);
    }

    @Test
    void whatComesInIsMarkedAndCounted() throws Exception {
        try (Marker marker = open("d0")) {
            marker.install(program(DNS, Forwarding.IPIP, ONE, TWO), Marked::mark);
            send(DNS);
            Map<InetAddress, Counter> counters = marker.counters(DNS);
            assertEquals(Set.of(ONE, TWO), counters.keySet());
            assertEquals(new Counter(PACKETS, (long) PACKETS * BYTES), sum(counters));
            assertTrue(counters.values().stream().allMatch(counter -> counter.packets() > 0), counters.toString());
            assertEquals(Map.of(), marker.noReal());
            marker.install(program(DNS, Forwarding.IPIP), Marked::mark);
            send(DNS);
            assertEquals(Map.of(DNS, new Counter(PACKETS, (long) PACKETS * BYTES)), marker.noReal());
            marker.remove(Set.of(DNS));
            assertEquals(Map.of(), marker.counters(DNS));
            marker.install(program(WEB, Forwarding.IPIP, ONE), Marked::mark);
            assertEquals(Map.of(), marker.noReal());
        }
    }

    @Test
    void everyWayToTheRealsIsAsGood() {
        try (Marker marker = open("d0")) {
            for (Forwarding forwarding : Forwarding.values()) {
                ServiceProgram wanted = program(DNS, forwarding, ONE, TWO);
                assertTrue(marker.install(wanted, Marked::mark).does(wanted));
                assertEquals(marks(), marker.marks(DNS));
            }
        }
    }

    @Test
    void aMarkOfAnotherWayIsSeen() {
        ServiceProgram wanted = program(DNS, Forwarding.GUE, ONE);
        try (Marker marker = open("d0")) {
            marker.install(wanted, real -> MARK_ONE);
            Map<Integer, ProbePath> ways =
                    Map.of(MARK_ONE, new ProbePath(ONE, Forwarding.IPIP), MARK_TWO, new ProbePath(ONE, Forwarding.GUE));
            assertFalse(Objects.requireNonNull(marker.observe(ways).get(DNS)).does(wanted));
            marker.install(wanted, real -> MARK_TWO);
            assertTrue(Objects.requireNonNull(marker.observe(ways).get(DNS)).does(wanted));
            assertThrows(IllegalArgumentException.class, () -> marker.install(wanted, real -> 0));
        }
    }

    @Test
    void theNextOneTakesOver() throws Exception {
        ServiceProgram wanted = program(DNS, Forwarding.IPIP, ONE, TWO);
        try (Marker first = open("d0")) {
            assertFalse(first.adopted());
            first.install(wanted, Marked::mark);
        }
        send(DNS);
        long bpf = Descriptors.ofBpf();
        try (Marker second = open("d0")) {
            assertTrue(second.adopted());
            assertEquals(List.of(), second.notes());
            assertTrue(does(second, wanted));
            assertEquals(marks(), second.marks(DNS));
            assertEquals(wanted.active(), second.installed(DNS).orElseThrow().active());
            send(DNS);
            assertEquals(2 * PACKETS, sum(second.counters(DNS)).packets());
        }
        assertEquals(bpf, Descriptors.ofBpf());
    }

    @Test
    void anInterfaceThatComesLaterIsTaken() throws Exception {
        try (Marker marker = open("d0", "d1")) {
            assertEquals(List.of("interface d1 is missing: nothing comes in there"), marker.notes());
            marker.install(program(DNS, Forwarding.IPIP, ONE), Marked::mark);
            namespaces.ip("director", "link del d0");
            assertThrows(DataplaneException.class, marker::keepAttached);
            connect();
            namespaces.connect("director", "d1", "client", "c1");
            marker.keepAttached();
            assertEquals(List.of(), marker.notes());
            send(DNS);
            assertEquals(PACKETS, sum(marker.counters(DNS)).packets());
        }
        try (Marker next = open("d0")) {
            assertEquals(
                    List.of("interface d1 is not named any more: packets that come in there are not marked any more"),
                    next.notes());
        }
    }

    @Test
    void withoutAnyInterfaceThereIsNothing() {
        DataplaneException refused = assertThrows(DataplaneException.class, () -> open("d7", "d8"));
        assertEquals("interfaces d7, d8 are missing", refused.getMessage());
    }

    @Test
    void whatIsLeftIsToldAndTakenAway() throws Exception {
        try (Marker marker = open("d0")) {
            marker.install(program(DNS, Forwarding.IPIP, ONE), Marked::mark);
        }
        long bpf = Descriptors.ofBpf();
        List<String> told = new ArrayList<>();
        Remains remains = new Remains(List.of(), pinDir(), told::add);
        List<String> all = List.of("the marker on d0", "11 maps of the marker, pinned in " + pinDir());
        remains.list();
        assertEquals(all, told);
        told.clear();
        remains.release();
        assertEquals(all, told);
        assertFalse(Files.exists(pinDir()));
        told.clear();
        remains.release();
        assertEquals(List.of(), told);
        assertEquals(bpf, Descriptors.ofBpf());
    }

    /** As on kernels before 6.6. */
    @Test
    void aFilterIsKnownByThePinOfItsProgram() throws Exception {
        Files.createDirectories(pinDir());
        KernelRelease old = new KernelRelease("6.1.0-13-amd64");
        int index = Interfaces.index("d0").orElseThrow();
        try (BpfObject object =
                        BpfObject.open("marker", BpfProgram.MARKER.object()).load();
                ProgramHandle program = object.program("marker");
                MarkedInterface first = new MarkedInterface(pinDir(), "d0", old)) {
            first.attach(index, program);
            first.undo();
            assertFalse(first.isAttached(index));
            assertEquals(Set.of(), PinnedInterfaces.in(pinDir()));
            first.attach(index, program);
            first.commit();
            assertEquals(Set.of("d0"), PinnedInterfaces.in(pinDir()));
            try (MarkedInterface second = new MarkedInterface(pinDir(), "d0", old)) {
                assertTrue(second.adopted());
                second.release();
            }
            assertFalse(first.isAttached(index));
            assertEquals(Set.of(), PinnedInterfaces.in(pinDir()));
        }
    }

    @Test
    void otherAddressesAreNobodys() throws Exception {
        try (Marker marker = open("d0")) {
            marker.install(program(DNS, Forwarding.IPIP, ONE), Marked::mark);
            send(new ServiceKey(ip("10.2.0.2"), DNS.protocol(), DNS.port()));
            send(new ServiceKey(DNS.vip(), DNS.protocol(), 54));
            assertEquals(0, sum(marker.counters(DNS)).packets());
        }
    }
}
