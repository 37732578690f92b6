// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The {@code [xdp]} table.
 *
 * @param placement where the programs are, and how
 * @param tunnels how packets leave for the reals
 * @param flowTable what is remembered
 * @param answers what is done besides forwarding
 */
public record XdpSection(Placement placement, Tunnels tunnels, FlowTable flowTable, Answers answers)
        implements DataplaneSection {
    /** Where the programs are pinned unless the file says otherwise. */
    public static final Path DEFAULT_PIN_DIR = Path.of("/sys/fs/bpf/l4lb");

    private static final int DEFAULT_MTU = 1500;

    /** On one interface, with the defaults of all that is not said. */
    public XdpSection(String interfaceName, Mode mode, NextHop nextHop, Path pinDir, int mtu, int flowTableSize) {
        this(
                new Placement(List.of(interfaceName), mode, false, pinDir),
                new Tunnels(nextHop, mtu, Optional.empty(), Optional.empty()),
                new FlowTable(
                        flowTableSize,
                        Forgetting.PER_CPU,
                        OnUpgrade.MIGRATE,
                        FlowTable.DEFAULT_NEW_FLOW_LIMIT,
                        Timeouts.DEFAULT),
                Answers.DEFAULT);
    }

    /** On these interfaces, with the defaults of all that is not said. */
    public static XdpSection on(List<String> interfaces) {
        return new XdpSection(
                new Placement(interfaces, Mode.AUTO, false, DEFAULT_PIN_DIR),
                new Tunnels(NextHop.GATEWAY, DEFAULT_MTU, Optional.empty(), Optional.empty()),
                new FlowTable(
                        FlowTable.DEFAULT_SIZE,
                        Forgetting.PER_CPU,
                        OnUpgrade.MIGRATE,
                        FlowTable.DEFAULT_NEW_FLOW_LIMIT,
                        Timeouts.DEFAULT),
                Answers.DEFAULT);
    }

    public Mode mode() {
        return placement.mode();
    }

    public NextHop nextHop() {
        return tunnels.nextHop();
    }

    public Path pinDir() {
        return placement.pinDir();
    }

    public int mtu() {
        return tunnels.mtu();
    }

    /**
     * Where the programs are.
     *
     * @param interfaces where packets come in, at least one, each once
     * @param chain whether a program of others that is found there is kept, and gets what is passed; else it is refused
     * @param pinDir in a bpffs
     */
    public record Placement(List<String> interfaces, Mode mode, boolean chain, Path pinDir) {
        public Placement {
            interfaces = List.copyOf(interfaces);
        }
    }

    /**
     * How packets leave for the reals.
     *
     * @param mtu largest packet, outer IP header included, that the way to the reals carries, in bytes
     * @param source4 over which the outer source towards IPv4 reals varies with the flow; empty: it is the kernel's choice
     *     of source address
     * @param source6 the same towards IPv6 reals
     */
    public record Tunnels(NextHop nextHop, int mtu, Optional<Prefix> source4, Optional<Prefix> source6) {
        /** As much as the outer source can vary, in bits. */
        public static final int MAX_SOURCE_BITS = 16;
    }

    /**
     * What the flow table remembers.
     *
     * @param size entries
     * @param newFlowLimit flows a second that the director begins to remember, 0: no limit
     */
    public record FlowTable(int size, Forgetting forgetting, OnUpgrade onUpgrade, int newFlowLimit, Timeouts timeouts) {
        public static final int DEFAULT_SIZE = 1 << 20;

        /**
         * A flood that reaches it takes a tenth of a second of CPU time each second, and needs ten seconds to push a flow
         * out of a table of the default size; no director begins so many flows in earnest.
         */
        public static final int DEFAULT_NEW_FLOW_LIMIT = 100_000;
    }

    /** How long what is remembered counts after the last packet. */
    public record Timeouts(Duration tcpOpening, Duration tcp, Duration tcpClosing, Duration udp, Duration fragment) {
        public static final Timeouts DEFAULT = new Timeouts(
                Duration.ofSeconds(60),
                Duration.ofHours(1),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30));
    }

    /**
     * What the balancer does besides forwarding.
     *
     * @param echoReplies whether it answers echo requests to a VIP
     * @param tooBigAnswers whether it tells the sender of a packet that does not fit the MTU once encapsulated
     * @param mssClamp to what it lowers the maximum segment size in TCP SYNs, in bytes; 0: not at all
     */
    public record Answers(boolean echoReplies, boolean tooBigAnswers, int mssClamp) {
        public static final Answers DEFAULT = new Answers(true, true, 0);
    }

    /** How the XDP program is attached. */
    public enum Mode {
        /** In the driver; where the driver cannot, in the network stack, which is said loudly. */
        AUTO("auto"),
        NATIVE("native"),
        GENERIC("generic");

        private final String key;

        Mode(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }

    /** Who tells where an encapsulated packet goes next. */
    public enum NextHop {
        /** The gateway of the route to the reals, by its MAC, from the kernel's neighbour table. */
        GATEWAY("gateway"),
        /** The kernel's routes and neighbours, asked for each packet. */
        FIB("fib");

        private final String key;

        NextHop(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }

    /** Which flow is forgotten for a new one when the table is full. */
    public enum Forgetting {
        /** The oldest of those that the CPU has in its own list, which costs least. */
        PER_CPU("per-cpu"),
        /** The oldest of all. */
        SHARED("shared");

        private final String key;

        Forgetting(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }

    /** What becomes of a flow table that another version has left with another layout. */
    public enum OnUpgrade {
        MIGRATE("migrate"),
        DROP("drop");

        private final String key;

        OnUpgrade(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }
}
