// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test.internal.jnr;

import java.util.Optional;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/** Whether BPF can be used here, found out by creating a map. */
public final class BpfProbe {
    private static final int MAP_TYPE_ARRAY = 2;

    private BpfProbe() {}

    /** The one call that is needed. Public because JNR-FFI implements it from outside this package. */
    public interface LibBpf {
        int bpf_map_create(int type, String name, int keySize, int valueSize, int entries, @Nullable Pointer options);
    }

    /** Empty if it can, else why not. */
    public static Optional<String> problem() {
        LibBpf library;
        try {
            library = LibraryLoader.create(LibBpf.class).failImmediately().load("libbpf.so.1");
        } catch (UnsatisfiedLinkError e) {
            return Optional.of("no libbpf 1.x: " + e.getMessage());
        }
        int map = library.bpf_map_create(MAP_TYPE_ARRAY, "probe", 4, 4, 1, null);
        if (map < 0) {
            return Optional.of("a map cannot be created: error " + -map);
        }
        LibC.get().close(map);
        return Optional.empty();
    }
}
