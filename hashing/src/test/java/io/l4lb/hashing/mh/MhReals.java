// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Reals of one service, and the table that the kernel has of them. */
final class MhReals {
    private static final int PORT = 443;

    private MhReals() {}

    /** Reals with these weights: the n-th has the n-th of addresses that are spread over a /12, sorted by identity. */
    static List<WeightedReal> of(int... weights) {
        return IntStream.range(0, weights.length)
                .mapToObj(i -> new WeightedReal("172.16.%d.%d".formatted(100 + i / 16, 100 + i % 16 * 7), weights[i]))
                .toList();
    }

    /** The table of reals with the levels that they are given. */
    static LookupTable table(Collection<WeightedReal> reals) {
        return asConfigured(MhWeights.levels(reals));
    }

    /** The table of reals that are given to the kernel with their weights as they are. */
    static LookupTable asConfigured(List<WeightedReal> reals) {
        return KernelMaglev.of(
                        StandardProtocolFamily.INET,
                        reals.stream().map(MhReals::destination).toList())
                .table();
    }

    static MhDestination destination(WeightedReal real) {
        return new MhDestination(real.identity(), address(real.identity()), PORT, real.weight());
    }

    static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
