// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.util.List;

/** {@code enum verdict} of {@code l4lb.h}: the names, in lower case with dashes, in the order of their numbers. */
final class Verdicts {
    static final List<String> NAMES = List.of(
            "pass-not-ip",
            "pass-no-service",
            "pass-fragment",
            "forward-flow",
            "forward-table",
            "drop-malformed",
            "drop-no-real",
            "drop-ttl",
            "drop-too-big",
            "drop-no-next-hop",
            "drop-no-headroom",
            "forward-server-id",
            "forward-fragment",
            "drop-fragment",
            "answer-echo",
            "answer-too-big",
            "answer-path-mtu");

    /** {@code L4LB_MAX_VERDICTS}: entries of the map. */
    static final int CAPACITY = 64;

    private Verdicts() {}
}
