// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.RouteMonitor;
import java.time.Duration;

/** The thread named {@code routes}: says when routes, neighbours, links or addresses have changed in the kernel. */
final class RouteWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RouteWatch.class.getName());
    /** Changes are followed even if the kernel should not have told of one. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    private final RouteMonitor monitor;
    private final Thread thread;
    private volatile boolean stopping;

    private RouteWatch(RouteMonitor monitor, Runnable onChange) {
        this.monitor = monitor;
        this.thread = new Thread(() -> watch(onChange), "routes");
        this.thread.setDaemon(true);
    }

    static RouteWatch start(Runnable onChange) {
        RouteWatch watch = new RouteWatch(RouteMonitor.open(), onChange);
        watch.thread.start();
        return watch;
    }

    private void watch(Runnable onChange) {
        try {
            while (!stopping) {
                monitor.awaitChange(LONGEST_SILENCE);
                onChange.run();
            }
        } catch (NetlinkException e) {
            if (!stopping) {
                LOG.log(System.Logger.Level.ERROR, "routes are not followed any more", e);
            }
        }
    }

    @Override
    public void close() {
        stopping = true;
        monitor.close();
    }
}
