// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/**
 * One kind of packet, and what it has to come to.
 *
 * @param name as it is printed
 * @param katran what it costs Katran
 * @param balancer which of the two loaded programs gets it
 */
record PacketCase(String name, Katran katran, Balancer balancer, Traffic traffic, Expectation expectation) {
    /** The loaded programs, which differ in their limit of new flows. */
    enum Balancer {
        /** Remembers every flow: its limit is never reached. */
        REMEMBERING,
        /** Remembers next to none: its limit is always reached. */
        LIMITED
    }

    /**
     * Figures of Katran's program on the same work, by the same wrapper, on a machine of the kind that tests this project.
     *
     * @param nanoseconds a packet, median, the floor included
     * @param multiple of the floor, which was 16 ns of the encapsulating stub, 10.5 ns of the passing one
     */
    record Katran(int nanoseconds, double multiple) {
        private static final double AIM = 0.7;

        /** The multiple that ours is to be at, or below. */
        double goal() {
            return AIM * multiple;
        }
    }

    /** The least that a program with the same outcome could cost. */
    Stub floor() {
        return expectation.tunnel() == Tunnel.NONE ? Stub.PASSING : Stub.ENCAPSULATING;
    }

    PacketCase atMost(int flows) {
        return new PacketCase(name, katran, balancer, traffic.atMost(flows), expectation);
    }
}
