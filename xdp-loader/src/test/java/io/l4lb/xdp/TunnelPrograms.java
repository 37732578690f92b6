// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The tc programs, loaded, and frames for them. */
final class TunnelPrograms implements AutoCloseable {
    static final int UNTOUCHED = -1; // TC_ACT_UNSPEC
    static final int DROP = 2; // TC_ACT_SHOT
    static final int MARK = 0x4c340001;
    static final int IP_IN_IP = 0;
    static final int GUE = 2; // REAL_GUE

    static final String CLIENT4 = "198.51.100.7";
    static final String VIP4 = "192.0.2.1";
    static final String CLIENT6 = "2001:db8:1::7";
    static final String VIP6 = "2001:db8::1";
    static final String REAL4 = "10.3.1.2";
    static final String REAL6 = "fd00:3::2";
    static final String DIRECTOR4 = "10.2.0.2";
    static final String DIRECTOR6 = "fd00:2::2";

    /* struct __sk_buff { __u32 len, pkt_type, mark, ... } */
    private static final int CONTEXT_SIZE = 192;
    private static final int CONTEXT_MARK = 8;

    final ProgramHandle decapsulate;
    private final BpfObject probeObject;
    private final BpfObject decapsulateObject;
    private final ProgramHandle probe;

    TunnelPrograms() {
        probeObject = BpfObject.open("probe", BpfProgram.PROBE.object()).load();
        decapsulateObject =
                BpfObject.open("decapsulate", BpfProgram.DECAPSULATE.object()).load();
        probe = probeObject.program("probe");
        decapsulate = decapsulateObject.program("decapsulate");
    }

    @Override
    public void close() {
        probe.close();
        decapsulate.close();
        probeObject.close();
        decapsulateObject.close();
    }

    BpfMap decapsulationMap(String name) {
        return decapsulateObject.map(name);
    }

    /** Where probes with {@link #MARK} go. */
    void target(String real, String source4, String source6, int flags) {
        target(probeObject, MARK, real, source4, source6, flags);
    }

    static void target(BpfObject object, int mark, String real, String source4, String source6, int flags) {
        ByteBuffer value = Balancer.buffer(56).put(Balancer.mapped(real));
        value.put(Balancer.mapped(source4)).put(Balancer.mapped(source6));
        target(object, mark, value.putInt(flags).putInt(0).flip());
    }

    static void target(BpfObject object, int mark, ByteBuffer value) {
        try (BpfMap probes = object.map("probes")) {
            probes.update(Balancer.word(mark), value, UpdateMode.ANY);
        }
    }

    TestRun probe(byte[] frame, int mark) {
        byte[] context = new byte[CONTEXT_SIZE];
        ByteBuffer.wrap(context).order(ByteOrder.nativeOrder()).putInt(CONTEXT_MARK, mark);
        return probe.testRun(frame, context);
    }

    static int mark(TestRun run) {
        return ByteBuffer.wrap(run.context()).order(ByteOrder.nativeOrder()).getInt(CONTEXT_MARK);
    }

    /** The frame as it arrives in a tunnel at that real. */
    byte[] tunnel(byte[] frame, String real, int flags) {
        target(real, DIRECTOR4, DIRECTOR6, flags);
        return probe(frame, MARK).packet();
    }

    /** A test run's skb counts as sent to this host if its destination is the loopback's MAC: all zero. */
    static byte[] toThisHost(byte[] frame) {
        byte[] copy = frame.clone();
        Arrays.fill(copy, 0, 6, (byte) 0);
        return copy;
    }

    static byte[] frame(String client, String vip) {
        return frame(client, vip, 0xb9);
    }

    static byte[] frame(String client, String vip, int trafficClass) {
        return toThisHost(Frame.tcp(client, 40000, vip, 80)
                .trafficClass(trafficClass)
                .payload(33)
                .bytes());
    }
}
