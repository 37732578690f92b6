// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import java.util.function.Predicate;

/**
 * The flow table, with the services and reals that there were when this was made. It may take seconds to read: that is for
 * one other thread than the one that reconciles.
 */
public interface FlowTable extends AutoCloseable {
    /** Entries that there can be. */
    long capacity();

    /**
     * Visits entries while packets change them: one that stays is seen once. Those of services that there were none of are
     * left out.
     *
     * @param visitor whether to go on
     * @return how many entries were read, those that were left out too
     * @throws DataplaneException if the kernel refuses
     */
    long read(Predicate<RememberedFlow> visitor);

    @Override
    void close();
}
