// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfUnsupportedException;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import org.jspecify.annotations.Nullable;

/** The loaded libraries: loaded once, at the first call that needs them. */
final class Native {
    static final String LIBRARY = "libbpf.so.1";

    private Native() {}

    static LibBpf libbpf() {
        LibBpf library = Loaded.BPF.library;
        if (library == null) {
            throw new BpfUnsupportedException("load " + LIBRARY, "not found", Loaded.BPF.problem);
        }
        return library;
    }

    static LibC libc() {
        return LoadedC.LIBRARY;
    }

    static int errno() {
        return Runtime.getSystemRuntime().getLastError();
    }

    /** Either the library or why there is none: kept, so that every caller gets the reason, not just the first. */
    private static final class Loaded {
        static final Loaded BPF = load();

        final @Nullable LibBpf library;
        final String problem;

        private Loaded(@Nullable LibBpf library, String problem) {
            this.library = library;
            this.problem = problem;
        }

        private static Loaded load() {
            try {
                LibBpf library =
                        LibraryLoader.create(LibBpf.class).failImmediately().load(LIBRARY);
                library.libbpf_set_print(LibbpfLog.PRINT);
                return new Loaded(library, "");
            } catch (UnsatisfiedLinkError e) {
                return new Loaded(null, "install libbpf 1.x (Debian: libbpf1); " + e.getMessage());
            }
        }
    }

    private static final class LoadedC {
        static final LibC LIBRARY = LibraryLoader.create(LibC.class).load("c");
    }
}
