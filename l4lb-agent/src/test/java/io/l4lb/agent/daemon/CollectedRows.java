// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.RowSink;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A client that keeps all rows; a failure is the text of it. */
final class CollectedRows implements RowSink {
    private final List<Object> rows = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean gone;

    /** All rows, once there are no more. */
    List<Object> all() {
        try {
            if (!end.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("there is no end behind " + rows);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return rows;
    }

    boolean ended() {
        return end.getCount() == 0;
    }

    /** Goes away. */
    void leave() {
        gone = true;
    }

    @Override
    public boolean put(Object row) {
        rows.add(row);
        return !gone;
    }

    @Override
    public boolean offer(Object row) {
        return put(row);
    }

    @Override
    public void flush() {}

    @Override
    public boolean isOpen() {
        return !gone;
    }

    @Override
    public void end() {
        end.countDown();
    }

    @Override
    public void fail(String message) {
        rows.add(message);
        end();
    }
}
