// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.ExaBgpSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files in the speaker's directory. All belong to the agent's user, and ExaBGP's user may only read them; it owns the
 * directory run/ in which its bridge makes the socket.
 */
final class ExaBgpFiles {
    private static final long LOG_LIMIT = 1 << 20;
    private static final int ROOT = 0;
    private static final String CONFIGURATION = "exabgp.conf";
    private static final String PID_FILE = "exabgp.pid";
    private static final String ENVIRONMENT = "exabgp.env";

    private final BgpSettings settings;
    private final Path directory;

    ExaBgpFiles(BgpSettings settings) {
        this.settings = settings;
        this.directory = settings.exabgp().directory();
    }

    Path configuration() {
        return directory.resolve(CONFIGURATION);
    }

    Path log() {
        return directory.resolve("exabgp.log");
    }

    /** Does not exist: it keeps ExaBGP from reading the settings in /etc/exabgp. */
    Path environment() {
        return directory.resolve(ENVIRONMENT);
    }

    private Path bridge() {
        return directory.resolve("bridge.py");
    }

    private Path pidFile() {
        return directory.resolve(PID_FILE);
    }

    /** Brings all files up to date; returns whether the configuration has changed. */
    boolean write() {
        try (InputStream script = ExaBgpFiles.class.getResourceAsStream("bridge.py")) {
            if (script == null) {
                throw new IllegalStateException("bridge.py is missing from the program");
            }
            String configuration = ExaBgpConfiguration.text(settings, bridge());
            createDirectory(directory, "rwxr-xr-x");
            Path run = createDirectory(directory.resolve("run"), "rwxr-x---");
            Optional<UserPrincipal> user = user();
            if (user.isPresent()) {
                Files.setOwner(run, user.get());
            }
            replace(bridge(), script.readAllBytes());
            return replace(configuration(), configuration.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new BgpException("writing ExaBGP's files in " + directory, e);
        }
    }

    /**
     * The user to become: there must be one, we must be root, and the user must be able to reach the directory. Otherwise
     * ExaBGP runs as what we are.
     */
    Optional<UserPrincipal> user() throws IOException {
        if (!Integer.valueOf(ROOT).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            return Optional.empty();
        }
        for (Path path = directory.getParent(); path != null; path = path.getParent()) {
            if (!Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return Optional.empty();
            }
        }
        return lookUp(settings.exabgp().user());
    }

    private Optional<UserPrincipal> lookUp(String name) {
        try {
            return Optional.of(
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
        } catch (IOException e) {
            return Optional.empty(); // no such user
        }
    }

    /** A log that has grown too big becomes exabgp.log.1; ExaBGP says little, so that this at its start is enough. */
    void boundLog() throws IOException {
        if (Files.exists(log()) && Files.size(log()) > LOG_LIMIT) {
            Files.move(log(), directory.resolve("exabgp.log.1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The last line that ExaBGP has written, to say why it ended. */
    String lastLogLine() {
        try {
            List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Throws BgpException; then the file is as it was. */
    void remember(ProcessIdentity exabgp) {
        try {
            replace(pidFile(), (exabgp + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new BgpException("writing ExaBGP's process to " + pidFile(), e);
        }
    }

    /** The living ExaBGPs of the speaker with that directory: first the remembered one, then those that never were. */
    static List<ProcessIdentity> running(Path directory) {
        Stream<ProcessIdentity> others =
                ProcessIdentity.startedWith(directory.resolve(ENVIRONMENT), directory.resolve(CONFIGURATION)).stream();
        return Stream.concat(remembered(directory).stream(), others).distinct().toList();
    }

    /** The same, of this speaker. */
    List<ProcessIdentity> running() {
        return running(directory);
    }

    private static Optional<ProcessIdentity> remembered(Path directory) {
        try {
            String text = Files.readString(directory.resolve(PID_FILE), StandardCharsets.ISO_8859_1);
            return Optional.of(ProcessIdentity.parse(text.strip()))
                    .filter(process -> process.runs(directory.resolve(CONFIGURATION)));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Path createDirectory(Path path, String permissions) throws IOException {
        Files.createDirectories(path);
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is not a directory");
        }
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Returns whether the content was another one. The file is there as a whole at every moment. */
    private static boolean replace(Path path, byte[] content) throws IOException {
        if (Files.exists(path) && Arrays.equals(Files.readAllBytes(path), content)) {
            return false;
        }
        Path temporary = path.resolveSibling(path.getFileName() + ".new");
        Files.write(temporary, content);
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }

    /** The settings, for those who start the process. */
    ExaBgpSettings exabgp() {
        return settings.exabgp();
    }
}
