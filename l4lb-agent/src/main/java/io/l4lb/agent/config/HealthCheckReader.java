// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.HealthCheck.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads the {@code [services.health-check]} table. */
final class HealthCheckReader {
    private static final Choice<HealthCheck.Type> TYPES = Choice.of(
            HealthCheck.Type.values(), HealthCheck.Type::key, "https", "grpc", "tls", "udp", "dns", "icmp", "command");
    private static final Pattern TARGET = Pattern.compile("/[!-~]*");
    private static final Pattern HOST = Pattern.compile("[!-~]+");
    private static final Function<String, Duration> PERIOD =
            DurationLiteral.between(Duration.ofMillis(10), Duration.ofHours(1));
    private static final int MAX_IN_A_ROW = 1000;

    private HealthCheckReader() {}

    /**
     * The check; absent if anything in the file is wrong so far.
     *
     * @param port of the service, to which probes go unless there is another; 0: any; absent: it is wrong
     */
    static Optional<HealthCheck> read(Table table, Optional<Integer> port) {
        Optional<HealthCheck.Type> type =
                table.has("type") ? table.value("type", "a string", TYPES::parse) : Optional.of(HealthCheck.Type.TCP);
        Optional<Integer> probed = table.number("port", 1, 65535);
        if (!table.has("port") && port.equals(Optional.of(Frontend.ANY_PORT))) {
            table.problem("port", "is missing: the service has no port of its own that could be probed");
        }
        String path = table.value("path", "a string", HealthCheckReader::path).orElse("/");
        Optional<String> host = table.value("host", "a string", HealthCheckReader::host);
        Timing timing = timing(table);
        if (type.filter(HealthCheck.Type.TCP::equals).isPresent()) {
            unused(table, "path");
            unused(table, "host");
        }
        return table.finish()
                ? Optional.of(new HealthCheck(
                        type.orElseThrow(), probed.or(() -> port).orElseThrow(), path, host, timing))
                : Optional.empty();
    }

    private static void unused(Table table, String key) {
        if (table.has(key)) {
            table.problem(key, "is only for a check of type \"http\"");
        }
    }

    private static Timing timing(Table table) {
        Optional<Duration> interval = table.value("interval", DurationLiteral.EXPECTED, PERIOD);
        Optional<Duration> timeout = table.value("timeout", DurationLiteral.EXPECTED, PERIOD);
        Timing timing = new Timing(
                interval.orElse(Duration.ofSeconds(2)),
                timeout.orElse(Duration.ofSeconds(1)),
                table.number("rise", 1, MAX_IN_A_ROW).orElse(2),
                table.number("fall", 1, MAX_IN_A_ROW).orElse(3));
        boolean known = table.has("interval") == interval.isPresent() && table.has("timeout") == timeout.isPresent();
        if (known && timing.timeout().compareTo(timing.interval()) > 0) {
            String key = timeout.isPresent() ? "timeout" : "interval";
            table.problem(
                    key,
                    "the timeout of " + DurationLiteral.format(timing.timeout()) + " is longer than the interval of "
                            + DurationLiteral.format(timing.interval()));
        }
        return timing;
    }

    private static String path(String text) {
        if (!TARGET.matcher(text).matches()) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is not a path of a URL, which starts with / and has no spaces");
        }
        return text;
    }

    private static String host(String text) {
        if (!HOST.matcher(text).matches()) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not the name of a host");
        }
        return text;
    }
}
