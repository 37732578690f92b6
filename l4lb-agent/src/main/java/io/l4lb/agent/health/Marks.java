// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Config;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Gives each way to a real the mark (SO_MARK) by which probes find it. A mark is not given to another one soon after
 * it was freed, so that a probe under way cannot reach the wrong one. For one thread.
 */
public final class Marks {
    /** The lowest mark. */
    public static final int BASE = ProbePath.FIRST_MARK;

    /** How many there are. */
    public static final int COUNT = Config.MAX_WAYS;

    private final Map<ProbePath, Integer> marks = new LinkedHashMap<>();
    private final Set<Integer> given = new HashSet<>();
    private int next;

    /** Takes over the marks that a predecessor has given; for before the first assignment. */
    public void adopt(Map<Integer, ProbePath> byMark) {
        byMark.forEach((mark, path) -> {
            int number = mark - BASE;
            if (number < 0 || number >= COUNT) {
                return;
            }
            next = Math.max(next, (number + 1) % COUNT);
            if (marks.putIfAbsent(path, mark) == null) {
                given.add(mark);
            }
        });
    }

    /**
     * Keeps the marks of these ways, frees all others, and gives marks to those that have none.
     *
     * @param foreign marks that somebody else uses: they are not given, and a way that has one gets another
     * @return way by mark
     * @throws IllegalArgumentException if there are more ways than marks, which no configuration has
     * @throws DataplaneException if others use so many that there are not enough
     */
    public Map<Integer, ProbePath> assign(Set<ProbePath> paths, Set<Integer> foreign) {
        if (paths.size() > COUNT) {
            throw new IllegalArgumentException(paths.size() + " ways to reals, but only " + COUNT + " marks");
        }
        Set<Integer> avoided = new HashSet<>(foreign);
        avoided.removeIf(mark -> mark < BASE || mark - BASE >= COUNT);
        if (paths.size() > COUNT - avoided.size()) {
            throw new DataplaneException(
                    paths.size() + " ways to reals, but of " + COUNT + " marks others use " + avoided.size());
        }
        marks.keySet().retainAll(paths);
        marks.values().removeAll(avoided);
        given.retainAll(Set.copyOf(marks.values()));
        for (ProbePath path : paths) {
            marks.computeIfAbsent(path, unused -> free(avoided));
        }
        Map<Integer, ProbePath> byMark = new LinkedHashMap<>();
        marks.forEach((path, mark) -> byMark.put(mark, path));
        return byMark;
    }

    /** The mark of a way that was in the last assignment. */
    public int of(ProbePath path) {
        Integer mark = marks.get(path);
        if (mark == null) {
            throw new IllegalStateException(path + " has no mark");
        }
        return mark;
    }

    private int free(Set<Integer> avoided) {
        int mark;
        do {
            mark = BASE + next;
            next = (next + 1) % COUNT;
        } while (avoided.contains(mark) || !given.add(mark));
        return mark;
    }
}
