// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The balancer's program and maps with what a test puts into them (layouts: l4lb.h). */
final class Balancer implements AutoCloseable {
    static final long K0 = 0x0706050403020100L;
    static final long K1 = 0x0f0e0d0c0b0a0908L;
    static final String SOURCE4 = "10.2.0.2";
    static final String SOURCE6 = "fd00:2::2";
    static final byte[] GATEWAY4 = {0x02, 0, 0, 0, 4, 4};
    static final byte[] GATEWAY6 = {0x02, 0, 0, 0, 6, 6};
    static final int NO_REAL = -1;

    /** Flags of a real. */
    static final int ACTIVE = 1;

    static final int GUE = 2;

    static final int XDP_DROP = 1;
    static final int XDP_PASS = 2;
    static final int XDP_TX = 3;

    /** enum verdict of l4lb.h. */
    enum Verdict {
        PASS_NOT_IP(0),
        PASS_NO_SERVICE(1),
        PASS_FRAGMENT(2),
        FORWARD_FLOW(3),
        FORWARD_TABLE(4),
        DROP_MALFORMED(5),
        DROP_NO_REAL(6),
        DROP_TTL(7),
        DROP_TOO_BIG(8),
        DROP_NO_NEXT_HOP(9),
        DROP_NO_HEADROOM(10),
        FORWARD_SERVER_ID(11),
        FORWARD_FRAGMENT(12),
        DROP_FRAGMENT(13),
        ANSWER_ECHO(14),
        ANSWER_TOO_BIG(15),
        ANSWER_PATH_MTU(16);

        final int index;

        Verdict(int index) {
            this.index = index;
        }
    }

    final BpfObject object;
    final ProgramHandle program;
    final BpfMap services;
    final BpfMap tables;
    final BpfMap reals;
    final BpfMap flows;
    private final BpfMap settings;
    private final BpfMap realCounters;
    private final BpfMap verdicts;

    Balancer() {
        object = BpfObject.open("balancer", BpfProgram.BALANCER.object())
                .maxEntries("flows", 4096)
                .load();
        program = object.program("balancer");
        services = object.map("services");
        tables = object.map("tables");
        reals = object.map("reals");
        flows = object.map("flows");
        settings = object.map("settings");
        realCounters = object.map("real_counters");
        verdicts = object.map("verdicts");
        settings(1500, GATEWAY4, GATEWAY6);
    }

    void settings(int mtu, byte[] gateway4, byte[] gateway6) {
        settings(mtu, mapped(SOURCE4), gateway4, mapped(SOURCE6), gateway6);
    }

    void settings(int mtu, byte[] source4, byte[] gateway4, byte[] source6, byte[] gateway6) {
        ByteBuffer value = buffer(96);
        value.put(source4).put(gateway4).position(32);
        value.putLong(K0).putLong(K1).putInt(mtu).position(64);
        value.put(source6).put(gateway6).clear();
        settings.update(word(0), value, UpdateMode.ANY);
    }

    void service(String vip, int protocol, int port, int id, int table, int size) {
        ByteBuffer key = buffer(20).put(mapped(vip));
        key.put((byte) (port >> 8))
                .put((byte) port)
                .put((byte) protocol)
                .put((byte) 0)
                .flip();
        ByteBuffer value =
                buffer(16).putInt(id).putInt(table).putInt(size).putInt(0).flip();
        announce(mapped(vip), protocol);
        services.update(key, value, UpdateMode.ANY);
    }

    /** Into the filter of VIPs, then into the VIPs. */
    private void announce(byte[] vip, int protocol) {
        try (BpfMap filter = object.map("vip_filter");
                BpfMap vips = object.map("vips")) {
            ByteBuffer bits = filter.lookup(word(0)).orElseThrow();
            ByteBuffer words = ByteBuffer.wrap(vip).order(ByteOrder.nativeOrder());
            int folded = words.getInt(0) ^ words.getInt(4) ^ words.getInt(8) ^ words.getInt(12);
            int bit = (folded * 0x9e3779b1) >>> 16;
            set(bits, bit);
            filter.update(word(0), bits, UpdateMode.ANY);
            ByteBuffer protocols = vips.lookup(ByteBuffer.wrap(vip)).orElseGet(() -> buffer(32));
            set(protocols, protocol);
            vips.update(ByteBuffer.wrap(vip), protocols, UpdateMode.ANY);
        }
    }

    private static void set(ByteBuffer bits, int bit) {
        bits.put(bit / 8, (byte) (bits.get(bit / 8) | 1 << bit % 8));
    }

    void real(int number, String address, int service, boolean active) {
        real(number, address, service, active ? ACTIVE : 0);
    }

    void real(int number, String address, int service, int flags) {
        ByteBuffer value =
                buffer(24).put(mapped(address)).putInt(service).putInt(flags).flip();
        reals.update(word(number), value, UpdateMode.ANY);
    }

    /** Puts a fresh set of slots into the outer map. */
    void table(int index, int... slots) {
        try (BpfMap inner = BpfMap.createArray("slots", 4, slots.length, BpfMap.INNER_MAP)) {
            inner.writeAll(slots);
            tables.updateFd(index, inner);
        }
    }

    /** A TCP service on port 80 with one real, number 1, in a table of seven slots. */
    void simple(String vip, String real) {
        service(vip, Frame.TCP, 80, 1, 0, 7);
        real(1, real, 1, true);
        int[] slots = new int[7];
        Arrays.fill(slots, 1);
        table(0, slots);
    }

    TestRun run(Frame frame) {
        return program.testRun(frame.bytes());
    }

    /** Packets so far, over all CPUs. */
    long count(Verdict verdict) {
        return sum(verdicts, verdict.index, 0);
    }

    /** Bytes so far, over all CPUs. */
    long bytes(Verdict verdict) {
        return sum(verdicts, verdict.index, 8);
    }

    long realPackets(int number) {
        return sum(realCounters, number, 0);
    }

    long realBytes(int number) {
        return sum(realCounters, number, 8);
    }

    private static long sum(BpfMap counters, int index, int offset) {
        return counters.lookupPerCpu(word(index)).stream()
                .mapToLong(value -> value.getLong(offset))
                .sum();
    }

    static ByteBuffer word(int value) {
        return buffer(4).putInt(0, value);
    }

    static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    }

    /** Sixteen bytes, IPv4 as ::ffff:a.b.c.d. */
    static byte[] mapped(String literal) {
        byte[] address = Frame.address(literal);
        if (address.length == 16) {
            return address;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }

    @Override
    public void close() {
        for (AutoCloseable handle :
                new AutoCloseable[] {program, services, tables, reals, flows, settings, realCounters, verdicts}) {
            try {
                handle.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        object.close();
    }
}
