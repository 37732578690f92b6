// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.util.Locale;

/** The schedulers of IPVS, in the kernel (net/netfilter/ipvs/ip_vs_*.c, ipvsadm(8)). */
public enum KernelScheduler {
    /** Round robin. */
    RR,
    /** Weighted round robin. */
    WRR,
    /** Least connections. */
    LC,
    /** Weighted least connections. */
    WLC,
    /** Locality-based least connections. */
    LBLC,
    /** Locality-based least connections with replication. */
    LBLCR,
    /** Destination hashing. */
    DH,
    /** Source hashing. */
    SH,
    /** Shortest expected delay. */
    SED,
    /** Never queue. */
    NQ,
    /** Weighted failover. */
    FO,
    /** Weighted overflow. */
    OVF,
    /** Power of two choices (Linux 5.15). */
    TWOS,
    /** Maglev hashing, by a table of a fixed size and with fixed keys (Linux 4.18). */
    MH;

    /** As written in the configuration, and as the kernel names it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it hashes the client, by its address alone or with its port. */
    public boolean hashesClient() {
        return this == SH || this == MH;
    }
}
