// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The maps of all programs that are pinned, and what becomes of one that another version pinned with another layout. */
public enum MapRole {
    SERVICES("services", Otherwise.REFUSED),
    SERVICE_GENERATION("service_generation", Otherwise.WRITTEN_ANEW),
    TABLES("tables", Otherwise.REFUSED),
    REALS("reals", Otherwise.REFUSED),
    SERVER_IDS("server_ids", Otherwise.REFUSED),
    VIP_FILTER("vip_filter", Otherwise.WRITTEN_ANEW),
    VIPS("vips", Otherwise.WRITTEN_ANEW),
    SETTINGS("settings", Otherwise.WRITTEN_ANEW),
    FLOWS("flows", Otherwise.MIGRATED),
    FRAGMENTS("fragments", Otherwise.FORGOTTEN),
    NEW_FLOWS("new_flows", Otherwise.FORGOTTEN),
    CAPTURES("captures", Otherwise.FORGOTTEN),
    REAL_COUNTERS("real_counters", Otherwise.COUNTED_FROM_ZERO),
    VERDICTS("verdicts", Otherwise.COUNTED_FROM_ZERO),
    SERVICE_VERDICTS("service_verdicts", Otherwise.COUNTED_FROM_ZERO),
    EVENTS("events", Otherwise.COUNTED_FROM_ZERO),
    PROBES("probes", Otherwise.WRITTEN_ANEW),
    REAL_MARKS("real_marks", Otherwise.WRITTEN_ANEW);

    private static final Set<MapRole> OF_MARKER = EnumSet.of(
            SERVICES,
            SERVICE_GENERATION,
            TABLES,
            REALS,
            SERVER_IDS,
            VIP_FILTER,
            VIPS,
            SETTINGS,
            REAL_COUNTERS,
            SERVICE_VERDICTS,
            REAL_MARKS);

    /** What becomes of the pinned map if it does not fit. */
    enum Otherwise {
        /** Nothing goes without it: the version that pinned it has to run, or forwarding has to end. */
        REFUSED,
        /** The agent knows what belongs there. */
        WRITTEN_ANEW,
        /** Its entries are taken over into the new one, as the operator chooses. */
        MIGRATED,
        /** Nobody misses it. */
        FORGOTTEN,
        /** Which is said. */
        COUNTED_FROM_ZERO,
    }

    private final String map;
    private final Otherwise otherwise;

    MapRole(String map, Otherwise otherwise) {
        this.map = map;
        this.otherwise = otherwise;
    }

    public static MapRole of(String map) {
        return Arrays.stream(values())
                .filter(role -> role.map.equals(map))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no map " + map));
    }

    /** In the object, and in the directory of pins. */
    public String map() {
        return map;
    }

    Otherwise otherwise() {
        return otherwise;
    }

    /** Of the balancer, without {@code chain}, which each interface has for itself. */
    static List<MapRole> ofBalancer() {
        return Arrays.stream(values())
                .filter(role -> role != PROBES && role != REAL_MARKS)
                .toList();
    }

    /** Of the XDP dataplane: the balancer and the probe program. */
    static List<MapRole> ofXdp() {
        return Arrays.stream(values()).filter(role -> role != REAL_MARKS).toList();
    }

    /** Of the marker, which has maps of its own. */
    public static List<MapRole> ofMarker() {
        return List.copyOf(OF_MARKER);
    }
}
