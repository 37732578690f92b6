// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.benchmarks.packets.Expectation.Memory;
import io.l4lb.xdp.TestRun;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Whether a case's packet goes the way that the case is about. */
final class Verification {
    private static final int XDP_PASS = 2;
    private static final int XDP_TX = 3;
    /** Of what comes out as it went in; before it lie what tunnels change. */
    private static final int TRANSPORT_OFFSET = 14 + 20;
    /** In a thousand; a flow table that is full may forget one, and one past its limit remembers some. */
    private static final int OTHERWISE = 10;

    /** Flows after a run. */
    private static final int LOOKED_UP = 16;
    /** Of these, by a balancer past its limit, which is one flow in each of its ticks. */
    private static final int REMEMBERED_ALL_THE_SAME = 2;

    private Verification() {}

    /**
     * Sends one packet through the program itself.
     *
     * @return what is wrong; empty: nothing
     */
    static Optional<String> check(PacketCase subject, Director director) {
        Traffic traffic = subject.traffic();
        traffic.opening().ifPresent(opening -> director.program().testRun(opening));
        if (subject.expectation().memory() == Memory.FOUND) {
            director.program().testRun(traffic.frame());
        }
        Map<String, Long> before = director.verdicts();
        TestRun run = director.program().testRun(traffic.frame());
        Map<String, Long> counted = difference(before, director.verdicts());
        if (!counted.equals(Map.of(subject.expectation().verdict(), 1L))) {
            return Optional.of("counted as " + counted + ", not as "
                    + subject.expectation().verdict());
        }
        return frame(subject, run, director);
    }

    private static Optional<String> frame(PacketCase subject, TestRun run, Director director) {
        Tunnel tunnel = subject.expectation().tunnel();
        byte[] in = subject.traffic().frame();
        byte[] out = run.packet();
        if (run.returnValue() != action(subject)) {
            return Optional.of("the program returned " + run.returnValue());
        }
        if (tunnel == Tunnel.NONE) {
            return Arrays.equals(in, out) ? Optional.empty() : Optional.of("not left alone: " + hex(out));
        }
        boolean whole = out.length == in.length + tunnel.overhead()
                && tunnel.isAround(out)
                && Arrays.equals(
                        in, TRANSPORT_OFFSET, in.length, out, TRANSPORT_OFFSET + tunnel.overhead(), out.length);
        if (!whole) {
            return Optional.of("not the packet inside of " + tunnel + ": " + hex(out));
        }
        InetAddress real = address(out, tunnel.destinationOffset(), tunnel.addressLength());
        return director.reals().contains(real) ? Optional.empty() : Optional.of("sent to " + real);
    }

    /**
     * What is wrong with what the flow table has of the last flows that were sent; empty: nothing.
     *
     * @param next number of the flow that would come next
     */
    static Optional<String> memory(PacketCase subject, Director director, int next) {
        Memory memory = subject.expectation().memory();
        if (memory == Memory.FOUND || memory == Memory.NONE) {
            return Optional.empty();
        }
        Traffic traffic = subject.traffic();
        long there = IntStream.rangeClosed(1, LOOKED_UP)
                .map(back -> next - back & traffic.flows() - 1)
                .filter(flow -> director.remembers(traffic.client(flow), Traffic.port(flow)))
                .count();
        boolean right = memory == Memory.INSERTED ? there == LOOKED_UP : there <= REMEMBERED_ALL_THE_SAME;
        return right
                ? Optional.empty()
                : Optional.of("of the last " + LOOKED_UP + " flows " + there + " are remembered");
    }

    private static int action(PacketCase subject) {
        return subject.expectation().tunnel() == Tunnel.NONE ? XDP_PASS : XDP_TX;
    }

    /** What is wrong with what the program returned, how often by value; empty: nothing. */
    static Optional<String> returned(PacketCase subject, int packets, List<Long> returned) {
        return returned.get(action(subject)) == packets
                ? Optional.empty()
                : Optional.of("the program returned 0, 1, ... so often: " + returned);
    }

    /** What is wrong with how many packets were counted; empty: nothing. */
    static Optional<String> counts(PacketCase subject, int packets, Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> counted = difference(before, after);
        long right = counted.getOrDefault(subject.expectation().verdict(), 0L);
        return right <= packets && (packets - right) * 1000L <= (long) packets * OTHERWISE
                ? Optional.empty()
                : Optional.of("of " + packets + " packets these were counted: " + counted);
    }

    private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> difference = new TreeMap<>();
        after.forEach((verdict, count) -> difference.put(verdict, count - before.getOrDefault(verdict, 0L)));
        difference.values().removeIf(count -> count == 0);
        return difference;
    }

    private static InetAddress address(byte[] frame, int offset, int length) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(frame, offset, offset + length));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(length + " bytes are no address", e);
        }
    }

    private static String hex(byte[] frame) {
        return HexFormat.of().formatHex(frame);
    }
}
