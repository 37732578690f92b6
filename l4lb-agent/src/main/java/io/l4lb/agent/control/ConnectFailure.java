// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;

/**
 * Says in an operator's words why nobody could be asked. The socket's file tells more, and in better words, than the
 * errno that the native transport hides in its message.
 */
record ConnectFailure(Path socket, Throwable cause) {
    ControlException exception() {
        return new ControlException(ControlException.Kind.UNREACHABLE, message(), cause);
    }

    private String message() {
        if (cause instanceof EOFException) {
            return "the agent on " + socket + " closed the connection without an answer";
        }
        String text = String.valueOf(cause.getMessage());
        if (denied()) {
            return "permission denied on " + socket + "; " + remedy();
        }
        if (Files.notExists(socket, LinkOption.NOFOLLOW_LINKS) || text.contains("Connection refused")) {
            return "no agent listens on " + socket + "; is it running? (l4lb agent)";
        }
        return "cannot reach the agent on " + socket + ": " + text;
    }

    /** Whether the socket, or a directory on the way to it, is closed to the caller. */
    private boolean denied() {
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return !Files.isWritable(socket);
        }
        return !Files.notExists(socket, LinkOption.NOFOLLOW_LINKS);
    }

    private String remedy() {
        try {
            String group = Files.readAttributes(socket, PosixFileAttributes.class)
                    .group()
                    .getName();
            return "root and members of the group \"" + group + "\" may use it";
        } catch (IOException e) {
            return "root and members of the group \"" + ControlServer.GROUP + "\" may use it";
        }
    }
}
