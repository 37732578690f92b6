// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The ExaBGP process beside the agent.
 *
 * @param program the exabgp program
 * @param directory absolute; the speaker's own files: exabgp.conf, bridge.py, exabgp.log, exabgp.pid, and run/ with the
 *     socket bridge.sock, which belongs to {@code user}
 * @param run whether the speaker starts and supervises ExaBGP; false: somebody else does, it only connects
 * @param user what ExaBGP runs as once started by root; ignored if there is no such user
 * @param commandPrefix put before the program, such as "ip netns exec NAME"
 * @param deadMan after so long without an agent all routes are withdrawn, whole seconds; zero: they stay
 */
public record ExaBgpSettings(
        Path program, Path directory, boolean run, String user, List<String> commandPrefix, Duration deadMan) {
    public static final Path DEFAULT_PROGRAM = Path.of("/usr/sbin/exabgp");
    public static final String DEFAULT_USER = "exabgp";

    /** sun_path of unix(7), without its final zero. */
    private static final int MAX_SOCKET_PATH = 107;

    public ExaBgpSettings {
        commandPrefix = List.copyOf(commandPrefix);
        checkPath(program);
        checkPath(directory);
        if (socket(directory).toString().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH) {
            throw new IllegalArgumentException("too long for the path of a socket: " + socket(directory));
        }
        if (deadMan.isNegative() || !deadMan.equals(Duration.ofSeconds(deadMan.toSeconds()))) {
            throw new IllegalArgumentException("dead-man time " + deadMan + " is not whole seconds");
        }
    }

    /** ExaBGP of the distribution, started and supervised, with its files in the directory; routes stay for ever. */
    public static ExaBgpSettings in(Path directory) {
        return new ExaBgpSettings(DEFAULT_PROGRAM, directory, true, DEFAULT_USER, List.of(), Duration.ZERO);
    }

    /** The same with another exabgp program. */
    public ExaBgpSettings withProgram(Path other) {
        return new ExaBgpSettings(other, directory, run, user, commandPrefix, deadMan);
    }

    public Path socket() {
        return socket(directory);
    }

    private static Path socket(Path directory) {
        return directory.resolve("run").resolve("bridge.sock");
    }

    /** These paths are written into ExaBGP's configuration, whose language has no way to quote. */
    private static void checkPath(Path path) {
        if (!path.isAbsolute() || !path.toString().matches("[A-Za-z0-9/._+@%=,-]+")) {
            throw new IllegalArgumentException("not an absolute path of plain characters: " + path);
        }
    }
}
