// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.HashSeed;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;

/** The seed of the flow hash in {@code settings}, of a program that reads nothing else there. */
public final class FlowSeed {
    private FlowSeed() {}

    /** Writes it. */
    public static void write(BpfMap settings, HashSeed seed) {
        settings.update(
                Word.encode(0), new Settings(seed, NextHop.UNKNOWN, NextHop.UNKNOWN, 0).encode(), UpdateMode.ANY);
    }
}
