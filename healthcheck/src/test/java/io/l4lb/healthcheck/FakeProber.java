// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Remembers what was started; its test gives the verdicts. */
final class FakeProber implements Prober {
    record Started(Probe probe, Consumer<Verdict> sink) {
        void answer(boolean success, String reason) {
            sink.accept(Targets.verdict(success, reason));
        }
    }

    private final Deque<Started> inFlight = new ArrayDeque<>();
    private final List<Probe> startedProbes = new ArrayList<>();

    @Override
    public void probe(Probe probe, Trace trace, Consumer<Verdict> sink) {
        inFlight.add(new Started(probe, sink));
        startedProbes.add(probe);
    }

    /** The probe that is in flight longest. */
    Started take() {
        return inFlight.remove();
    }

    int inFlight() {
        return inFlight.size();
    }

    /** In the order of their start. */
    List<Probe> started() {
        return List.copyOf(startedProbes);
    }
}
