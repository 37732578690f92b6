// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
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
 * @param frozen whether reals that failed are held, at one of its VIPs: more of them have failed at once than is believed
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
        boolean frozen,
        String problem,
        List<RealView> reals) {
    public ServiceView {
        vips = List.copyOf(vips);
        quic = Collections.unmodifiableMap(new LinkedHashMap<>(quic));
        announcedVips = List.copyOf(announcedVips);
        reals = List.copyOf(reals);
    }

    /** One that is not frozen. */
    public ServiceView(
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
        this(
                name,
                vips,
                protocol,
                port,
                scheduler,
                hashKey,
                quic,
                tableSize,
                forwarding,
                quorum,
                healthCheck,
                healthy,
                announced,
                announcedVips,
                tableDigest,
                false,
                problem,
                reals);
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
     * @param check what a probe asks, by key of the configuration, its {@code type} first; in JSON each is a key of the check
     * @param via {@code tunnel} or {@code direct}
     * @param port to which probes go; 0: the check has none
     * @param packetSize octets of a packet that has to get through; 0: this is not asked
     */
    public record HealthCheckView(
            @JsonAnyGetter @JsonAnySetter Map<String, String> check,
            String via,
            int port,
            int packetSize,
            String interval,
            String downInterval,
            String timeout,
            int rise,
            int fall) {
        public HealthCheckView {
            check = Collections.unmodifiableMap(new LinkedHashMap<>(check));
        }
    }
}
