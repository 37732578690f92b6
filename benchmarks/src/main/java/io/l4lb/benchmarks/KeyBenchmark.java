// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.SipHash;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What hashing one flow key costs in Java. The baseline is CRC-32 of the same 40 bytes, which the JVM computes with
 * instructions made for it: no seed, no protection, but about as fast as reading the bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyBenchmark {
    /** Many enough that no branch predictor learns them, few enough to stay in the first cache levels. */
    private static final int KEYS = 1024;

    private static final int TCP = 6;
    private static final int HTTPS = 443;
    private static final ConnectionIdLayout LAYOUT = new ConnectionIdLayout(8, 0, 3);
    private static final int PAYLOAD = 1200;
    private static final byte SHORT_HEADER = 0x40;

    private final FlowKey[] ipv4 = keys(4);
    private final FlowKey[] ipv6 = keys(16);
    private final byte[][] encoded = Arrays.stream(ipv6).map(FlowKey::encode).toArray(byte[][]::new);
    private final byte[][] quicPayloads = quicPayloads();
    private int turn;

    /** From the 5-tuple's fields to the hash, IPv4. */
    @Benchmark
    public long flowKeyIpv4() {
        return ipv4[next()].hash(TableBenchmark.SEED);
    }

    /** From the 5-tuple's fields to the hash, IPv6. */
    @Benchmark
    public long flowKeyIpv6() {
        return ipv6[next()].hash(TableBenchmark.SEED);
    }

    /** The same with the 3-tuple of it. */
    @Benchmark
    public long threeTupleIpv4() {
        return HashKey.THREE_TUPLE.hashed(ipv4[next()]).hash(TableBenchmark.SEED);
    }

    /** The server ID out of a QUIC packet with a short header, in place of a hash. */
    @Benchmark
    public Optional<ServerId> quicServerId() {
        return LAYOUT.serverId(quicPayloads[next()]);
    }

    /** The hash alone, of 40 bytes. */
    @Benchmark
    public long sipHash13() {
        return SipHash.hash13(TableBenchmark.SEED, encoded[next()]);
    }

    /** The baseline. */
    @Benchmark
    public long crc32() {
        CRC32 crc = new CRC32();
        crc.update(encoded[next()]);
        return crc.getValue();
    }

    /** What a Java program would have at hand. */
    @Benchmark
    public long arraysHashCode() {
        return Arrays.hashCode(encoded[next()]);
    }

    private int next() {
        turn = (turn + 1) & (KEYS - 1);
        return turn;
    }

    private static FlowKey[] keys(int addressBytes) {
        Random random = new Random(addressBytes);
        FlowKey[] keys = new FlowKey[KEYS];
        Arrays.setAll(
                keys,
                key -> new FlowKey(
                        address(random, addressBytes),
                        1 + random.nextInt(0xffff),
                        address(random, addressBytes),
                        HTTPS,
                        TCP));
        return keys;
    }

    private static byte[][] quicPayloads() {
        Random random = new Random(KEYS);
        byte[][] payloads = new byte[KEYS][];
        Arrays.setAll(payloads, payload -> {
            byte[] serverId = new byte[LAYOUT.serverIdLength()];
            byte[] nonce = new byte[LAYOUT.nonceLength()];
            random.nextBytes(serverId);
            random.nextBytes(nonce);
            byte[] connectionId = LAYOUT.connectionId(ServerId.ofBytes(serverId), nonce);
            byte[] bytes = new byte[PAYLOAD];
            bytes[0] = SHORT_HEADER;
            System.arraycopy(connectionId, 0, bytes, 1, connectionId.length);
            return bytes;
        });
        return payloads;
    }

    private static InetAddress address(Random random, int bytes) {
        byte[] address = new byte[bytes];
        random.nextBytes(address);
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes + " bytes", e);
        }
    }
}
