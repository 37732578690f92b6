// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths, which are absolute: the agent does not run where its configuration was written. */
final class PathLiteral {
    /** The longest path of a unix socket, in bytes (unix(7)). */
    private static final int MAX_SOCKET = 107;

    private PathLiteral() {}

    static Path absolute(String text) {
        try {
            Path path = Path.of(text);
            if (!path.isAbsolute()) {
                throw new ImpossibleValueException(Shown.quoted(text) + " is not an absolute path");
            }
            return path.normalize();
        } catch (InvalidPathException e) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not a path");
        }
    }

    static Path socket(String text) {
        Path path = absolute(text);
        if (path.toString().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is too long for a socket, which takes " + MAX_SOCKET + " bytes");
        }
        return path;
    }

    /** A directory in a BPF file system, which refuses names with a dot. */
    static Path bpffs(String text) {
        Path path = absolute(text);
        for (Path name : path) {
            if (name.toString().indexOf('.') >= 0) {
                throw new ImpossibleValueException(
                        Shown.quoted(text) + " has a dot in a name, which BPF file systems refuse");
            }
        }
        return path;
    }
}
