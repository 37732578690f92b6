// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.Prefix;
import io.l4lb.agent.model.XdpSection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code struct constants} of {@code l4lb.h}, in the host's byte order: what is fixed while a program is loaded.
 *
 * @param source4Bits how many low bits of the outer source towards IPv4 reals vary with the flow, at most 16
 * @param source6Bits the same towards IPv6 reals
 * @param newFlows that a CPU remembers in a tick; 0: no limit
 * @param jiffies by which the balancer tells the time
 */
record Constants(
        Features features, int source4Bits, int source6Bits, int newFlows, Timeouts timeouts, Jiffies jiffies) {
    static final int SIZE = 48;
    static final int MSS_CLAMP = 4;
    static final int SOURCE4_BITS = 6;
    static final int SOURCE6_BITS = 7;
    static final int NEW_FLOWS = 8;
    static final int TIMEOUTS = 12;
    static final int JIFFY = 32;
    static final int JIFFIES_AT_ZERO = 40;

    /**
     * What the balancer does besides forwarding.
     *
     * @param echoReplies whether echo requests to a VIP are answered
     * @param tooBigAnswers whether the sender of a packet that is too big is told
     * @param fib whether the kernel is asked for the next hop of each packet
     * @param chain whether passed packets go to the program that was there before
     * @param mssClamp to what the MSS option of a SYN is lowered; 0: not at all
     */
    record Features(boolean echoReplies, boolean tooBigAnswers, boolean fib, boolean chain, int mssClamp) {}

    /** How long a remembered flow counts by its state, and a fragment, in {@link Ticks}; 0: for good. */
    record Timeouts(int opening, int established, int closing, int other, int fragment) {
        int of(FlowValue.State state) {
            return switch (state) {
                case OTHER -> other;
                case OPENING -> opening;
                case ESTABLISHED -> established;
                case CLOSING -> closing;
            };
        }
    }

    /**
     * What the configuration asks for.
     *
     * @param cpus how many there may be
     */
    static Constants of(XdpSection xdp, int cpus, Jiffies jiffies) {
        XdpSection.Answers answers = xdp.answers();
        XdpSection.Timeouts timeouts = xdp.flowTable().timeouts();
        return new Constants(
                new Features(
                        answers.echoReplies(),
                        answers.tooBigAnswers(),
                        xdp.tunnels().nextHop() == XdpSection.NextHop.FIB,
                        xdp.placement().chain(),
                        answers.mssClamp()),
                xdp.tunnels().source4().map(Prefix::hostBits).orElse(0),
                xdp.tunnels().source6().map(Prefix::hostBits).orElse(0),
                Ticks.share(xdp.flowTable().newFlowLimit(), cpus),
                new Timeouts(
                        Ticks.lasting(timeouts.tcpOpening()),
                        Ticks.lasting(timeouts.tcp()),
                        Ticks.lasting(timeouts.tcpClosing()),
                        Ticks.lasting(timeouts.udp()),
                        Ticks.lasting(timeouts.fragment())),
                jiffies);
    }

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        put(buffer, features.echoReplies);
        put(buffer, features.tooBigAnswers);
        put(buffer, features.fib);
        put(buffer, features.chain);
        return buffer.putShort((short) features.mssClamp)
                .put((byte) source4Bits)
                .put((byte) source6Bits)
                .putInt(newFlows)
                .putInt(timeouts.opening)
                .putInt(timeouts.established)
                .putInt(timeouts.closing)
                .putInt(timeouts.other)
                .putInt(timeouts.fragment)
                .putInt(JIFFY, jiffies.length())
                .putLong(JIFFIES_AT_ZERO, jiffies.atZero())
                .clear();
    }

    static Constants decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        Features features = new Features(
                buffer.get() != 0,
                buffer.get() != 0,
                buffer.get() != 0,
                buffer.get() != 0,
                Short.toUnsignedInt(buffer.getShort()));
        return new Constants(
                features,
                Byte.toUnsignedInt(buffer.get()),
                Byte.toUnsignedInt(buffer.get()),
                buffer.getInt(),
                new Timeouts(buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.getInt()),
                new Jiffies(buffer.getInt(JIFFY), buffer.getLong(JIFFIES_AT_ZERO)));
    }

    private static void put(ByteBuffer buffer, boolean on) {
        buffer.put((byte) (on ? 1 : 0));
    }
}
