// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Remembers what was started; its test gives the verdicts. */
final class FakeProber implements Prober {
    record Started(ProbeTarget target, Consumer<Verdict> sink) {
        void answer(boolean success, String reason) {
            sink.accept(new Verdict(success, reason, Duration.ofMillis(5)));
        }
    }

    private final Deque<Started> inFlight = new ArrayDeque<>();
    private final List<String> startedIds = new ArrayList<>();

    @Override
    public void probe(ProbeTarget target, Consumer<Verdict> sink) {
        inFlight.add(new Started(target, sink));
        startedIds.add(target.id());
    }

    /** The probe that is in flight longest. */
    Started take() {
        return inFlight.remove();
    }

    int inFlight() {
        return inFlight.size();
    }

    /** In the order of their start. */
    List<String> startedIds() {
        return List.copyOf(startedIds);
    }
}
