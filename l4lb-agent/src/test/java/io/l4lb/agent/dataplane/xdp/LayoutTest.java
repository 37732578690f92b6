// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import io.l4lb.xdp.BtfLayout;
import io.l4lb.xdp.BtfLayout.Struct;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What Java and C write down of the same bytes is the same: the offsets by the objects' BTF, the rest by l4lb.h. */
final class LayoutTest {
    private static final byte[] MAC4 = {2, 0, 0, 0, 4, 4};
    private static final byte[] MAC6 = {2, 0, 0, 0, 6, 6};

    @AutoClose
    private final BtfLayout balancer = BtfLayout.of(BpfProgram.BALANCER.object());

    @AutoClose
    private final BtfLayout probe = BtfLayout.of(BpfProgram.PROBE.object());

    private static byte[] mapped(String address) {
        ByteBuffer buffer = ByteBuffer.allocate(MappedAddress.SIZE);
        MappedAddress.put(buffer, ip(address));
        return buffer.array();
    }

    /** The bytes of one member, after a check that it has that many. */
    private static byte[] member(Struct struct, String name, byte[] encoded) {
        int offset = struct.offset(name);
        int size = Objects.requireNonNull(struct.members().get(name)).size();
        return Arrays.copyOfRange(encoded, offset, offset + size);
    }

    private static long number(Struct struct, String name, byte[] encoded, ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.wrap(member(struct, name, encoded)).order(order);
        return switch (bytes.remaining()) {
            case 1 -> Byte.toUnsignedInt(bytes.get());
            case 2 -> Short.toUnsignedInt(bytes.getShort());
            case 4 -> Integer.toUnsignedLong(bytes.getInt());
            default -> throw new IllegalStateException(name + " has " + bytes.remaining() + " bytes");
        };
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Test
    void serviceKey() {
        Struct struct = balancer.struct("service_key");
        byte[] encoded = bytes(KeyLayout.encode(new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 0x1234)));
        assertEquals(struct.size(), encoded.length);
        assertEquals(KeyLayout.SIZE, struct.size());
        assertEquals(KeyLayout.PORT, struct.offset("port"));
        assertEquals(KeyLayout.PROTOCOL, struct.offset("protocol"));
        assertArrayEquals(mapped("192.0.2.10"), member(struct, "vip", encoded));
        assertEquals(0x1234, number(struct, "port", encoded, ByteOrder.BIG_ENDIAN));
        assertEquals(17, number(struct, "protocol", encoded, ByteOrder.BIG_ENDIAN));
    }

    @Test
    void service() {
        Struct struct = balancer.struct("service");
        ServiceValue value =
                new ServiceValue(5, 6, 65537, HashKey.QUIC_CID, Optional.of(new ConnectionIdLayout(20, 6, 15)));
        byte[] encoded = bytes(value.encode());
        assertEquals(ServiceValue.SIZE, struct.size());
        assertEquals(struct.size(), encoded.length);
        assertEquals(ServiceValue.TABLE, struct.offset("table"));
        assertEquals(ServiceValue.TABLE_SIZE, struct.offset("table_size"));
        assertEquals(5, number(struct, "id", encoded, ByteOrder.nativeOrder()));
        assertEquals(6, number(struct, "table", encoded, ByteOrder.nativeOrder()));
        assertEquals(65537, number(struct, "table_size", encoded, ByteOrder.nativeOrder()));
        assertEquals(ServiceValue.KEY, struct.offset("key"));
        assertEquals(ServiceValue.CID_LENGTH, struct.offset("cid_length"));
        assertEquals(ServiceValue.CID_ROTATION, struct.offset("cid_rotation"));
        assertEquals(ServiceValue.SERVER_ID_LENGTH, struct.offset("server_id_length"));
        assertEquals(2, number(struct, "key", encoded, ByteOrder.nativeOrder()));
        assertEquals(20, number(struct, "cid_length", encoded, ByteOrder.nativeOrder()));
        assertEquals(6, number(struct, "cid_rotation", encoded, ByteOrder.nativeOrder()));
        assertEquals(15, number(struct, "server_id_length", encoded, ByteOrder.nativeOrder()));
        assertEquals(value, ServiceValue.decode(ByteBuffer.wrap(encoded)));
    }

    @Test
    void hashKeys() {
        List<String> names = enumeration("hash_key", "HASH_KEY");
        assertEquals(List.of("5-tuple", "3-tuple", "quic-cid"), names);
        for (HashKey key : HashKey.values()) {
            assertEquals(key.key(), names.get(ServiceValue.numberOf(key)));
        }
    }

