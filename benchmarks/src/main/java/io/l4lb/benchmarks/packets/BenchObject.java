// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.xdp.BpfObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/** The BPF objects of this module, compiled from {@code src/main/bpf}. */
enum BenchObject {
    STUBS,
    WRAPPER;

    /** A new instance of it, loaded. */
    BpfObject load() {
        String name = name().toLowerCase(Locale.ROOT);
        BpfObject object = BpfObject.open(name, bytes(name + ".bpf.o"));
        try {
            return object.load();
        } catch (RuntimeException e) {
            object.close();
            throw e;
        }
    }

    private static byte[] bytes(String file) {
        try (InputStream in = BenchObject.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
