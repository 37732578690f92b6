// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.packet.MacAddress;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What Java and C write down of the same bytes is the same: the offsets by the objects' BTF, the rest by l4lb.h. */
final class LayoutTest {
    private static final byte[] MAC4 = {2, 0, 0, 0, 4, 4};
    private static final byte[] MAC6 = {2, 0, 0, 0, 6, 6};
    private static final MacAddress OWN = MacAddress.ofBytes(new byte[] {2, 0, 0, 0, 7, 7});

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
            case 8 -> bytes.getLong();
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
        RealValue value = new RealValue(Samples.SIX, 7, true, Forwarding.GUE);
        byte[] encoded = bytes(value.encode());
        assertEquals(RealValue.SIZE, struct.size());
        assertEquals(struct.size(), encoded.length);
        assertEquals(RealValue.SERVICE, struct.offset("service"));
        assertEquals(RealValue.FLAGS, struct.offset("flags"));
        assertArrayEquals(mapped("fd00:3::6"), member(struct, "address", encoded));
        assertEquals(7, number(struct, "service", encoded, ByteOrder.nativeOrder()));
        assertEquals(constant("REAL_ACTIVE"), RealValue.ACTIVE);
        assertEquals(constant("REAL_GUE"), RealValue.GUE);
        assertEquals(3, number(struct, "flags", encoded, ByteOrder.nativeOrder()));
        RealValue inactive = new RealValue(Samples.ONE, 7, false, Forwarding.IPIP);
        assertEquals(0, number(struct, "flags", bytes(inactive.encode()), ByteOrder.nativeOrder()));
        assertEquals(inactive, RealValue.decode(inactive.encode()));
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
                new NextHop(Optional.of(ip("fd00:2::2")), Optional.of(MAC6), Optional.of(new Egress(0x1234567, OWN))),
                1500);
        byte[] encoded = bytes(value.encode());
        assertEquals(Settings.SIZE, struct.size());
        assertEquals(struct.size(), encoded.length);
        assertEquals(Settings.IPV4, struct.offset("ipv4"));
        assertEquals(Settings.IPV6, struct.offset("ipv6"));
        assertEquals(Settings.SEED, struct.offset("seed"));
        assertEquals(Settings.MTU, struct.offset("mtu"));
        ByteBuffer seed = ByteBuffer.wrap(member(struct, "seed", encoded)).order(ByteOrder.nativeOrder());
        assertEquals(Samples.SEED.k0(), seed.getLong());
        assertEquals(Samples.SEED.k1(), seed.getLong());
        Struct hop = balancer.struct("hop");
        assertEquals(Settings.GATEWAY, hop.offset("gateway"));
        byte[] hop4 = member(struct, "ipv4", encoded);
        byte[] hop6 = member(struct, "ipv6", encoded);
        assertArrayEquals(mapped("10.2.0.2"), member(hop, "source", hop4));
        assertArrayEquals(mapped("fd00:2::2"), member(hop, "source", hop6));
        assertArrayEquals(MAC4, member(hop, "gateway", hop4));
        assertArrayEquals(MAC6, member(hop, "gateway", hop6));
        assertEquals(Settings.OWN, hop.offset("own"));
        assertEquals(Settings.INTERFACE, hop.offset("interface"));
        assertArrayEquals(new byte[6], member(hop, "own", hop4));
        assertEquals(0, number(hop, "interface", hop4, ByteOrder.nativeOrder()));
        assertArrayEquals(OWN.toBytes(), member(hop, "own", hop6));
        assertEquals(0x1234567, number(hop, "interface", hop6, ByteOrder.nativeOrder()));
        assertEquals(
                value.ipv6().egress(),
                Settings.decode(ByteBuffer.wrap(encoded)).ipv6().egress());
        assertEquals(1500, number(struct, "mtu", encoded, ByteOrder.nativeOrder()));
        assertArrayEquals(
                encoded, bytes(Settings.decode(ByteBuffer.wrap(encoded)).encode()));
    }

    @Test
    void unknownNextHopsAreZero() {
        NextHop unknown = new NextHop(Optional.empty(), Optional.empty());
        byte[] encoded = bytes(new Settings(Samples.SEED, unknown, unknown, 1500).encode());
        Struct struct = balancer.struct("settings");
        assertArrayEquals(new byte[32], member(struct, "ipv4", encoded));
        assertArrayEquals(new byte[32], member(struct, "ipv6", encoded));
        assertEquals(unknown, Settings.decode(ByteBuffer.wrap(encoded)).ipv4());
    }

    @Test
    void counter() {
        Struct counter = balancer.struct("counter");
        assertEquals(PerCpuCounter.SIZE, counter.size());
        assertEquals(0, counter.offset("packets"));
        assertEquals(8, counter.offset("bytes"));
    }

    @Test
    void vips() {
        assertEquals(VipValue.SIZE, balancer.struct("vip").size());
        byte[] encoded = bytes(VipValue.of(List.of(Protocol.TCP, Protocol.UDP)).encode());
        assertEquals("400002" + "00".repeat(29), HexFormat.of().formatHex(encoded));
        assertEquals(VipValue.of(List.of(Protocol.TCP, Protocol.UDP)), VipValue.decode(ByteBuffer.wrap(encoded)));
        byte[] any = bytes(VipValue.of(List.of(Protocol.ANY, Protocol.UDP)).encode());
        assertEquals("ff".repeat(32), HexFormat.of().formatHex(any));
    }

    @Test
    void flow() {
        Struct name = balancer.struct("flow_name");
        FlowName dns = new FlowName(ip("198.51.100.7"), 0x123, 17, 0x5678, 53);
        byte[] encodedName = bytes(dns.encode());
        assertEquals(FlowName.SIZE, name.size());
        assertEquals(FlowName.SIZE, encodedName.length);
        assertEquals(FlowName.SERVICE, name.offset("service"));
        assertEquals(FlowName.SOURCE_PORT, name.offset("source_port"));
        assertEquals(FlowName.VIP_PORT, name.offset("vip_port"));
        assertArrayEquals(mapped("198.51.100.7"), member(name, "source", encodedName));
        assertEquals(0x12311, number(name, "service", encodedName, ByteOrder.nativeOrder()));
        assertEquals(0x5678, number(name, "source_port", encodedName, ByteOrder.BIG_ENDIAN));
        assertEquals(53, number(name, "vip_port", encodedName, ByteOrder.BIG_ENDIAN));
        assertEquals(dns, FlowName.decode(encodedName));

        Struct struct = balancer.struct("flow");
        FlowValue value = new FlowValue(70000, 0x80000001, 0xfffe, FlowValue.State.CLOSING);
        byte[] encoded = bytes(value.encode());
        assertEquals(FlowValue.SIZE, struct.size());
        assertEquals(FlowValue.SIZE, encoded.length);
        assertEquals(0, struct.offset("real"));
        assertEquals(FlowValue.SEEN, struct.offset("seen"));
        assertEquals(FlowValue.ENTROPY, struct.offset("entropy"));
        assertEquals(FlowValue.STATE, struct.offset("state"));
        assertEquals(0x80000001L, number(struct, "seen", encoded, ByteOrder.nativeOrder()));
        assertEquals(0xfffe, number(struct, "entropy", encoded, ByteOrder.nativeOrder()));
        assertEquals(3, number(struct, "state", encoded, ByteOrder.nativeOrder()));
        assertEquals(value, FlowValue.decode(ByteBuffer.wrap(encoded)));
        encoded[FlowValue.STATE] = 99;
        assertEquals(
                FlowValue.State.OTHER,
                FlowValue.decode(ByteBuffer.wrap(encoded)).state());
        assertEquals(
                Stream.of(FlowValue.State.values())
                        .map(state -> state.name().toLowerCase(Locale.ROOT))
                        .toList(),
                enumeration("flow_state", "FLOW"));
        assertEquals(Ticks.SHIFT, constant("L4LB_TICK_SHIFT"));
        assertEquals(0, balancer.struct("fragment").offset("real"));
    }

    @Test
    void constants() {
        Struct struct = balancer.struct("constants");
        Constants value = new Constants(
                new Constants.Features(true, false, true, true, 1400),
                12,
                16,
                26843,
                new Constants.Timeouts(1, 2, 3, 4, 5),
                new Jiffies(4_000_000, 4294892296L));
        byte[] encoded = bytes(value.encode());
        assertEquals(Constants.SIZE, struct.size());
        assertEquals(Constants.SIZE, encoded.length);
        Map<String, Long> numbers = new LinkedHashMap<>();
        struct.members()
                .keySet()
                .forEach(name -> numbers.put(name, number(struct, name, encoded, ByteOrder.nativeOrder())));
        Map<String, Long> expected = new LinkedHashMap<>();
        expected.put("echo_replies", 1L);
        expected.put("too_big_answers", 0L);
        expected.put("fib", 1L);
        expected.put("chain", 1L);
        expected.put("mss_clamp", 1400L);
        expected.put("source4_bits", 12L);
        expected.put("source6_bits", 16L);
        expected.put("new_flows", 26843L);
        expected.put("opening_timeout", 1L);
        expected.put("established_timeout", 2L);
        expected.put("closing_timeout", 3L);
        expected.put("other_timeout", 4L);
        expected.put("fragment_timeout", 5L);
        expected.put("jiffy", 4_000_000L);
        expected.put("pad", 0L);
        expected.put("jiffies_at_zero", 4294892296L);
        assertEquals(expected, numbers);
        assertEquals(value, Constants.decode(ByteBuffer.wrap(encoded)));
    }

    /** No map has it, so that it need not be in the BTF: by the header's declaration. */
    @Test
    void flowKey() {
        byte[] encoded = new FlowKey(ip("198.51.100.7"), 0x5678, ip("192.0.2.10"), 0x1234, 6).encode();
        assertEquals(
                HexFormat.of().formatHex(mapped("198.51.100.7"))
                        + HexFormat.of().formatHex(mapped("192.0.2.10"))
                        + "5678" + "1234" + "06" + "000000",
                HexFormat.of().formatHex(encoded));
        assertTrue(Pattern.compile("struct flow_key \\{\\s*struct address source;\\s*struct address vip;\\s*"
                        + "__be16 source_port;\\s*__be16 vip_port;\\s*__u8 protocol;\\s*__u8 pad\\[3];\\s*}")
                .matcher(header())
                .find());
    }

    @Test
    void probeTarget() {
        Struct struct = probe.struct("probe_target");
        ProbeTargetValue value = new ProbeTargetValue(
                new ProbePath(Samples.SIX, Forwarding.GUE), Optional.empty(), Optional.of(ip("fd00:2::2")), 0x1234567);
        byte[] encoded = bytes(value.encode());
        assertEquals(ProbeTargetValue.SIZE, struct.size());
        assertEquals(ProbeTargetValue.SIZE, encoded.length);
        assertEquals(0, struct.offset("real"));
        assertEquals(ProbeTargetValue.SOURCE4, struct.offset("source4"));
        assertEquals(ProbeTargetValue.SOURCE6, struct.offset("source6"));
        assertEquals(ProbeTargetValue.FLAGS, struct.offset("flags"));
        assertArrayEquals(mapped("fd00:3::6"), member(struct, "real", encoded));
        assertArrayEquals(new byte[16], member(struct, "source4", encoded));
        assertArrayEquals(mapped("fd00:2::2"), member(struct, "source6", encoded));
        assertEquals(2, number(struct, "flags", encoded, ByteOrder.nativeOrder()));
        assertEquals(ProbeTargetValue.INTERFACE, struct.offset("interface"));
        assertEquals(0x1234567, number(struct, "interface", encoded, ByteOrder.nativeOrder()));
        assertEquals(value, ProbeTargetValue.decode(ByteBuffer.wrap(encoded)));
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
