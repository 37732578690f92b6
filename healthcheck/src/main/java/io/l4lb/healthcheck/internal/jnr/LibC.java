// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.internal.jnr;

import jnr.ffi.LibraryLoader;
import jnr.ffi.LibraryOption;
import jnr.ffi.annotations.In;

/** The calls as the C library declares them. */
public interface LibC {
    /** Loads the C library. */
    static LibC load() {
        return LibraryLoader.create(LibC.class)
                .option(LibraryOption.SaveError, true)
                .load("c");
    }

    /** socket(2). */
    int socket(int domain, int type, int protocol);

    /** setsockopt(2). */
    int setsockopt(int descriptor, int level, int option, @In byte[] value, int length);

    /** connect(2). */
    int connect(int descriptor, @In byte[] address, int length);

    /** close(2). */
    int close(int descriptor);
}
