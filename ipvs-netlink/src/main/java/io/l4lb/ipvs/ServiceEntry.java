// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/**
 * A service as the kernel reports it.
 *
 * @param unknownFlags bits of IPVS_SVC_ATTR_FLAGS without a name here (HASHED, the kernel's own, is left out). An edit of
 *     the service leaves them as they are; after deleting and adding it they are gone.
 */
public record ServiceEntry(Service service, Statistics statistics, int unknownFlags) {
    /** Without unknown flags. */
    public ServiceEntry(Service service, Statistics statistics) {
        this(service, statistics, 0);
    }
}
