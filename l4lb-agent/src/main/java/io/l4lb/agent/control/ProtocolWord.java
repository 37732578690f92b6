// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import java.util.List;
import java.util.Map;

/** An IP protocol as people write it: its name in the configuration, or its number. */
public final class ProtocolWord {
    /** The names, with commas. */
    public static final String NAMES = "tcp, udp, dccp, sctp, udplite, gre, esp, ah";

    static final int TCP = 6;

    private static final Map<String, Integer> NUMBERS =
            Map.of("tcp", TCP, "udp", 17, "dccp", 33, "sctp", 132, "udplite", 136, "gre", 47, "esp", 50, "ah", 51);
    private static final List<Integer> WITH_PORTS = List.of(TCP, 17, 33, 132, 136);
    private static final int LAST = 255;

    private ProtocolWord() {}

    /**
     * The number of a protocol.
     *
     * @throws IllegalArgumentException it is none, and the message says so
     */
    public static int number(String word) {
        Integer named = NUMBERS.get(word);
        if (named != null) {
            return named;
        }
        if (!word.matches("[0-9]{1,3}") || Integer.parseInt(word) > LAST) {
            throw new IllegalArgumentException(
                    "protocol: \"" + word + "\" is none of " + NAMES + ", and no number up to " + LAST);
        }
        return Integer.parseInt(word);
    }

    static boolean hasPorts(int number) {
        return WITH_PORTS.contains(number);
    }
}
