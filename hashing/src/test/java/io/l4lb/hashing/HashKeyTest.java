// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * The golden bytes are written by hand from {@code struct flow_key} in {@code l4lb.h}; their hashes and slots of a table
 * of 65537 were computed by a second implementation, in Python.
 */
class HashKeyTest {
    private static final HashSeed SEED = HashSeed.ofHex("000102030405060708090a0b0c0d0e0f");

    private static final String CLIENT4 = "00000000000000000000ffffc0000201"; // 192.0.2.1
    private static final String VIP4 = "00000000000000000000ffffc6336407"; // 198.51.100.7
    private static final String CLIENT6 = "20010db8000000000000000000000001"; // 2001:db8::1
    private static final String VIP6 = "20010db8ffff00000000000000000007"; // 2001:db8:ffff::7

    private static final FlowKey TCP4 = key(CLIENT4 + VIP4 + "c350" + "01bb" + "06" + "000000");
    private static final FlowKey UDP6 = key(CLIENT6 + VIP6 + "c350" + "0035" + "11" + "000000");

    @Test
    void hasTheNamesOfTheConfiguration() {
        assertEquals(
                List.of("5-tuple", "3-tuple", "quic-cid"),
                Arrays.stream(HashKey.values()).map(HashKey::key).toList());
    }

    @Test
    void theFiveTupleIsHashedAsItIs() {
        assertHashed(
                CLIENT4 + VIP4 + "c350" + "01bb" + "06" + "000000",
                0x1ac9853c29601b16L,
                6857,
                HashKey.FIVE_TUPLE,
                TCP4);
        assertHashed(
                CLIENT6 + VIP6 + "c350" + "0035" + "11" + "000000",
                0x18359ec1c749e585L,
                6197,
                HashKey.FIVE_TUPLE,
                UDP6);
    }

    @Test
    void theThreeTupleHasPortsZero() {
        assertHashed(
                CLIENT4 + VIP4 + "0000" + "0000" + "06" + "000000",
                0xb3b99893f0eee7ecL,
                46010,
                HashKey.THREE_TUPLE,
                TCP4);
        assertHashed(
                CLIENT6 + VIP6 + "0000" + "0000" + "11" + "000000",
                0xdfeb3ea34682ae74L,
                57324,
                HashKey.THREE_TUPLE,
                UDP6);
    }

    @Test
    void quicWithoutServerIdIsHashedByTheFiveTuple() {
        assertHashed(
                CLIENT6 + VIP6 + "c350" + "0035" + "11" + "000000", 0x18359ec1c749e585L, 6197, HashKey.QUIC_CID, UDP6);
    }

    @Test
    void aProtocolWithoutPortsHasOneKey() {
        FlowKey gre = key(CLIENT6 + VIP6 + "0000" + "0000" + "2f" + "000000");
        for (HashKey hashKey : HashKey.values()) {
            assertHashed(CLIENT6 + VIP6 + "0000" + "0000" + "2f" + "000000", 0xe49c976757e95d7aL, 58525, hashKey, gre);
        }
    }

    /** What a router's ICMP error quotes came from the VIP, port 443, to the client, port 50000. */
    @Test
    void theReverseOfAQuotedPacketIsTheClientsFlow() {
        FlowKey quoted = key(VIP4 + CLIENT4 + "01bb" + "c350" + "06" + "000000");
        assertEquals(TCP4, quoted.reversed());
        assertHashed(
                CLIENT4 + VIP4 + "c350" + "01bb" + "06" + "000000",
                0x1ac9853c29601b16L,
                6857,
                HashKey.FIVE_TUPLE,
                quoted.reversed());
        assertHashed(
                CLIENT4 + VIP4 + "0000" + "0000" + "06" + "000000",
                0xb3b99893f0eee7ecL,
                46010,
                HashKey.THREE_TUPLE,
                quoted.reversed());
        assertEquals(0x4cb918354073ef67L, quoted.hash(SEED), "as it is, the quoted packet would go elsewhere");
    }

    @Property
    void reversedTwiceIsTheFlowItself(@ForAll("flows") FlowKey flow) {
        assertEquals(flow, flow.reversed().reversed());
        assertEquals(flow.threeTuple().reversed(), flow.reversed().threeTuple());
    }

    @Property
    void portsNeverMatterToTheThreeTuple(
            @ForAll("flows") FlowKey flow,
            @ForAll @IntRange(max = 65535) int sourcePort,
            @ForAll @IntRange(max = 65535) int vipPort) {
        FlowKey other = new FlowKey(flow.source(), sourcePort, flow.vip(), vipPort, flow.protocol());
        FlowKey hashed = HashKey.THREE_TUPLE.hashed(flow);
        assertEquals(hashed, HashKey.THREE_TUPLE.hashed(other));
        assertEquals(hashed, hashed.threeTuple());
        assertEquals(List.of(flow.source(), flow.vip()), List.of(hashed.source(), hashed.vip()));
        assertEquals(flow.protocol(), hashed.protocol());
    }

    @Property
    void everythingElseMattersToTheThreeTuple(@ForAll("flows") FlowKey flow, @ForAll("flows") FlowKey other) {
        boolean same = flow.source().equals(other.source())
                && flow.vip().equals(other.vip())
                && flow.protocol() == other.protocol();
        if (!same) {
            assertNotEquals(flow.threeTuple(), other.threeTuple());
        }
    }

    @Provide
    Arbitrary<FlowKey> flows() {
        return Arbitraries.of(4, 16).flatMap(HashKeyTest::flows);
    }

    private static Arbitrary<FlowKey> flows(int addressBytes) {
        Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofSize(addressBytes);
        Arbitrary<Integer> port = Arbitraries.integers().between(0, 65535);
        return Combinators.combine(
                        bytes, port, bytes, port, Arbitraries.integers().between(0, 255))
                .as((source, sourcePort, vip, vipPort, protocol) ->
                        new FlowKey(address(source), sourcePort, address(vip), vipPort, protocol));
    }

    private static void assertHashed(String bytes, long hash, int slot, HashKey hashKey, FlowKey fiveTuple) {
        FlowKey hashed = hashKey.hashed(fiveTuple);
        assertEquals(bytes, HexFormat.of().formatHex(hashed.encode()));
        assertEquals(hash, hashed.hash(SEED));
        assertEquals(slot, LookupTable.slotOf(hashed.hash(SEED), LookupTable.DEFAULT_SIZE));
    }

    private static FlowKey key(String hex) {
        return FlowKey.decode(HexFormat.of().parseHex(hex));
    }

    private static InetAddress address(byte[] bytes) {
        try {
            if (bytes.length == 16) {
                bytes[0] = 0x20; // not a mapped address
            }
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
