// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import java.util.Optional;

/**
 * SIGHUP, which asks for a reload. By itself it ends a process, so it is to be taken first of all: one that comes before
 * there is anything to reload is remembered. Methods may be called from any thread.
 */
public final class ReloadSignal {
    private Optional<Runnable> reload = Optional.empty();
    private boolean asked;

    ReloadSignal() {}

    /** Takes it from now on. */
    public static ReloadSignal take() {
        ReloadSignal signal = new ReloadSignal();
        Signals.handle("HUP", signal::raise);
        return signal;
    }

    /** It has come. */
    synchronized void raise() {
        reload.ifPresentOrElse(Runnable::run, () -> asked = true);
    }

    /**
     * From now on this is what it asks for: at once, and once, if it has come before, however often.
     *
     * @param action which does not take long
     */
    synchronized void asksFor(Runnable action) {
        reload = Optional.of(action);
        if (asked) {
            asked = false;
            action.run();
        }
    }
}
