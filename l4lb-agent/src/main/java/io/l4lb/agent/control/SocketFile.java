// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/**
 * The file of the control socket. The socket is bound under a temporary name, gets its mode and group, and is then
 * renamed, so that it never exists with other permissions and a client never finds none where one was.
 */
final class SocketFile {
    private static final System.Logger LOG = System.getLogger(SocketFile.class.getName());
    /** {@code sun_path} of sockaddr_un holds 108 bytes and the terminating zero. */
    private static final int MAX_BYTES = 107;

    private static final String TEMPORARY = ".new";
    private static final int TYPE_MASK = 0170000;
    private static final int TYPE_SOCKET = 0140000;

    private final Path path;
    private final Path temporary;
    private long inode = -1;

    private SocketFile(Path path) {
        this.path = path;
        this.temporary = path.resolveSibling(path.getFileName() + TEMPORARY);
    }

    /**
     * Makes sure that a socket may be put at {@code path}.
     *
     * @throws ControlException a server is listening there, a file is there that is no socket, or the path is unusable
     */
    static SocketFile prepare(Path path) {
        Path absolute = path.toAbsolutePath();
        int longest = MAX_BYTES - TEMPORARY.length();
        if (absolute.toString().getBytes(StandardCharsets.UTF_8).length > longest) {
            throw refused(path, "the path is longer than " + longest + " bytes");
        }
        SocketFile file = new SocketFile(absolute);
        try {
            file.createDirectory();
            if (isThere(absolute)) {
                requireStale(absolute);
            }
            if (isThere(file.temporary)) {
                requireStale(file.temporary);
                Files.delete(file.temporary);
            }
        } catch (IOException e) {
            throw failed(path, e);
        }
        return file;
    }

    /** Where clients find it. */
    Path path() {
        return path;
    }

    /** Where to bind. */
    Path temporary() {
        return temporary;
    }

    /** Gives the bound socket its mode, its group if there is such a group, and its name. */
    void publish(String group) {
        try {
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-rw----"));
            giveTo(group);
            inode = inode(temporary);
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    /** Removes what {@link #publish} made, unless another server has put its own there. */
    void remove() {
        try {
            if (isThere(path) && inode(path) == inode) {
                Files.delete(path);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", path, e.toString());
        }
    }

    private void createDirectory() throws IOException {
        Path directory = path.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectories(directory);
            // Whatever the umask: members of the group have to get to the socket.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private void giveTo(String group) throws IOException {
        GroupPrincipal principal;
        try {
            principal = path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
        } catch (UserPrincipalNotFoundException e) {
            return;
        }
        PosixFileAttributeView view = Files.getFileAttributeView(temporary, PosixFileAttributeView.class);
        try {
            view.setGroup(principal);
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "cannot give {0} to the group {1}, so only its owner can use it: {2}",
                    path,
                    group,
                    e.toString());
        }
    }

    private static boolean isThere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static void requireStale(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & TYPE_MASK) != TYPE_SOCKET) {
            throw refused(path, "a file is there that is not a socket; it is left alone");
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // Not blocking: a full queue of clients would keep us, and means that somebody listens.
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(path));
            throw new ControlException(ControlException.Kind.LISTEN, "another agent is listening on " + path);
        } catch (ConnectException | NoSuchFileException e) {
            // Refused: nobody has it open.
            return;
        }
    }

    private static long inode(Path path) throws IOException {
        return (Long) Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    private static ControlException refused(Path path, String why) {
        return new ControlException(ControlException.Kind.LISTEN, "cannot listen on " + path + ": " + why);
    }

    private static ControlException failed(Path path, IOException e) {
        return new ControlException(
                ControlException.Kind.LISTEN, "cannot listen on " + path + ": " + FileProblem.words(e), e);
    }
}
