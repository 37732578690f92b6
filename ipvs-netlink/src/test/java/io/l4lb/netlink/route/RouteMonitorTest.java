// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RouteMonitorTest {
    private static final Octets ANYTHING = Octets.fromHex("10000000 1c00 0000 00000000 00000000");

    private final FakeTransport kernel = FakeTransport.silent();
    private final RouteMonitor monitor = RouteMonitor.over(kernel);

    @Test
    void aBurstIsOneChange() {
        for (int i = 0; i < 300; i++) {
            kernel.deliver(ANYTHING);
        }
        assertTrue(monitor.awaitChange(Duration.ofSeconds(1)));
        assertFalse(monitor.awaitChange(Duration.ofSeconds(1)));
    }

    @Test
    void lostMessagesAreAChange() {
        kernel.fail(Errno.ENOBUFS);
        kernel.deliver(ANYTHING);
        assertTrue(monitor.awaitChange(Duration.ofSeconds(1)));
        assertFalse(monitor.awaitChange(Duration.ofSeconds(1)));
    }

    @Test
    void otherFailuresAreTold() {
        kernel.fail(Errno.ENOMEM);
        assertThrows(NetlinkException.class, () -> monitor.awaitChange(Duration.ofSeconds(1)));
    }

    @Test
    void closedMonitorHearsNothing() {
        kernel.deliver(ANYTHING);
        monitor.close();
        assertFalse(monitor.awaitChange(Duration.ofSeconds(1)));
    }
}
