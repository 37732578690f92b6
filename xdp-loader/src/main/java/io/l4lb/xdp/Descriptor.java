// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Descriptors;
import java.util.concurrent.atomic.AtomicInteger;

/** A file descriptor that is closed once, and not used afterwards. */
final class Descriptor implements AutoCloseable {
    private static final int CLOSED = -1;

    private final AtomicInteger number;

    Descriptor(int number) {
        this.number = new AtomicInteger(number);
    }

    int number() {
        int current = number.get();
        if (current == CLOSED) {
            throw new IllegalStateException("the handle is closed");
        }
        return current;
    }

    @Override
    public void close() {
        int last = number.getAndSet(CLOSED);
        if (last != CLOSED) {
            Descriptors.close(last);
        }
    }
}
