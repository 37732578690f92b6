// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import jnr.ffi.Pointer;
import jnr.ffi.annotations.Out;
import jnr.ffi.byref.PointerByReference;
import jnr.ffi.types.u_int64_t;

/** The C library, as far as it is used. */
public interface LibC {
    int close(int descriptor);

    /** With F_DUPFD_CLOEXEC as the command; the third argument is variadic, which the 64-bit ABIs pass alike. */
    int fcntl(int descriptor, int command, int argument);

    int if_nametoindex(String name);

    int mount(String source, String target, String type, @u_int64_t long flags, String data);

    int vasprintf(@Out PointerByReference text, Pointer format, Pointer arguments);

    void free(Pointer memory);
}
