// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A service. A view is a row: its components are its columns, however many they are.
 *
 * @param port 0: any
 * @param quic by key of the configuration, where connection IDs have the server ID; empty: the hash key is another
 * @param healthy reals that are up and have a weight above 0, by the VIP that has fewest
 * @param announced whether a router has been told of each of its VIPs
 * @param announcedVips those of which one has
 * @param tableDigest 16 hexadecimal digits; directors that agree show the same. Tables of VIPs that differ: one each
 * @param problem why it does not do what is wanted at one of its VIPs, in few words; empty: it does
 */
public record ServiceView(
        String name,
        List<String> vips,
        String protocol,
        int port,
        String scheduler,
        String hashKey,
        Map<String, Integer> quic,
        int tableSize,
        String forwarding,
        QuorumView quorum,
        HealthCheckView healthCheck,
        int healthy,
        boolean announced,
        List<String> announcedVips,
        String tableDigest,
        String problem,
        List<RealView> reals) {
    public ServiceView {
        vips = List.copyOf(vips);
        quic = Collections.unmodifiableMap(new LinkedHashMap<>(quic));
        announcedVips = List.copyOf(announcedVips);
        reals = List.copyOf(reals);
    }

    /**
     * The healthy reals that it needs. In JSON what the configuration has: a number, or a string such as {@code "30%"}.
     *
     * @param text {@code 1} or {@code 30%}
     */
    public record QuorumView(String text) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static QuorumView of(Object json) {
            return new QuorumView(json.toString());
        }

        @JsonValue
        Object json() {
            return text.endsWith("%") ? text : (Object) Integer.valueOf(text);
        }
    }

    /**
     * How its reals are probed; durations as {@code 2s}, {@code 500ms}.
     *
     * @param port to which probes go
     * @param path of an HTTP probe; empty: it is another
     * @param host of an HTTP probe; empty: the VIP
     */
    public record HealthCheckView(
            String type, int port, String path, String host, String interval, String timeout, int rise, int fall) {}
}
