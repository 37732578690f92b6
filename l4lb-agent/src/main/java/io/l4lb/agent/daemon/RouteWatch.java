// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.RouteMonitor;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The thread named {@code routes}: says when routes, neighbours, links, addresses or the switches of forwarding have
 * changed in the kernel, but not more often than ten times a second, however busy they are.
 */
final class RouteWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RouteWatch.class.getName());
    /** Changes are followed even if the kernel should not have told of one. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    private static final Duration BETWEEN_CALLS = Duration.ofMillis(100);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    private final Runnable onChange;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "routes");
    private volatile RouteMonitor monitor;
    private boolean broken;

    private RouteWatch(RouteMonitor monitor, Runnable onChange) {
        this.monitor = monitor;
        this.onChange = onChange;
    }

    static RouteWatch start(Runnable onChange) {
        RouteWatch watch = new RouteWatch(RouteMonitor.open(), onChange);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    private void run() {
        try {
            while (!stoppedWithin(Duration.ZERO)) {
                try {
                    watch();
                } catch (NetlinkException e) {
                    LOG.log(System.Logger.Level.ERROR, "following routes failed, trying again: {0}", e.getMessage());
                    broken = true;
                    if (stoppedWithin(BETWEEN_ATTEMPTS)) {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch() throws InterruptedException {
        if (broken) {
            monitor.close();
            monitor = RouteMonitor.open();
            broken = false;
        }
        while (!stoppedWithin(BETWEEN_CALLS)) {
            monitor.awaitChange(LONGEST_SILENCE);
            onChange.run();
        }
    }

    private boolean stoppedWithin(Duration duration) throws InterruptedException {
        return stopped.await(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        stopped.countDown();
        monitor.close();
    }
}
