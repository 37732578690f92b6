// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.internal.jnr;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.In;
import jnr.ffi.types.size_t;
import jnr.ffi.types.socklen_t;
import jnr.ffi.types.ssize_t;

/** The C library's calls that a netlink socket needs. Public because JNR-FFI implements it from outside this package. */
public interface LibC {
    int socket(int domain, int type, int protocol);

    int bind(int descriptor, @In byte[] address, @socklen_t long length);

    int setsockopt(int descriptor, int level, int option, @In int[] value, @socklen_t long length);

    @ssize_t
    long send(int descriptor, @In byte[] buffer, @size_t long length, int flags);

    @ssize_t
    long recvfrom(
            int descriptor, Pointer buffer, @size_t long length, int flags, Pointer address, Pointer addressLength);

    int eventfd(int initial, int flags);

    @ssize_t
    long write(int descriptor, @In long[] buffer, @size_t long length);

    int poll(Pointer descriptors, long count, int timeoutMillis);

    int close(int descriptor);

    static LibC get() {
        return Loaded.LIBC;
    }

    /** Binds the library on first use, once. */
    final class Loaded {
        private static final LibC LIBC = LibraryLoader.create(LibC.class).load("c");

        private Loaded() {}
    }
}
