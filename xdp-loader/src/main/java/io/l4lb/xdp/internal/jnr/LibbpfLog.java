// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import java.util.ArrayDeque;
import java.util.Deque;
import jnr.ffi.Pointer;
import jnr.ffi.byref.PointerByReference;

/**
 * What libbpf prints, the verifier's log included: kept for the exception instead of going to stderr. The print
 * function is one for the whole process, but it is called by the thread that called libbpf, hence the
 * thread-local.
 */
final class LibbpfLog {
    static final LibBpf.Print PRINT = LibbpfLog::print;

    private static final int LEVEL_INFO = 1;
    private static final int KEPT_LINES = 60;
    private static final ThreadLocal<Deque<String>> LINES = ThreadLocal.withInitial(ArrayDeque::new);

    private LibbpfLog() {}

    /** Forgets what this thread's earlier calls printed. */
    static void begin() {
        LINES.get().clear();
    }

    /** The last lines that this thread's calls printed since {@link #begin}. */
    static String take() {
        String text = String.join("\n", LINES.get());
        LINES.get().clear();
        return text;
    }

    private static int print(int level, Pointer format, Pointer arguments) {
        if (level > LEVEL_INFO) {
            return 0;
        }
        PointerByReference reference = new PointerByReference();
        int length = Native.libc().vasprintf(reference, format, arguments);
        Pointer text = reference.getValue();
        if (length < 0 || text == null) {
            return 0;
        }
        try {
            text.getString(0).lines().forEach(LibbpfLog::keep);
        } finally {
            Native.libc().free(text);
        }
        return length;
    }

    private static void keep(String line) {
        Deque<String> lines = LINES.get();
        if (lines.size() == KEPT_LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }
}
