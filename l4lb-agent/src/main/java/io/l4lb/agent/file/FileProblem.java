// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What the JDK says of a file, in an operator's words: of some failures it has nothing but the name of the file. */
public final class FileProblem {
    private FileProblem() {}

    /** Why it failed: a few words without the file's name. */
    public static String words(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NotDirectoryException || failure instanceof FileAlreadyExistsException) {
            return "a file is in the way";
        }
        String reason = failure instanceof FileSystemException known ? known.getReason() : failure.getMessage();
        return reason == null ? "input/output error" : reason;
    }

    /** The same of what is in it. */
    public static String words(UncheckedIOException failure) {
        IOException cause = failure.getCause();
        return cause == null ? String.valueOf(failure.getMessage()) : words(cause);
    }
}
