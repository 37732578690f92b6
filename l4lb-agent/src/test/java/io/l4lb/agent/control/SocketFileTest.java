// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SocketFileTest {
    @TempDir
    private Path directory;

    private final FakeControlApi api = new FakeControlApi();

    private Path socket() {
        return directory.resolve("run/l4lb/control.sock");
    }

    private static void assertServes(ControlServer server) {
        try (ControlClient client = new ControlClient(server.socket())) {
            assertEquals(
                    "degraded",
                    client.get("/v1/status", Duration.ofSeconds(20))
                            .path("state")
                            .asText());
        }
    }

    private void makeStale(Path path) throws IOException {
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertTrue(Files.exists(path));
    }

    @Test
    void isPrivateToOwnerAndGroupAndGoneAfterwards() throws IOException {
        try (ControlServer server = ControlServer.start(socket(), api)) {
            assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())));
            assertEquals(
                    "rwxr-xr-x",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(Objects.requireNonNull(socket().getParent()))));
            assertServes(server);
        }
        try (Stream<Path> files = Files.list(Objects.requireNonNull(socket().getParent()))) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void aGroupThatExistsGetsIt() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a file to any group");
        Files.createDirectories(Objects.requireNonNull(socket().getParent()));
        SocketFile file = SocketFile.prepare(socket());
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(file.temporary()));
            file.publish("daemon");
            assertEquals(
                    "daemon",
                    Files.readAttributes(socket(), PosixFileAttributes.class)
                            .group()
                            .getName());
        }
    }

    @Test
    void aStaleSocketIsReplaced() throws IOException {
        makeStale(socket());
        makeStale(socket().resolveSibling("control.sock.new"));
        try (ControlServer server = ControlServer.start(socket(), api)) {
            assertServes(server);
        }
    }

    @Test
    void aLiveSocketIsAnError() {
        try (ControlServer server = ControlServer.start(socket(), api)) {
            ControlException failure = assertThrows(ControlException.class, () -> ControlServer.start(socket(), api));
            assertEquals("another agent is listening on " + socket(), failure.getMessage());
            assertEquals(ControlException.Kind.LISTEN, failure.kind());
            assertServes(server);
        }
    }

    @Test
    void anotherFileIsLeftAlone() throws IOException {
        Files.createDirectories(Objects.requireNonNull(socket().getParent()));
        Files.writeString(socket(), "precious");
        ControlException failure = assertThrows(ControlException.class, () -> ControlServer.start(socket(), api));
        assertEquals(
                "cannot listen on " + socket() + ": a file is there that is not a socket; it is left alone",
                failure.getMessage());
        assertEquals("precious", Files.readString(socket()));
    }

    @Test
    void aSymbolicLinkIsLeftAlone() throws IOException {
        Files.createDirectories(Objects.requireNonNull(socket().getParent()));
        Files.createSymbolicLink(socket(), Path.of("elsewhere"));
        assertThrows(ControlException.class, () -> ControlServer.start(socket(), api));
        assertTrue(Files.isSymbolicLink(socket()));
    }

    @Test
    void aSuccessorsSocketIsNotRemoved() throws IOException {
        try (ControlServer server = ControlServer.start(socket(), api)) {
            Files.move(server.socket(), socket().resolveSibling("moved.sock"));
            makeStale(socket());
        }
        assertTrue(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aPathThatIsTooLongIsAnError() {
        Path path = directory.resolve("x".repeat(100)).resolve("control.sock");
        ControlException failure = assertThrows(ControlException.class, () -> ControlServer.start(path, api));
        assertEquals("cannot listen on " + path + ": the path is longer than 103 bytes", failure.getMessage());
        assertFalse(Files.exists(Objects.requireNonNull(path.getParent())));
    }

    @Test
    void aMissingAgentIsUnreachable() throws IOException {
        makeStale(socket());
        Path missing = directory.resolve("none.sock");
        for (Path path : List.of(socket(), missing, directory.resolve("no/such/directory.sock"))) {
            try (ControlClient client = new ControlClient(path)) {
                ControlException failure =
                        assertThrows(ControlException.class, () -> client.get("/v1/status", Duration.ofSeconds(20)));
                assertEquals(ControlException.Kind.UNREACHABLE, failure.kind());
                assertEquals("no agent listens on " + path + "; is it running? (l4lb agent)", failure.getMessage());
            }
        }
    }

    @Test
    void startingAndAskingLeaksNoDescriptors() throws IOException {
        startAndAsk();
        long before = descriptors();
        for (int i = 0; i < 20; i++) {
            startAndAsk();
        }
        assertTrue(descriptors() <= before, () -> "more than " + before + " descriptors are open");
    }

    private void startAndAsk() {
        try (ControlServer server = ControlServer.start(socket(), api);
                RawClient idle = new RawClient(server.socket())) {
            idle.send("GET ");
            assertServes(server);
            assertThrows(ControlException.class, () -> ControlServer.start(socket(), api));
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