    /** Before there was a choice the last four bytes were flags, all zero. */
    @Test
    void aServiceOfAnEarlierVersionHasTheFiveTuple() {
        ServiceValue value = new ServiceValue(5, 6, 65537, HashKey.FIVE_TUPLE, Optional.empty());
        byte[] encoded = bytes(value.encode());
        assertEquals(0, ByteBuffer.wrap(encoded).getInt(ServiceValue.KEY));
        assertEquals(value, ServiceValue.decode(ByteBuffer.wrap(encoded)));
        encoded[ServiceValue.KEY] = 77;
        assertEquals(value, ServiceValue.decode(ByteBuffer.wrap(encoded)));
    }

    @Test
    void aLayoutThatCannotBeIsNone() {
        byte[] encoded = bytes(new ServiceValue(5, 6, 7, HashKey.QUIC_CID, Optional.empty()).encode());
        assertEquals(
                Optional.empty(), ServiceValue.decode(ByteBuffer.wrap(encoded)).layout());
        encoded[ServiceValue.CID_LENGTH] = (byte) 200;
        assertEquals(
                Optional.empty(), ServiceValue.decode(ByteBuffer.wrap(encoded)).layout());
    }

    @Test
    void serverId() {
        Struct struct = balancer.struct("server_id_key");
        ServerIdKey key = new ServerIdKey(0x01020304, ServerId.ofHex("a1b2c3"));
        byte[] encoded = bytes(key.encode());
        assertEquals(ServerIdKey.SIZE, struct.size());
        assertEquals(struct.size(), encoded.length);
        assertEquals(ServerIdKey.BYTES, struct.offset("bytes"));
        assertEquals(ServerIdKey.SERVICE, struct.offset("service"));
        assertEquals(3, number(struct, "length", encoded, ByteOrder.nativeOrder()));
        assertEquals("a1b2c3" + "00".repeat(12), HexFormat.of().formatHex(member(struct, "bytes", encoded)));
        assertEquals(0x01020304, number(struct, "service", encoded, ByteOrder.nativeOrder()));
        assertEquals(Optional.of(key), ServerIdKey.decode(encoded));
        encoded[ServerIdKey.BYTES + 3] = 1;
        assertEquals(Optional.empty(), ServerIdKey.decode(encoded));
        encoded[0] = 16;
        assertEquals(Optional.empty(), ServerIdKey.decode(encoded));
        assertEquals(ServerId.MAX_BYTES, constant("L4LB_MAX_SERVER_ID_LENGTH"));
        assertEquals(Integer.BYTES, balancer.struct("server_id").size());
        assertEquals(0, balancer.struct("server_id").offset("real"));
    }

    @Test
    void real() {
        Struct struct = balancer.struct("real");
        RealValue value = new RealValue(Samples.SIX, 7, true);
        byte[] encoded = bytes(value.encode());
        assertEquals(RealValue.SIZE, struct.size());
        assertEquals(struct.size(), encoded.length);
        assertEquals(RealValue.SERVICE, struct.offset("service"));
        assertEquals(RealValue.FLAGS, struct.offset("flags"));
        assertArrayEquals(mapped("fd00:3::6"), member(struct, "address", encoded));
        assertEquals(7, number(struct, "service", encoded, ByteOrder.nativeOrder()));
        assertEquals(constant("REAL_ACTIVE"), number(struct, "flags", encoded, ByteOrder.nativeOrder()));
        assertEquals(value, RealValue.decode(ByteBuffer.wrap(encoded)));
        assertEquals(0xffffffffL, constant("L4LB_NO_REAL"));
        assertEquals(-1, Slots.NO_REAL);
    }

