// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.test.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An nginx of its own in a directory of its own, on loopback ports; closing ends it. */
final class Nginx implements AutoCloseable {
    private static final String FRAME = """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log error.log;
            events {}
            http {
              access_log off;
              client_body_temp_path body;
              proxy_temp_path proxy;
              fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi;
              scgi_temp_path scgi;
              default_type text/plain;
            """;

    private final ServerProcess process;

    /** @param servers blocks of nginx's configuration, whose ports are free ones */
    Nginx(Path directory, String servers, InetSocketAddress ready) {
        Machine.need("nginx", Machine.succeeds("nginx", "-v"), "there is no nginx");
        try {
            Files.writeString(directory.resolve("nginx.conf"), FRAME + servers + "}\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process = new ServerProcess(
                List.of("nginx", "-p", directory.toString(), "-e", "error.log", "-c", "nginx.conf"), ready);
    }

    /** A port of 127.0.0.1 that was free a moment ago. */
    static InetSocketAddress freePort() {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) listener.getLocalSocketAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
