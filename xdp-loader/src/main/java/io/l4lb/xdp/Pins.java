// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Descriptors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Names in a bpffs that keep maps, programs and links alive. */
final class Pins {
    private Pins() {}

    static void pin(Descriptor descriptor, Path path) {
        check(path);
        Descriptors.pin(descriptor.number(), path.toString());
    }

    /**
     * Opens what is pinned there.
     *
     * @param kind what it has to be, as the kernel names its descriptors: {@code map}, {@code prog}, {@code link}
     * @return empty if nothing is pinned there
     */
    static Optional<Descriptor> open(Path path, String kind) {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        check(path);
        OptionalInt number = Descriptors.openPinned(path.toString());
        if (number.isEmpty()) {
            return Optional.empty();
        }
        Descriptor descriptor = new Descriptor(number.getAsInt());
        String found = kindOf(descriptor);
        if (!found.contains(kind)) {
            descriptor.close();
            throw new BpfException(
                    "open pin " + path, Errno.EINVAL.name(), "a " + kind + " was expected, this is a " + found);
        }
        return Optional.of(descriptor);
    }

    /** For instance {@code anon_inode:bpf-map}. */
    private static String kindOf(Descriptor descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor.number()))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The kernel answers EPERM to both of these, which says nothing. */
    static void check(Path path) {
        Path name = path.getFileName();
        Path directory = path.toAbsolutePath().getParent();
        if (name == null || directory == null || name.toString().contains(".")) {
            throw new IllegalArgumentException("a pin's name must not contain a dot: " + path);
        }
        if (Files.isDirectory(directory) && !BpfFs.isMounted(directory)) {
            throw new BpfUnsupportedException(
                    "use pin " + path,
                    Errno.EPERM.name(),
                    "no bpffs is mounted there; mount -t bpf bpf on a directory above");
        }
    }

    static boolean remove(Path path) {
        try {
            return Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("remove pin " + path, e);
        }
    }
}
