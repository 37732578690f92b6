// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.RememberedFlow.State;
import io.l4lb.hashing.FlowKey;
import io.l4lb.ipvs.VirtualAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;

/**
 * An entry of IPVS's connection table, as a line of {@code /proc/net/ip_vs_conn} has it (ip_vs_conn_seq_show in
 * net/netfilter/ipvs/ip_vs_conn.c): protocol, client, VIP and destination with their ports, state, seconds left. IPv4
 * addresses are eight hexadecimal digits, those of IPv6 all eight groups in full; ports are hexadecimal.
 *
 * @param flow its 5-tuple; the protocol is 0 for entries that stand for many connections
 * @param state in the kernel's word
 * @param left until it expires unless packets come
 */
record Connection(FlowKey flow, InetAddress real, String state, Duration left) {
    private static final int FIELDS = 9;
    private static final int IPV4_DIGITS = 8;
    private static final int IPV6_DIGITS = 32;
    private static final int HEXADECIMAL = 16;
    /** One that has expired a moment ago shows a negative number as an unsigned one. */
    private static final long MOST_SECONDS = Integer.MAX_VALUE;

    private static final String UNNAMED_PROTOCOL = "IP_";
    private static final Map<String, Integer> PROTOCOLS = Map.of(
            "TCP",
            VirtualAddress.TCP,
            "UDP",
            VirtualAddress.UDP,
            "SCTP",
            VirtualAddress.SCTP,
            "ICMP",
            1,
            "ICMPv6",
            58,
            "IP",
            0);

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException it is none, in words
     */
    static Connection parse(String line) {
        String[] fields = line.strip().split(" +", -1);
        if (fields.length < FIELDS) {
            throw new IllegalArgumentException("fewer than " + FIELDS + " fields");
        }
        FlowKey flow = new FlowKey(
                address(fields[1]), port(fields[2]), address(fields[3]), port(fields[4]), protocol(fields[0]));
        long seconds = Long.parseUnsignedLong(fields[8]);
        boolean expired = seconds < 0 || seconds > MOST_SECONDS;
        return new Connection(flow, address(fields[5]), fields[7], Duration.ofSeconds(expired ? 0 : seconds));
    }

    private static int protocol(String name) {
        if (name.startsWith(UNNAMED_PROTOCOL)) {
            return Integer.parseInt(name.substring(UNNAMED_PROTOCOL.length()));
        }
        Integer number = PROTOCOLS.get(name);
        if (number == null) {
            throw new IllegalArgumentException("no protocol is named " + name);
        }
        return number;
    }

    private static int port(String digits) {
        return Integer.parseInt(digits, HEXADECIMAL);
    }

    private static InetAddress address(String text) {
        String digits = text.replace(":", "").replace("[", "").replace("]", "");
        if (digits.length() != IPV4_DIGITS && digits.length() != IPV6_DIGITS) {
            throw new IllegalArgumentException("no address: " + text);
        }
        byte[] bytes = HexFormat.of().parseHex(digits);
        try {
            return digits.length() == IPV4_DIGITS
                    ? InetAddress.getByAddress(bytes)
                    : Inet6Address.getByAddress(null, bytes, -1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    boolean isTcp() {
        return flow.protocol() == VirtualAddress.TCP;
    }

    /** The same in our words. A client's RST, its FIN, and a real's where those pass here, close it. */
    State phase() {
        if (!isTcp()) {
            return State.OTHER;
        }
        return switch (state) {
            case "ESTABLISHED" -> State.ESTABLISHED;
            case "FIN_WAIT", "TIME_WAIT", "CLOSE", "CLOSE_WAIT", "LAST_ACK" -> State.CLOSING;
            default -> State.OPENING;
        };
    }

    /** Whether a SYN begins another one in its place, with conn_reuse_mode=1 (is_new_conn_expected in ip_vs_core.c). */
    boolean isOver() {
        return isTcp() && (state.equals("TIME_WAIT") || state.equals("CLOSE"));
    }
}
