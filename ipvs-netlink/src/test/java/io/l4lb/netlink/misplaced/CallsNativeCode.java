// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.misplaced;

import jnr.ffi.Platform;

/** Breaks the rule that only {@code internal.jnr} knows JNR-FFI, so that a test can see the rule notice. */
final class CallsNativeCode {
    private CallsNativeCode() {}

    static String operatingSystem() {
        return Platform.getNativePlatform().getName();
    }
}
