// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.realserver.Step.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Makes what a {@link Blueprint} names, and undoes what was made. Every step is told when it is done. */
final class Setup {
    private final Host host;
    private final StateFile state;
    private final Consumer<Step> told;

    Setup(Host host, StateFile state, Consumer<Step> told) {
        this.host = host;
        this.state = state;
        this.told = told;
    }

    /** A change of this run, and what the record said of the thing before. */
    private record Done(Step step, Optional<Entry> known) {}

    /**
     * Changes what is not as wanted, then undoes what an earlier setup made and is not wanted any more.
     *
     * @param request what the blueprint was made for
     * @throws RealServerException something failed; what had been changed is undone, or told to be still there
     */
    void make(Blueprint blueprint, SetupRequest request, SetupRecord record) {
        Deque<Done> done = new ArrayDeque<>();
        for (Piece piece : blueprint.pieces()) {
            try {
                make(piece, record, done);
            } catch (RealServerException e) {
                fail(piece, record, done, e);
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
        String before = record.find(item)
                .filter(known -> known.after().equals(current))
                .map(Entry::before)
                .orElse(current);
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

    private void fail(Piece piece, SetupRecord record, Deque<Done> done, RealServerException why) {
        List<String> problems = new ArrayList<>();
        problems.add(piece.item() + " cannot be made \"" + piece.value() + "\": " + why.getMessage());
        boolean all = true;
        for (Done each : done) {
            all &= takeBack(each, record);
        }
        problems.add(
                all ? "what had been changed is as it was before" : "not all of what had been changed could be undone");
        if (record.entries().stream().anyMatch(Entry::isOurs)) {
            state.save(record);
        } else {
            state.delete();
        }
        throw new RealServerException(String.join("\n", problems), why);
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
        List<Entry> reversed = new ArrayList<>(entries);
        Collections.reverse(reversed);
        List<String> problems = new ArrayList<>();
        for (Entry entry : reversed) {
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
        Item item = entry.item();
        String current = host.read(item);
        if (!entry.isOurs() || current.equals(entry.before())) {
            return;
        }
        if (item.kind().staysForOthers()) {
            told.accept(Step.of(Outcome.KEPT, item, current, current));
        } else if (current.equals(entry.after()) || item.kind().isOursAlone()) {
            host.write(item, entry.before());
            told.accept(Step.of(Outcome.RESTORED, item, current, entry.before()));
        } else {
            told.accept(Step.of(Outcome.LEFT, item, current, current));
        }
    }
}
