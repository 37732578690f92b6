// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.StatusRange;
import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ModelTest {
    private static final Timing TIMING = new Timing(Duration.ofSeconds(2), 2, 3);

    @ParameterizedTest
    @CsvSource({"9,1,1", "86400001,1,1", "100,0,1", "100,1,0"})
    void timingThatCannotWorkIsRefused(long interval, int rise, int fall) {
        assertThrows(IllegalArgumentException.class, () -> new Timing(Duration.ofMillis(interval), rise, fall));
    }

    @ParameterizedTest
    @CsvSource({"1000,1s", "1500,1.5s", "300,300ms", "60000,60s"})
    void timeoutIsWrittenAsAnOperatorWould(long millis, String text) {
        assertEquals(
                text,
                Targets.probe(new InetSocketAddress("192.0.2.1", 80), 0, new TcpCheck(), Duration.ofMillis(millis))
                        .timeoutText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "health", "/a b", "/a\r\nX: y", "/\u00e4", "/\u0000"})
    void pathThatWouldBreakTheRequestIsRefused(String path) {
        assertThrows(IllegalArgumentException.class, () -> new HttpCheck(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\r\nX: y", "\u00e4"})
    void hostThatWouldBreakTheRequestIsRefused(String host) {
        Optional<String> given = Optional.of(host);
        assertThrows(IllegalArgumentException.class, () -> new HttpCheck.Request("GET", "/", given, List.of()));
    }

    @Test
    void statusRangeHasBothEnds() {
        StatusRange range = StatusRange.SUCCESS_OR_REDIRECT;
        assertTrue(range.contains(200) && range.contains(399));
        assertFalse(range.contains(199) || range.contains(400));
        assertThrows(IllegalArgumentException.class, () -> new StatusRange(300, 299));
        assertThrows(IllegalArgumentException.class, () -> new StatusRange(100, 200));
    }

    @Test
    void targetNeedsAnIdAndAnAddress() {
        InetSocketAddress good = new InetSocketAddress("192.0.2.1", 80);
        assertThrows(IllegalArgumentException.class, () -> Targets.target(" ", good, 0, new TcpCheck(), TIMING));
        InetSocketAddress name = InetSocketAddress.createUnresolved("vip.example", 80);
        assertThrows(
                IllegalArgumentException.class,
                () -> new Probe(name, Route.direct(good.getAddress()), new TcpCheck(), Duration.ofSeconds(1)));
    }

    @Test
    void snapshotAnswersUnknownForWhatItDoesNotKnow() {
        assertEquals(HealthState.UNKNOWN, HealthSnapshot.EMPTY.state("nobody"));
        assertTrue(HealthSnapshot.EMPTY.of("nobody").isEmpty());
    }
}
