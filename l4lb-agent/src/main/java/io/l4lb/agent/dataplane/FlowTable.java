// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import java.util.function.Predicate;

/**
 * The flow table, with the services and reals that there were when this was made. It may take seconds to read: that is for
 * one other thread than the one that reconciles.
 */
public interface FlowTable extends AutoCloseable {
    /** Of a table that grows as it must. */
    long NO_LIMIT = 0;

    /** Entries that there can be; {@link #NO_LIMIT}: as many as the kernel has memory for. */
    long capacity();

    /**
     * Visits entries while packets change them: one that stays is seen once. Those of services and reals that there were
     * none of are left out.
     *
     * @param visitor whether to go on
     * @return how many there were
     * @throws DataplaneException if the kernel refuses
     */
    Reading read(Predicate<RememberedFlow> visitor);

    /**
     * How many entries were read.
     *
     * @param entries in all
     * @param gone those that were left out: their service or real is gone
     */
    record Reading(long entries, long gone) {}

    /**
     * Counts entries.
     *
     * @throws DataplaneException if the kernel refuses
     */
    Fill fill();

    /**
     * How full it is.
     *
     * @param entries in all
     * @param counting that packets follow, see {@link RememberedFlow#counts}
     */
    record Fill(long entries, long counting) {}

    @Override
    void close();
}
