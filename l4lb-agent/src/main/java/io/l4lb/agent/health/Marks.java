// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Gives each real the mark (SO_MARK) by which probes find its tunnel. A mark is not given to another real soon after
 * it was freed, so that a probe under way cannot reach the wrong one. For one thread.
 */
public final class Marks {
    /** The lowest mark. */
    public static final int BASE = 0x4c340000;

    /** How many there are. */
    public static final int COUNT = 65536;

    private final Map<InetAddress, Integer> marks = new LinkedHashMap<>();
    private int next;

    /**
     * Keeps the marks of these reals, frees all others, and gives marks to those that have none.
     *
     * @return real by mark
     * @throws IllegalArgumentException if there are more reals than marks
     */
    public Map<Integer, InetAddress> assign(Set<InetAddress> reals) {
        if (reals.size() > COUNT) {
            throw new IllegalArgumentException(reals.size() + " reals, but only " + COUNT + " marks");
        }
        marks.keySet().retainAll(reals);
        for (InetAddress real : reals) {
            marks.computeIfAbsent(real, unused -> free());
        }
        Map<Integer, InetAddress> byMark = new LinkedHashMap<>();
        marks.forEach((real, mark) -> byMark.put(mark, real));
        return byMark;
    }

    /** The mark of a real that was in the last assignment. */
    public int of(InetAddress real) {
        Integer mark = marks.get(real);
        if (mark == null) {
            throw new IllegalStateException(real.getHostAddress() + " has no mark");
        }
        return mark;
    }

    private int free() {
        int mark;
        do {
            mark = BASE + next;
            next = (next + 1) % COUNT;
        } while (marks.containsValue(mark));
        return mark;
    }
}
