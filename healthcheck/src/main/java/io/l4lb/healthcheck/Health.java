// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import io.l4lb.healthcheck.load.LoadReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What is known about one target: its dampened state, and the probes behind it.
 *
 * @param assumed why it is in its state as long as no verdict has come
 * @param last the latest verdict that says something of the real; before there is one, the latest of all
 * @param load what the real said of its load last
 */
public record Health(
        Dampening dampening, String assumed, Optional<LastProbe> last, History history, Optional<LastLoad> load) {
    /** When a verdict came, and what it said. */
    public record LastProbe(Instant at, Verdict verdict) {
        public LastProbe {
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(verdict, "verdict");
        }
    }

    /**
     * A load report, and when it came.
     *
     * @param problem why no other has come since, if the latest answer had one that could not be read; empty: it could
     */
    public record LastLoad(Optional<LoadReport> report, Instant at, String problem) {}

    public Health {
        Objects.requireNonNull(dampening, "dampening");
        Objects.requireNonNull(assumed, "assumed");
        Objects.requireNonNull(last, "last");
        Objects.requireNonNull(history, "history");
        Objects.requireNonNull(load, "load");
    }

    /** Before the first verdict: UNKNOWN, or UP for a target that an earlier run left serving. */
    public static Health start(Timing timing, HealthState state, Instant since) {
        String assumed = state == HealthState.UNKNOWN ? "not probed yet" : "adopted, not probed yet";
        return of(Dampening.start(timing, state, since), assumed);
    }

    /**
     * As an earlier run left it: stale until the first verdict.
     *
     * @param flaps in a row, see {@link Hold}
     * @param reason that the earlier run had
     */
    public static Health restored(Timing timing, HealthState state, Instant since, int flaps, String reason) {
        return of(new Dampening(timing, state, since, 0, flaps), reason);
    }

    private static Health of(Dampening dampening, String assumed) {
        return new Health(dampening, assumed, Optional.empty(), History.EMPTY, Optional.empty());
    }

    public Health next(Verdict verdict, Instant at) {
        Dampening nextDampening = dampening.next(verdict, at);
        boolean says = verdict.outcome() != Verdict.Outcome.INCONCLUSIVE;
        return new Health(
                nextDampening,
                assumed,
                says || !verified() ? Optional.of(new LastProbe(at, verdict)) : last,
                history.with(verdict, nextDampening.state(), at),
                verdict.notes()
                        .load()
                        .<LastLoad>map(reading -> reading.report()
                                .map(report -> new LastLoad(Optional.of(report), at, ""))
                                .orElseGet(() -> unreadable(reading.problem(), at)))
                        .or(() -> load));
    }

    private LastLoad unreadable(String problem, Instant at) {
        return load.map(known -> new LastLoad(known.report(), known.at(), problem))
                .orElseGet(() -> new LastLoad(Optional.empty(), at, problem));
    }

    public Health with(Timing timing) {
        return new Health(dampening.with(timing), assumed, last, history, load);
    }

    public HealthState state() {
        return dampening.state();
    }

    /** False until the first verdict that says something. */
    public boolean verified() {
        return dampening.verified();
    }

    /** The state is an earlier run's, and no probe has said so yet. */
    public boolean stale() {
        return !verified() && state() != HealthState.UNKNOWN;
    }

    /** The last verdict's words, or why there is none. */
    public String reason() {
        return last.map(probe -> probe.verdict().reason()).orElse(assumed);
    }

    /** When the present state began. */
    public Instant since() {
        return dampening.since();
    }

    public Optional<Instant> lastProbe() {
        return last.map(LastProbe::at);
    }

    public Optional<Duration> lastLatency() {
        return last.map(probe -> probe.verdict().latency());
    }

    /** What the last answer warned of; empty: nothing. */
    public String warning() {
        return last.map(probe -> probe.verdict().notes().warning()).orElse("");
    }

    /** Successes in a row, 0 after a failure. */
    public int successes() {
        return dampening.successes();
    }

    /** Failures in a row, 0 after a success. */
    public int failures() {
        return dampening.failures();
    }
}
