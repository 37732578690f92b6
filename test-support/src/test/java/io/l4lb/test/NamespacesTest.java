// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Namespaces, links between them, and threads inside. */
@Tag("kernel")
final class NamespacesTest {
    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @RegisterExtension
    final InNamespace inside = new InNamespace(() -> {
        Machine.needNetworkNamespaces();
        namespaces.make("inside");
        return namespaces.name("inside");
    });

    private final Callable<Path> where = () -> Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net"));

    @BeforeEach
    void connect() {
        namespaces.make("a");
        namespaces.make("b");
        namespaces.connect("a", "v0", "b", "v1");
    }

    @Test
    void linksConnectAndAllIsGoneAfterwards() throws Exception {
        namespaces.batch("a", "addr add 10.9.0.1/24 dev v0\naddr add fd00:9::1/64 dev v0\n");
        namespaces.ip("b", "addr add 10.9.0.2/24 dev v1");
        InetAddress address = InetAddress.getByName("10.9.0.1");
        try (ServerSocket server = ThreadContext.inNamespace(namespaces.name("a"), () -> new ServerSocket(0));
                Socket client = ThreadContext.inNamespace(
                        namespaces.name("b"), () -> new Socket(address, server.getLocalPort()))) {
            assertTrue(client.isConnected());
        }
        String name = namespaces.name("a");
        assertTrue(Machine.run("ip", "netns", "list").contains(name));
        namespaces.close();
        assertFalse(Machine.run("ip", "netns", "list").contains(name));
    }

    @Test
    void threadsAreWhereTheyShallBe() throws Exception {
        Path inA = ThreadContext.inNamespace(namespaces.name("a"), where);
        assertFalse(inA.equals(where.call()));
        assertEquals(where.call(), ThreadContext.inNamespace(namespaces.name("inside"), where));
        try (NamespaceThread inB = new NamespaceThread(namespaces.name("b"))) {
            assertFalse(inA.equals(inB.call(where)));
            assertSame(inB.call(Thread::currentThread), inB.call(Thread::currentThread));
        }
    }

    @Test
    void whatCodeThrowsIsThrown() {
        String a = namespaces.name("a");
        assertThrows(
                IOException.class,
                () -> ThreadContext.inNamespace(a, () -> {
                    throw new IOException("here");
                }));
        assertThrows(
                AssertionError.class,
                () -> ThreadContext.inNamespace(a, () -> {
                    throw new AssertionError("here");
                }));
        assertThrows(IllegalStateException.class, () -> ThreadContext.inNamespace("no-such", where));
    }
}
