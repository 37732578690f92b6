// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The {@code [ipvs]} table.
 *
 * @param interfaces where packets come in, at least one, each once
 * @param maglev who makes the tables of the scheduler {@code maglev}
 * @param pinDir in a bpffs: what marks the packets of services whose tables we make
 * @param drainTimeout how long a real that is configured no more keeps its connections
 * @param timeouts of connections
 */
public record IpvsSection(List<String> interfaces, Maglev maglev, Path pinDir, Duration drainTimeout, Timeouts timeouts)
        implements DataplaneSection {
    /** Where the marking program is pinned unless the file says otherwise. */
    public static final Path DEFAULT_PIN_DIR = Path.of("/sys/fs/bpf/l4lb-ipvs");

    public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofMinutes(5);

    public IpvsSection {
        interfaces = List.copyOf(interfaces);
    }

    /** On these interfaces, with the defaults of all that is not said. */
    public static IpvsSection on(List<String> interfaces) {
        return new IpvsSection(
                interfaces, Maglev.KERNEL, DEFAULT_PIN_DIR, DEFAULT_DRAIN_TIMEOUT, Timeouts.OF_THE_KERNEL);
    }

    /** Who makes a Maglev table. */
    public enum Maglev {
        /** The kernel's scheduler mh: 4093 slots, keys that everybody knows, weights in 63 levels. */
        KERNEL("kernel"),
        /** We do, as for XDP: with our seed, of any size, any weights. */
        TABLE("table");

        private final String key;

        Maglev(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }

    /**
     * How long connections count after their last packet. The kernel has one of each for all services of the network
     * namespace; empty: it is left as it is.
     */
    public record Timeouts(Optional<Duration> tcp, Optional<Duration> tcpClosing, Optional<Duration> udp) {
        /** Nothing is changed. */
        public static final Timeouts OF_THE_KERNEL = new Timeouts(Optional.empty(), Optional.empty(), Optional.empty());
    }
}
