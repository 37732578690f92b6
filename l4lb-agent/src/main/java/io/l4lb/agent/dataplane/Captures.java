// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import java.time.Duration;
import java.util.function.Predicate;

/** Copies of packets, as the dataplane makes them. For one thread, which may be another than the one that reconciles. */
public interface Captures extends AutoCloseable {
    /**
     * Waits for packets until there are some, or the time is over.
     *
     * @param packets takes one; whether it takes more now
     * @throws DataplaneException if the kernel refuses
     */
    void poll(Duration patience, Predicate<CapturedPacket> packets);

    /** How many copies were not made, since there was no room, as long as the dataplane has counted. */
    long lost();

    @Override
    void close();
}
