// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The pin of something that is open here: whether it is still there is seen by one look at the file, without opening it. A
 * bpffs gives each pin an inode of its own, so that another in its place is seen as well.
 */
public final class KeptPin {
    private final Path path;
    private @Nullable Object file;

    /** Nothing is open yet. */
    public KeptPin(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** What is there now is what is open here. */
    public void seen() {
        file = look();
    }

    /** Whether there is nothing any more. */
    boolean isGone() {
        return look() == null;
    }

    /** Whether there is something else than when it was last {@link #seen}. */
    boolean isOccupied() {
        Object now = look();
        return now != null && !now.equals(file);
    }

    private @Nullable Object look() {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (IOException e) {
            return null; // pinning will tell why
        }
    }
}
