// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.l4lb.hashing.Scheduler;

/** How a service's new flows get their real. */
public sealed interface Scheduling {
    /** As written in the configuration. */
    String key();

    /** Slots of its table as configured; 0: it has none, or none that can be configured. */
    int tableSize();

    /**
     * By a lookup table.
     *
     * @param size its slots, a prime; the kernel's own table of Maglev has a size of its own
     */
    record ByTable(Scheduler scheduler, int size) implements Scheduling {
        @Override
        public String key() {
            return scheduler.key();
        }

        @Override
        public int tableSize() {
            return size;
        }
    }

    /** As the kernel's IPVS does. */
    record ByKernel(KernelScheduler scheduler) implements Scheduling {
        @Override
        public String key() {
            return scheduler.key();
        }

        @Override
        public int tableSize() {
            return 0;
        }
    }
}
