// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.net.StandardProtocolFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * The kernel's table. What the kernel chose was read from {@code ipvsadm -Lnc} on Linux 6.1 (Debian): UDP services with
 * {@code mh-port,mh-fallback} and three tunnelled destinations of weights 3, 2 and 1, added in reverse, eight clients with
 * addresses and ports that count up; then the first destination set to weight 0 and eight clients more.
 */
class KernelMaglevTest {
    private static final StandardProtocolFamily IPV4 = StandardProtocolFamily.INET;
    private static final StandardProtocolFamily IPV6 = StandardProtocolFamily.INET6;

    private static List<MhDestination> destinations(String prefix, int... weights) {
        return IntStream.range(0, weights.length)
                .mapToObj(i -> MhReals.destination(new WeightedReal(prefix + (i + 1), weights[i])))
                .toList();
    }

    private static boolean all(String identity) {
        return !identity.isEmpty();
    }

    /** The last digits of the reals of eight clients. */
    private static String choices(KernelMaglev kernel, String clients, int port, Predicate<String> available) {
        StringBuilder choices = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            MhChoice choice = kernel.select(MhReals.address(clients + (i + 1)), port + i, available, true)
                    .orElseThrow();
            choices.append(choice.identity().charAt(choice.identity().length() - 1));
        }
        return choices.toString();
    }

    @Test
    void choosesAsTheKernelDid() {
        KernelMaglev ipv4 = KernelMaglev.of(IPV4, destinations("10.0.2.", 3, 2, 1));
        assertEquals("32211213", choices(ipv4, "198.51.100.", 40000, KernelMaglevTest::all));
        KernelMaglev ipv6 = KernelMaglev.of(IPV6, destinations("2001:db8:2::", 3, 2, 1));
        assertEquals("22113113", choices(ipv6, "2001:db8:c::", 40000, KernelMaglevTest::all));
    }

    @Test
    void fallsBackAsTheKernelDid() {
        Predicate<String> notTheFirst = identity -> !identity.endsWith("1");
        KernelMaglev ipv4 = KernelMaglev.of(IPV4, destinations("10.0.2.", 3, 2, 1));
        assertEquals("22333222", choices(ipv4, "198.51.100.", 50000, notTheFirst));
        KernelMaglev ipv6 = KernelMaglev.of(IPV6, destinations("2001:db8:2::", 3, 2, 1));
        assertEquals("22322222", choices(ipv6, "2001:db8:c::", 50000, notTheFirst));
    }

    @Test
    void onlyTheUnavailableRealsClientsFallBack() {
        KernelMaglev kernel = KernelMaglev.of(IPV4, destinations("10.0.2.", 1, 1, 1));
        for (int i = 0; i < 250; i++) {
            MhChoice before = kernel.select(MhReals.address("198.51.100." + i), 0, KernelMaglevTest::all, true)
                    .orElseThrow();
            MhChoice after = kernel.select(
                            MhReals.address("198.51.100." + i), 0, identity -> !identity.equals("10.0.2.2"), true)
                    .orElseThrow();
            assertEquals(before.identity().equals("10.0.2.2"), after.fallback());
            assertTrue(after.fallback() || after.equals(before));
        }
    }

    @Test
    void withoutFallbackTheyAreRefused() {
        KernelMaglev kernel = KernelMaglev.of(IPV4, destinations("10.0.2.", 1));
        assertTrue(kernel.select(MhReals.address("198.51.100.1"), 0, KernelMaglevTest::all, false)
                .isPresent());
        assertTrue(kernel.select(MhReals.address("198.51.100.1"), 0, identity -> false, false)
                .isEmpty());
        assertTrue(kernel.select(MhReals.address("198.51.100.1"), 0, identity -> false, true)
                .isEmpty());
    }

    @Test
    void withoutWeightsNobodyHasASlot() {
        for (KernelMaglev kernel :
                List.of(KernelMaglev.of(IPV4, List.of()), KernelMaglev.of(IPV4, destinations("10.0.2.", 0, 0)))) {
            assertTrue(IntStream.of(kernel.table().slots()).allMatch(slot -> slot == LookupTable.NO_REAL));
            assertTrue(kernel.select(MhReals.address("198.51.100.1"), 0, KernelMaglevTest::all, true)
                    .isEmpty());
        }
    }

    /** The trap of large turns, for which there are levels: 70 turns of 63 are more than the table has. */
    @Test
    void theLastOfManyGetNothing() {
        int[] weights = new int[70];
        Arrays.fill(weights, 63);
        weights[0] = 62;
        int[] slots =
                KernelMaglev.of(IPV4, destinations("10.0.2.", weights)).table().slotsPerReal();
        assertEquals(5, IntStream.of(slots).filter(count -> count == 0).count());
    }

    @Property(tries = 100)
    void theTableIsFullAndFollowsTheOrderOfTheList(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 1, max = 63) Integer> weights) {
        List<MhDestination> list = destinations(
                "10.0.2.", weights.stream().mapToInt(Integer::intValue).toArray());
        LookupTable table = KernelMaglev.of(IPV4, list).table();
        assertTrue(IntStream.of(table.slots()).noneMatch(slot -> slot == LookupTable.NO_REAL));
        assertEquals(table, KernelMaglev.of(IPV4, list).table());
        List<MhDestination> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        assertEquals(
                list.size() == 1, table.equals(KernelMaglev.of(IPV4, reversed).table()));
    }

    /** Whatever their addresses are beyond the first word: see MhHash. */
    @Test
    void ipv6RealsOfAnIpv4ServiceWantTheSameSlots() {
        KernelMaglev kernel = KernelMaglev.of(IPV4, destinations("2001:db8:2::", 1, 1));
        KernelMaglev other = KernelMaglev.of(IPV4, destinations("2001:db8:3::", 1, 1));
        assertEquals(
                Arrays.toString(kernel.table().slots()),
                Arrays.toString(other.table().slots()));
    }

    @Test
    void refusesWhatTheKernelDoes() {
        List<MhDestination> tooMany = IntStream.range(0, KernelMaglev.SIZE + 1)
                .mapToObj(i -> MhReals.destination(new WeightedReal("10.0." + i / 256 + "." + i % 256, 1)))
                .toList();
        assertThrows(IllegalArgumentException.class, () -> KernelMaglev.of(IPV4, tooMany));
        assertEquals(
                KernelMaglev.SIZE,
                KernelMaglev.of(IPV4, tooMany.subList(0, KernelMaglev.SIZE))
                        .table()
                        .size());
        List<MhDestination> twice = List.of(tooMany.get(0), tooMany.get(0));
        assertThrows(IllegalArgumentException.class, () -> KernelMaglev.of(IPV4, twice));
    }
}
