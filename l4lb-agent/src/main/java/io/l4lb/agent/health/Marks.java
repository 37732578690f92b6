// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

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
    public static final int BASE = 0x4c340000;

    /** How many there are. */
    public static final int COUNT = Config.MAX_WAYS;

    private final Map<ProbePath, Integer> marks = new LinkedHashMap<>();
    private final Set<Integer> given = new HashSet<>();
    private int next;

    /** Takes over the marks that a predecessor has given; for before the first assignment. */
    public void adopt(Map<Integer, ProbePath> byMark) {
        byMark.forEach((mark, path) -> {
            int number = mark - BASE;
            if (number >= 0 && number < COUNT && marks.putIfAbsent(path, mark) == null) {
                given.add(mark);
                next = Math.max(next, (number + 1) % COUNT);
            }
        });
    }

    /**
     * Keeps the marks of these ways, frees all others, and gives marks to those that have none.
     *
     * @return way by mark
     * @throws IllegalArgumentException if there are more ways than marks, which no configuration has
     */
    public Map<Integer, ProbePath> assign(Set<ProbePath> paths) {
        if (paths.size() > COUNT) {
            throw new IllegalArgumentException(paths.size() + " ways to reals, but only " + COUNT + " marks");
        }
        marks.keySet().retainAll(paths);
        given.retainAll(Set.copyOf(marks.values()));
        for (ProbePath path : paths) {
            marks.computeIfAbsent(path, unused -> free());
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

    private int free() {
        int mark;
        do {
            mark = BASE + next;
            next = (next + 1) % COUNT;
        } while (!given.add(mark));
        return mark;
    }
}
