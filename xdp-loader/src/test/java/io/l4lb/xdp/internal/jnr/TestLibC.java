// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import jnr.ffi.LibraryLoader;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;

/** What tests need of the C library beyond the product's own use. */
public interface TestLibC {
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

    static TestLibC load() {
        return LibraryLoader.create(TestLibC.class).load("c");
    }
}
