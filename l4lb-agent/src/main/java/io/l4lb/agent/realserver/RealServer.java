// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.realserver.Step.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** The three commands on a real. All methods throw {@link RealServerException}. */
public final class RealServer {
    private final Function<Path, Host> hosts;
    private final Path stateFile;
    private final BooleanSupplier interrupted;

    /** @param hosts opens the machine, by the directory of our program's pins */
    RealServer(Function<Path, Host> hosts, Path stateFile, BooleanSupplier interrupted) {
        this.hosts = hosts;
        this.stateFile = stateFile;
        this.interrupted = interrupted;
    }

    /**
     * This machine, in the calling thread's network namespace.
     *
     * @param interrupted whether a setup or teardown that is under way is to end; a setup then undoes what it has done
     */
    public static RealServer here(Path stateFile, BooleanSupplier interrupted) {
        return new RealServer(KernelHost::open, stateFile, interrupted);
    }

    /**
     * What a setup ends with.
     *
     * @param method who opens the tunnels now
     * @param notes what the operator should know
     */
    public record Result(String interfaceName, Method method, List<String> notes) {}

    /**
     * How the real is.
     *
     * @param problems why it could not be set up like this now; empty if it could
     * @param counters of our program
     */
    public record Status(Result setup, List<Check> checks, List<String> problems, Map<String, Long> counters) {
        public boolean isWhole() {
            return problems.isEmpty() && checks.stream().allMatch(check -> check.verdict() == Check.Verdict.OK);
        }
    }

    /**
     * Makes this server a real, or brings one up to date. Idempotent.
     *
     * @param dryRun change nothing, only tell what would be changed
     * @param told each step, when it is done
     */
    public Result setup(SetupRequest request, boolean dryRun, Consumer<Step> told) {
        try (Host host = open(request.pinDirectory())) {
            Optional<SetupRecord> known = StateFile.load(stateFile);
            known.ifPresent(record -> checkPins(record, request));
            Blueprint blueprint = blueprint(host, request, known);
            refuse(host, blueprint);
            if (dryRun) {
                blueprint.pieces().forEach(piece -> told.accept(step(host, piece)));
                wouldUndo(host, leftOver(blueprint, known), told);
            } else {
                make(host, request, blueprint, told);
            }
            return new Result(blueprint.interfaceName(), blueprint.method(), blueprint.notes());
        }
    }

    /** What is known to fail is not begun. */
    private static void refuse(Host host, Blueprint blueprint) {
        List<String> refusals = blueprint.pieces().stream()
                .filter(piece -> !host.read(piece.item()).equals(piece.value()))
                .map(piece -> host.refusal(piece.item(), piece.value()))
                .filter(refusal -> !refusal.isEmpty())
                .toList();
        if (!refusals.isEmpty()) {
            throw new RealServerException(refusals);
        }
    }

    private void make(Host host, SetupRequest request, Blueprint blueprint, Consumer<Step> told) {
        SetupRequest settled = new SetupRequest(
                request.vips(),
                Optional.of(blueprint.interfaceName()),
                blueprint.method(),
                request.directorSources(),
                request.pinDirectory());
        try (StateFile state = StateFile.open(stateFile)) {
            SetupRecord record = state.load().orElseGet(() -> new SetupRecord(settled, List.of()));
            new Setup(host, state, interrupted, told).make(blueprint, settled, record);
        }
    }

    /**
     * Undoes what was set up, except what somebody has changed since.
     *
     * @return whether there was anything
     */
    public boolean teardown(boolean dryRun, Consumer<Step> told) {
        Optional<SetupRecord> known = StateFile.load(stateFile);
        if (known.isEmpty()) {
            return false;
        }
        try (Host host = open(known.get().request().pinDirectory())) {
            if (dryRun) {
                wouldUndo(host, known.get().entries(), told);
                return true;
            }
            try (StateFile state = StateFile.open(stateFile)) {
                SetupRecord record = state.load().orElse(known.get());
                List<String> problems = new Setup(host, state, interrupted, told).undo(record.entries(), record);
                if (!problems.isEmpty()) {
                    throw new RealServerException(problems);
                }
                state.delete();
            }
            return true;
        }
    }

    /** Holds this server against what was set up; empty if nothing was. */
    public Optional<Status> status() {
        Optional<SetupRecord> known = StateFile.load(stateFile);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        SetupRequest request = known.get().request();
        try (Host host = open(request.pinDirectory())) {
            Map<Item, Piece> pieces = new LinkedHashMap<>();
            List<String> problems = new ArrayList<>();
            List<String> notes = List.of();
            known.get().entries().forEach(entry -> pieces.put(entry.item(), entry.piece()));
            try {
                // What has come since: another address of this host, say.
                Blueprint blueprint = blueprint(host, request, known);
                blueprint.pieces().forEach(piece -> pieces.put(piece.item(), piece));
                notes = blueprint.notes();
            } catch (RealServerException e) {
                problems.addAll(e.problems());
            }
            List<Check> checks = pieces.values().stream()
                    .map(piece -> new Check(piece.item(), piece.value(), host.read(piece.item())))
                    .toList();
            Result setup = new Result(request.interfaceName().orElse(""), request.method(), notes);
            return Optional.of(new Status(setup, checks, problems, host.counters()));
        }
    }

    private Host open(Path pinDirectory) {
        Host host = hosts.apply(pinDirectory);
        String missing = host.missingPrivilege();
        if (!missing.isEmpty()) {
            host.close();
            throw new RealServerException(missing);
        }
        return host;
    }

    private void checkPins(SetupRecord record, SetupRequest request) {
        if (!record.request().pinDirectory().equals(request.pinDirectory())) {
            throw new RealServerException("this server was set up with its pins in "
                    + record.request().pinDirectory() + "; l4lb real teardown first");
        }
    }

    private static Blueprint blueprint(Host host, SetupRequest request, Optional<SetupRecord> known) {
        Set<Item> own = known.map(SetupRecord::items).orElse(Set.of());
        return Blueprint.of(request, host.look(request).without(own));
    }

    private static List<Entry> leftOver(Blueprint blueprint, Optional<SetupRecord> known) {
        List<Item> wanted = blueprint.pieces().stream().map(Piece::item).toList();
        return known.map(SetupRecord::entries).orElse(List.of()).stream()
                .filter(entry -> !wanted.contains(entry.item()))
                .toList();
    }

    private static Step step(Host host, Piece piece) {
        String current = host.read(piece.item());
        Outcome outcome = current.equals(piece.value()) ? Outcome.UNCHANGED : Outcome.CHANGED;
        return Step.of(outcome, piece.item(), current, piece.value());
    }

    private static void wouldUndo(Host host, List<Entry> entries, Consumer<Step> told) {
        for (Entry entry : Entry.lastFirst(entries)) {
            entry.undoing(host.read(entry.item())).ifPresent(told);
        }
    }
}
