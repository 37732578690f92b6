// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/**
 * One kind of packet, and what it has to come to.
 *
 * @param name as it is printed
 * @param katran what it costs Katran
 * @param balancer which of the loaded programs gets it
 */
record PacketCase(String name, Katran katran, Balancer balancer, Traffic traffic, Expectation expectation) {
    /** The loaded programs: the same one, each with maps of its own. */
    enum Balancer {
        /** Remembers every flow, and has room for all; the flow table is as large as it is by default. */
        REMEMBERING(Balancer.DEFAULT, Balancer.NO_LIMIT),
        /** The same, with room for more flows on one processor than the default has. */
        LARGE(2 * Balancer.DEFAULT, Balancer.NO_LIMIT),
        /** Remembers every flow, and is full: each new one pushes out another. */
        FULL(Balancer.DEFAULT, Balancer.NO_LIMIT),
        /** Remembers next to none: its limit of new flows is always reached. */
        LIMITED(Balancer.DEFAULT, 1),
        /** The same, and its flow table, which is not used, is as small as it may be. */
        HASHING(1024, 1);

        private static final int DEFAULT = 1 << 20;
        /** More than a processor can schedule, so that the check is there and never holds. */
        private static final int NO_LIMIT = 10_000_000;

        private final int flowTableSize;
        private final int newFlowLimit;

        Balancer(int flowTableSize, int newFlowLimit) {
            this.flowTableSize = flowTableSize;
            this.newFlowLimit = newFlowLimit;
        }

        /** Flows that it has room for. */
        int flowTableSize() {
            return flowTableSize;
        }

        /** Flows a second that it remembers at most. */
        int newFlowLimit() {
            return newFlowLimit;
        }
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

    PacketCase by(Balancer other) {
        return new PacketCase(name, katran, other, traffic, expectation);
    }

    PacketCase atMost(int flows) {
        return new PacketCase(name, katran, balancer, traffic.atMost(flows), expectation);
    }
}