    @Test
    void settings() {
        Struct struct = balancer.struct("settings");
        Settings value = new Settings(
                Samples.SEED,
                new NextHop(Optional.of(ip("10.2.0.2")), Optional.of(MAC4)),
                new NextHop(Optional.of(ip("fd00:2::2")), Optional.of(MAC6)),
                1500);
        byte[] encoded = bytes(value.encode());
        assertEquals(Settings.SIZE, struct.size());
        assertEquals(struct.size(), encoded.length);
        assertEquals(Settings.SOURCE4, struct.offset("source4"));
        assertEquals(Settings.SOURCE6, struct.offset("source6"));
        assertEquals(Settings.GATEWAY4, struct.offset("gateway4"));
        assertEquals(Settings.GATEWAY6, struct.offset("gateway6"));
        assertEquals(Settings.MTU, struct.offset("mtu"));
        ByteBuffer seed = ByteBuffer.wrap(member(struct, "seed", encoded)).order(ByteOrder.nativeOrder());
        assertEquals(Samples.SEED.k0(), seed.getLong());
        assertEquals(Samples.SEED.k1(), seed.getLong());
        assertArrayEquals(mapped("10.2.0.2"), member(struct, "source4", encoded));
        assertArrayEquals(mapped("fd00:2::2"), member(struct, "source6", encoded));
        assertArrayEquals(MAC4, member(struct, "gateway4", encoded));
        assertArrayEquals(MAC6, member(struct, "gateway6", encoded));
        assertEquals(1500, number(struct, "mtu", encoded, ByteOrder.nativeOrder()));
        assertArrayEquals(
                encoded, bytes(Settings.decode(ByteBuffer.wrap(encoded)).encode()));
    }

    @Test
    void unknownNextHopsAreZero() {
        NextHop unknown = new NextHop(Optional.empty(), Optional.empty());
        byte[] encoded = bytes(new Settings(Samples.SEED, unknown, unknown, 1500).encode());
        Struct struct = balancer.struct("settings");
        assertArrayEquals(new byte[16], member(struct, "source4", encoded));
        assertArrayEquals(new byte[6], member(struct, "gateway6", encoded));
        assertEquals(unknown, Settings.decode(ByteBuffer.wrap(encoded)).ipv4());
    }

    @Test
    void counterAndFlow() {
        Struct counter = balancer.struct("counter");
        assertEquals(PerCpuCounter.SIZE, counter.size());
        assertEquals(0, counter.offset("packets"));
        assertEquals(8, counter.offset("bytes"));
        Struct flow = balancer.struct("flow");
        assertEquals(Integer.BYTES, flow.size());
        assertEquals(0, flow.offset("real"));
    }

    @Test
    void flowKey() {
        Struct struct = balancer.struct("flow_key");
        byte[] encoded = new FlowKey(ip("198.51.100.7"), 0x5678, ip("192.0.2.10"), 0x1234, 6).encode();
        assertEquals(FlowKey.BYTES, struct.size());
        assertArrayEquals(mapped("198.51.100.7"), member(struct, "source", encoded));
        assertArrayEquals(mapped("192.0.2.10"), member(struct, "vip", encoded));
        assertEquals(0x5678, number(struct, "source_port", encoded, ByteOrder.BIG_ENDIAN));
        assertEquals(0x1234, number(struct, "vip_port", encoded, ByteOrder.BIG_ENDIAN));
        assertEquals(6, number(struct, "protocol", encoded, ByteOrder.BIG_ENDIAN));
    }

    @Test
    void probeTarget() {
        Struct struct = probe.struct("probe_target");
        assertEquals(3 * MappedAddress.SIZE, struct.size());
        assertEquals(0, struct.offset("real"));
        assertEquals(MappedAddress.SIZE, struct.offset("source4"));
        assertEquals(2 * MappedAddress.SIZE, struct.offset("source6"));
    }

    @Test
    void verdicts() {
        assertEquals(Verdicts.NAMES, enumeration("verdict", "VERDICT"));
        assertEquals(Verdicts.CAPACITY, constant("L4LB_MAX_VERDICTS"));
    }

    /** The names of an enum in l4lb.h, in lower case with dashes, but not the one that only counts them. */
    private static List<String> enumeration(String name, String prefix) {
        Matcher body =
                Pattern.compile("enum " + name + " \\{(.*?)\\}", Pattern.DOTALL).matcher(header());
        assertTrue(body.find());
        Matcher constant = Pattern.compile("^\\s*" + prefix + "_(\\w+),", Pattern.MULTILINE)
                .matcher(body.group(1));
        List<String> names = new ArrayList<>();
        while (constant.find()) {
            names.add(constant.group(1).toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        names.remove("count");
        return names;
    }

    private static long constant(String name) {
        Matcher definition =
                Pattern.compile("#define " + name + " (\\w+?)u?\\b").matcher(header());
        assertTrue(definition.find(), name);
        return Long.decode(definition.group(1));
    }

    private static String header() {
        try (InputStream in = BpfProgram.class.getResourceAsStream("l4lb.h")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
