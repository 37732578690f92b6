// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.internal.jnr.EchoSockets;
import org.jspecify.annotations.Nullable;

/** What probes need beside their own: made when the first one needs it. For the loop alone. */
final class Means implements AutoCloseable {
    private final TlsClients tls = new TlsClients();
    private final Commands commands = new Commands();
    private @Nullable EchoSockets echo;

    TlsClients tls() {
        return tls;
    }

    Commands commands() {
        return commands;
    }

    /** Loads the C library. */
    EchoSockets echo() {
        if (echo == null) {
            echo = new EchoSockets();
        }
        return echo;
    }

    @Override
    public void close() {
        commands.close();
    }
}
