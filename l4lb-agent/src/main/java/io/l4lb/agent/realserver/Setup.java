// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.realserver.Step.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Makes what a {@link Blueprint} names, and undoes what was made. Every step is told when it is done, and is in the record
 * before: of a command that was killed, the next one finds what there is.
 */
final class Setup {
    private static final String INTERRUPTED = "interrupted";

    private final Host host;
    private final StateFile state;
    private final BooleanSupplier interrupted;
    private final Consumer<Step> told;

    /** @param interrupted whether it is to end before its time; asked between steps */
    Setup(Host host, StateFile state, BooleanSupplier interrupted, Consumer<Step> told) {
        this.host = host;
        this.state = state;
        this.interrupted = interrupted;
        this.told = told;
    }

    /** A change of this run, and what the record said of the thing before. */
    private record Done(Step step, Optional<Entry> known) {}

    /**
     * Changes what is not as wanted, then undoes what an earlier setup made and is not wanted any more.
     *
     * @param request what the blueprint was made for
     * @throws RealServerException something failed, or it was interrupted; what had been changed is undone, or told to
     *     be still there
     */
    void make(Blueprint blueprint, SetupRequest request, SetupRecord record) {
        Deque<Done> done = new ArrayDeque<>();
        for (Piece piece : blueprint.pieces()) {
            if (interrupted.getAsBoolean()) {
                fail(INTERRUPTED, record, done, new RealServerException(INTERRUPTED));
            }
            try {
                make(piece, record, done);
            } catch (RealServerException e) {
                String why = interrupted.getAsBoolean()
                        ? INTERRUPTED
                        : piece.item() + " cannot be made \"" + piece.value() + "\": " + e.getMessage();
                fail(why, record, done, e);
            }
        }
        Set<Item> wanted = blueprint.pieces().stream().map(Piece::item).collect(Collectors.toSet());
        List<Entry> leftOver = record.entries().stream()
                .filter(entry -> !wanted.contains(entry.item()))
                .toList();
        record.replaceRequest(request);
        List<String> problems = undo(leftOver, record);
        state.save(record);
        if (!problems.isEmpty()) {
            throw new RealServerException(problems);
        }
    }

    private void make(Piece piece, SetupRecord record, Deque<Done> done) {
        Item item = piece.item();
        String current = host.read(item);
        String before = item.kind().isOursAlone() ? "" : before(item, current, record);
        Entry entry = new Entry(item, before, piece.value());
        if (current.equals(piece.value())) {
            record.put(entry);
            told.accept(Step.of(Outcome.UNCHANGED, item, current, current));
            return;
        }
        Step step = Step.of(Outcome.CHANGED, item, current, piece.value());
        done.push(new Done(step, record.find(item)));
        record.put(entry);
        state.save(record);
        host.write(item, piece.value());
        String is = host.read(item);
        if (!is.equals(piece.value())) {
            throw new RealServerException("it is \"" + is + "\" after it was made \"" + piece.value() + "\"");
        }
        told.accept(step);
    }

    /** What is to be restored in the end: the value before the first setup, unless somebody has changed it since. */
    private static String before(Item item, String current, SetupRecord record) {
        return record.find(item)
                .filter(known -> known.after().equals(current))
                .map(Entry::before)
                .orElse(current);
    }

    private void fail(String why, SetupRecord record, Deque<Done> done, RealServerException cause) {
        List<String> problems = new ArrayList<>();
        problems.add(why);
        boolean all = true;
        for (Done each : done) {
            all &= takeBack(each, record);
        }
        problems.add(
                all
                        ? "what had been changed is as it was before"
                        : "not all of what had been changed could be undone: l4lb real teardown tries again");
        if (record.entries().stream().anyMatch(Entry::isOurs)) {
            state.save(record);
        } else {
            state.delete();
        }
        throw new RealServerException(String.join("\n", problems), cause);
    }

    /** Whether it is as it was before this run. */
    private boolean takeBack(Done done, SetupRecord record) {
        Item item = done.step().item();
        String earlier = done.step().before();
        try {
            String current = host.read(item);
            if (item.kind().staysForOthers()) {
                told.accept(Step.of(Outcome.KEPT, item, current, current));
            } else if (!current.equals(earlier)) {
                host.write(item, earlier);
                told.accept(Step.of(Outcome.RESTORED, item, current, earlier));
            }
        } catch (RealServerException e) {
            told.accept(new Step(Outcome.FAILED, item, done.step().after(), earlier, String.valueOf(e.getMessage())));
            return false;
        }
        record.remove(item);
        done.known().ifPresent(record::put);
        return true;
    }

    /** Undoes, the last first; what cannot be undone stays in the record, and why is returned. */
    List<String> undo(List<Entry> entries, SetupRecord record) {
        List<String> problems = new ArrayList<>();
        for (Entry entry : Entry.lastFirst(entries)) {
            if (interrupted.getAsBoolean()) {
                problems.add(INTERRUPTED + "; the rest is still there: run this again");
                return problems;
            }
            try {
                undo(entry);
                record.remove(entry.item());
                state.save(record);
            } catch (RealServerException e) {
                problems.add(entry.item() + " cannot be made \"" + entry.before() + "\" again: " + e.getMessage());
            }
        }
        return problems;
    }

    private void undo(Entry entry) {
        Optional<Step> step = entry.undoing(host.read(entry.item()));
        if (step.isPresent() && step.get().outcome() == Outcome.RESTORED) {
            host.write(entry.item(), entry.before());
        }
        step.ifPresent(told);
    }
}
