// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.IpvsSection.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the {@code [ipvs]} table. */
final class IpvsReader {
    private static final Choice<Maglev> MAGLEV = Choice.of(Maglev.values(), Maglev::key);
    private static final Function<String, Duration> DRAIN = DurationLiteral.between(Duration.ZERO, Duration.ofDays(7));
    /** The kernel counts whole seconds, and takes 0 for "as it is". */
    private static final Function<String, Duration> TIMEOUT =
            DurationLiteral.between(Duration.ofSeconds(1), Duration.ofDays(7));

    private IpvsReader() {}

    /**
     * The section; absent if anything in the file is wrong so far.
     *
     * @param otherwise the interfaces, if this table does not say
     * @param alone whether it has to
     */
    static Optional<IpvsSection> read(Table table, List<String> otherwise, boolean alone) {
        if (alone) {
            table.require("interfaces");
        }
        List<String> interfaces = table.has("interfaces") ? InterfaceNames.read(table, "interfaces") : otherwise;
        Maglev maglev = table.value("maglev", "a string", MAGLEV::parse).orElse(Maglev.KERNEL);
        IpvsSection section = new IpvsSection(
                interfaces,
                maglev,
                table.value("pin-dir", "a path", PathLiteral::bpffs).orElse(IpvsSection.DEFAULT_PIN_DIR),
                table.value("drain-timeout", DurationLiteral.EXPECTED, DRAIN).orElse(IpvsSection.DEFAULT_DRAIN_TIMEOUT),
                new Timeouts(
                        timeout(table, "tcp-timeout"),
                        timeout(table, "tcp-closing-timeout"),
                        timeout(table, "udp-timeout")));
        return table.finish() ? Optional.of(section) : Optional.empty();
    }

    private static Optional<Duration> timeout(Table table, String key) {
        Optional<Duration> timeout = table.value(key, DurationLiteral.EXPECTED, TIMEOUT);
        if (timeout.filter(duration -> duration.toMillis() % 1000 != 0).isPresent()) {
            table.problem(key, "the kernel counts whole seconds");
        }
        return timeout;
    }
}
