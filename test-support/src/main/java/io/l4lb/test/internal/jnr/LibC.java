// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test.internal.jnr;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;

/** What tests need of the C library. Public because JNR-FFI implements it from outside this package. */
public interface LibC {
    int open(String path, int flags);

    int close(int descriptor);

    int setns(int descriptor, int type);

    int capset(@In byte[] header, @In byte[] data);

    int socket(int domain, int type, int protocol);

    int setsockopt(int socket, int level, int option, @In byte[] value, int length);

    int connect(int socket, @In byte[] address, int length);

    int shutdown(int socket, int how);

    @ssize_t
    long send(int socket, @In byte[] data, @size_t long length, int flags);

    @ssize_t
    long recv(int socket, @Out byte[] data, @size_t long length, int flags);

    static LibC get() {
        return Loaded.LIBC;
    }

    /** The number of the error of this thread's last call. */
    static int errno() {
        return Runtime.getSystemRuntime().getLastError();
    }

    /** Binds the library on first use, once. */
    final class Loaded {
        private static final LibC LIBC = LibraryLoader.create(LibC.class).load("c");

        private Loaded() {}
    }
}
