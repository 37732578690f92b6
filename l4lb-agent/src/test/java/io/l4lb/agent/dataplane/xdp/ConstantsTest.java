// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.Prefix;
import io.l4lb.agent.model.XdpSection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ConstantsTest {
    private static final XdpSection DEFAULTS = new XdpSection(
            "eth0", XdpSection.Mode.AUTO, XdpSection.NextHop.GATEWAY, Path.of("/sys/fs/bpf/l4lb"), 1500, 1024);
    private static final Jiffies JIFFIES = new Jiffies(4_000_000, 5);

    @Test
    void defaultsAnswerAndForget() {
        assertEquals(
                new Constants(
                        new Constants.Features(true, true, false, false, 0),
                        0,
                        0,
                        26843,
                        new Constants.Timeouts(56, 3353, 56, 56, 28),
                        JIFFIES),
                Constants.of(DEFAULTS, 4, JIFFIES));
    }

    @Test
    void takesAllThatIsFixedWhileLoaded() {
        XdpSection xdp = new XdpSection(
                new XdpSection.Placement(List.of("eth0", "eth1"), XdpSection.Mode.AUTO, true, Path.of("/")),
                new XdpSection.Tunnels(
                        XdpSection.NextHop.FIB,
                        1500,
                        Optional.of(new Prefix(ip("10.0.0.16"), 28)),
                        Optional.of(new Prefix(ip("fd00::"), 112))),
                new XdpSection.FlowTable(
                        1024,
                        XdpSection.Forgetting.PER_CPU,
                        XdpSection.OnUpgrade.DROP,
                        0,
                        new XdpSection.Timeouts(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(5))),
                new XdpSection.Answers(false, false, 1400));
        assertEquals(
                new Constants(
                        new Constants.Features(false, false, true, true, 1400),
                        4,
                        16,
                        0,
                        new Constants.Timeouts(1, 2, 3, 4, 5),
                        Jiffies.UNKNOWN),
                Constants.of(xdp, 4, Jiffies.UNKNOWN));
    }

    @Test
    void aTickIsALittleMoreThanASecond() {
        assertEquals(0, Ticks.at((1L << 30) - 1));
        assertEquals(1, Ticks.at(1L << 30));
        assertEquals(Ticks.at(System.nanoTime()), (int) (System.nanoTime() / 1_073_741_824L), 1);
        assertEquals(0, Ticks.lasting(Duration.ZERO));
        assertEquals(1, Ticks.lasting(Duration.ofMillis(1)));
        assertEquals(1, Ticks.lasting(Duration.ofNanos(1L << 30)));
        assertEquals(563264, Ticks.lasting(Duration.ofDays(7)));
    }

    /** A limit is never none by being small. */
    @Test
    void aShareIsAtLeastOne() {
        assertEquals(0, Ticks.share(0, 8));
        assertEquals(1, Ticks.share(1, 128));
        assertEquals(107374, Ticks.share(100_000, 1));
        assertEquals(838, Ticks.share(100_000, 128));
        assertTrue(Ticks.share(Integer.MAX_VALUE, 1) > 0);
    }
}
