// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.HealthCheck.Via;
import io.l4lb.agent.model.HealthCheck.Way;
import io.l4lb.healthcheck.Hold;
import io.l4lb.healthcheck.Timing;
import io.l4lb.healthcheck.check.Check;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the {@code [services.health-check]} table. */
final class HealthCheckReader {
    private static final Choice<Via> WAYS = Choice.of(Via.values(), Via::key);
    private static final Function<String, Duration> PERIOD =
            DurationLiteral.between(Duration.ofMillis(10), Duration.ofHours(1));
    private static final Function<String, Duration> HOLD = DurationLiteral.between(Duration.ZERO, Duration.ofHours(1));
    private static final Duration USUAL_INTERVAL = Duration.ofSeconds(2);
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(1);
    private static final Hold USUAL_HOLD =
            new Hold(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(1));
    private static final int MAX_IN_A_ROW = 1000;
    private static final int LEAST_PACKET = 576;
    private static final int LARGEST_PACKET = 9216;

    private static final Set<CheckType> WITHOUT_PORT = Set.of(CheckType.ICMP, CheckType.EXEC);
    private static final Set<CheckType> WITH_PACKET_SIZE =
            Set.of(CheckType.HTTP, CheckType.HTTPS, CheckType.GRPC, CheckType.ICMP);

    private HealthCheckReader() {}

    /**
     * The check; absent if anything in the file is wrong so far.
     *
     * @param port of the service, to which probes go unless there is another; 0: any; absent: it is wrong
     */
    static Optional<HealthCheck> read(Table table, Optional<Integer> port) {
        Optional<CheckType> type = CheckType.read(table);
        type.ifPresent(known -> known.refuseKeysOfOthers(table));
        Via via = table.value("via", "a string", WAYS::parse).orElse(Via.TUNNEL);
        Optional<Integer> probed = port(table, type, port);
        int packetSize = packetSize(table, type);
        Optional<Duration> timeout = table.value("timeout", DurationLiteral.EXPECTED, PERIOD);
        Timing timing = timing(table, timeout);
        Optional<Check> check = type.flatMap(known -> CheckReader.read(table, known));
        return table.finish()
                ? Optional.of(new HealthCheck(
                        check.orElseThrow(),
                        new Way(via, probed.orElseThrow(), packetSize),
                        timing,
                        timeout.orElse(USUAL_TIMEOUT)))
                : Optional.empty();
    }

    private static Optional<Integer> port(Table table, Optional<CheckType> type, Optional<Integer> port) {
        Optional<Integer> own = table.number("port", 1, 65535);
        if (type.equals(Optional.of(CheckType.ICMP))) {
            if (table.has("port")) {
                table.problem("port", "an ICMP echo request has no port");
            }
            return Optional.of(0);
        }
        boolean needed = type.filter(WITHOUT_PORT::contains).isEmpty();
        if (needed && !table.has("port") && port.equals(Optional.of(Frontend.ANY_PORT))) {
            table.problem("port", "is missing: the service has no port of its own that could be probed");
        }
        return own.or(() -> port);
    }

    private static int packetSize(Table table, Optional<CheckType> type) {
        Optional<Integer> size = table.number("packet-size", LEAST_PACKET, LARGEST_PACKET);
        if (table.has("packet-size") && type.isPresent() && !WITH_PACKET_SIZE.contains(type.get())) {
            table.problem("packet-size", "is only for a check of type " + CheckType.anyOf(WITH_PACKET_SIZE));
        }
        return size.orElse(0);
    }

    private static Timing timing(Table table, Optional<Duration> timeout) {
        Optional<Duration> interval = table.value("interval", DurationLiteral.EXPECTED, PERIOD);
        Optional<Duration> down = table.value("down-interval", DurationLiteral.EXPECTED, PERIOD);
        Duration usual = interval.orElse(USUAL_INTERVAL);
        Timing timing = new Timing(
                usual,
                down.orElse(usual),
                table.number("rise", 1, MAX_IN_A_ROW).orElse(2),
                table.number("fall", 1, MAX_IN_A_ROW).orElse(3),
                hold(table));
        boolean known = table.has("interval") == interval.isPresent() && table.has("timeout") == timeout.isPresent();
        if (known) {
            refuseLongTimeout(table, timeout, "interval", usual);
            down.ifPresent(shorter -> refuseLongTimeout(table, timeout, "down-interval", shorter));
        }
        return timing;
    }

    private static void refuseLongTimeout(Table table, Optional<Duration> timeout, String key, Duration interval) {
        Duration deadline = timeout.orElse(USUAL_TIMEOUT);
        if (deadline.compareTo(interval) > 0) {
            table.problem(
                    timeout.isPresent() ? "timeout" : key,
                    "the timeout of " + DurationLiteral.format(deadline) + " is longer than the " + key + " of "
                            + DurationLiteral.format(interval));
        }
    }

    private static Hold hold(Table table) {
        Optional<Duration> first = table.value("flap-hold", DurationLiteral.EXPECTED, HOLD);
        Optional<Duration> longest = table.value("flap-hold-max", DurationLiteral.EXPECTED, HOLD);
        Duration memory =
                table.value("flap-memory", DurationLiteral.EXPECTED, HOLD).orElse(USUAL_HOLD.memory());
        Duration held = first.orElse(USUAL_HOLD.first());
        if (longest.filter(most -> most.compareTo(held) < 0).isPresent()) {
            table.problem("flap-hold-max", "is shorter than flap-hold, " + DurationLiteral.format(held));
            return USUAL_HOLD;
        }
        Duration most = longest.orElse(USUAL_HOLD.longest());
        return new Hold(held, most.compareTo(held) < 0 ? held : most, memory);
    }
}
