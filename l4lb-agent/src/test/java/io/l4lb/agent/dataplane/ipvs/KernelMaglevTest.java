// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.mh.KernelMaglev;
import io.l4lb.hashing.mh.MhChoice;
import io.l4lb.hashing.mh.MhDestination;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The model of {@code mh} against the kernel's own: the same real for each client. */
@Tag("kernel")
final class KernelMaglevTest {
    private static final int CLIENTS = 120;

    private final Random random = new Random(5);
    private @Nullable MhLab lab;
    private int port = 1000;

    @BeforeEach
    void setUp() {
        MhLab.need();
        lab = new MhLab();
    }

    @AfterEach
    void tearDown() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void levels() throws Exception {
        for (boolean ipv6 : new boolean[] {false, true}) {
            compare(ipv6, ipv6, "mh-port,mh-fallback", weights(1));
            compare(ipv6, ipv6, "mh-port,mh-fallback", weights(2, 3));
            compare(ipv6, ipv6, "mh-fallback", random.ints(20, 1, 64).toArray());
            compare(ipv6, ipv6, "mh-port", random.ints(60, 1, 8).toArray());
        }
    }

    @Test
    void weightsThatTheKernelDividesAndShifts() throws Exception {
        compare(false, false, "mh-port", weights(300, 600, 900));
        compare(false, false, "mh-port", weights(1, 65535, 40000, 512));
        compare(true, true, "mh-port", weights(64, 63, 1));
    }

    @Test
    void realsThatNeverHadAWeight() throws Exception {
        compare(false, false, "mh-port,mh-fallback", weights(3, 0, 4, 0));
        compare(false, false, "mh-port,mh-fallback", weights(0, 0));
    }

    /** Which real's slots are whose depends on the service's family, not on the real's. */
    @Test
    void realsOfTheOtherFamily() throws Exception {
        compare(false, true, "mh-port", weights(5, 6, 7));
        compare(true, false, "mh-port", weights(5, 6, 7));
    }

    private static int[] weights(int... weights) {
        return weights;
    }

    /** Compares with all reals available, then with a few of them at weight 0. */
    private void compare(boolean ipv6, boolean ipv6Reals, String flags, int[] weights) throws Exception {
        InetSocketAddress service = new InetSocketAddress(ipv6 ? "2001:db8:ff::10" : "203.0.113.10", port++);
        List<MhDestination> reals = reals(ipv6Reals, service.getPort(), weights);
        MhLab kernelsLab = Objects.requireNonNull(lab);
        kernelsLab.add(service, flags, reals);
        Set<String> available = reals.stream()
                .filter(real -> real.lastWeight() > 0)
                .map(MhDestination::identity)
                .collect(Collectors.toCollection(HashSet::new));
        KernelMaglev model = KernelMaglev.of(ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET, reals);
        Set<InetSocketAddress> seen = new HashSet<>();
        compare(model, service, flags, available, seen);
        List<MhDestination> drained = reals.subList(0, (reals.size() + 2) / 3);
        drained.forEach(real -> available.remove(real.identity()));
        kernelsLab.drain(service, drained);
        compare(model, service, flags, available, seen);
    }

    private void compare(
            KernelMaglev model,
            InetSocketAddress service,
            String flags,
            Set<String> available,
            Set<InetSocketAddress> seen)
            throws Exception {
        List<InetSocketAddress> clients = clients(service.getAddress().getAddress().length, seen);
        Map<InetSocketAddress, InetAddress> chosen = Objects.requireNonNull(lab).choices(service, clients);
        Map<InetSocketAddress, String> kernel = new HashMap<>();
        Map<InetSocketAddress, String> expected = new HashMap<>();
        for (InetSocketAddress client : clients) {
            if (chosen.containsKey(client)) {
                kernel.put(client, chosen.get(client).getHostAddress());
            }
            model.select(
                            client.getAddress(),
                            flags.contains("mh-port") ? client.getPort() : 0,
                            available::contains,
                            flags.contains("mh-fallback"))
                    .map(MhChoice::identity)
                    .ifPresent(real -> expected.put(client, real));
        }
        assertEquals(expected, kernel, service + " " + flags);
        assertTrue(available.isEmpty() || !kernel.isEmpty());
    }

    private List<InetSocketAddress> clients(int length, Set<InetSocketAddress> seen) throws UnknownHostException {
        List<InetSocketAddress> clients = new ArrayList<>();
        while (clients.size() < CLIENTS) {
            InetAddress address = address(length == 4 ? "10.0.0.0" : "2001:db8:c::", length == 4 ? 1 : 6);
            InetSocketAddress client = new InetSocketAddress(address, 1024 + random.nextInt(64512));
            if (seen.add(client)) {
                clients.add(client);
            }
        }
        return clients;
    }

    private List<MhDestination> reals(boolean ipv6, int port, int[] weights) throws UnknownHostException {
        List<MhDestination> reals = new ArrayList<>();
        Set<InetAddress> taken = new HashSet<>();
        while (reals.size() < weights.length) {
            InetAddress address = ipv6 ? address("2001:db8:e::", 4) : address("172.16.0.0", 2);
            if (taken.add(address)) {
                reals.add(new MhDestination(address.getHostAddress(), address, port, weights[reals.size()]));
            }
        }
        return reals;
    }

    /** The first bytes of that address, and others at random. */
    private InetAddress address(String prefix, int bytes) throws UnknownHostException {
        byte[] base = InetAddress.getByName(prefix).getAddress();
        byte[] any = new byte[base.length];
        random.nextBytes(any);
        System.arraycopy(base, 0, any, 0, bytes);
        return InetAddress.getByAddress(any);
    }
}
