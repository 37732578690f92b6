// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.xdp.Word;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;

/** The map {@code real_marks}: the mark of the packets to each real, by its number. For one thread. */
final class RealMarks {
    private final BpfMap map;
    private int[] known;

    RealMarks(BpfMap map) {
        this.map = map;
        this.known = map.readAll();
    }

    /** Reads all of them from the kernel. */
    void read() {
        known = map.readAll();
    }

    /** As it was last read or written; 0: none. */
    int of(int number) {
        return known[number];
    }

    /** Writes it if it is another. */
    void write(int number, int mark) {
        if (known[number] != mark) {
            map.update(Word.encode(number), Word.encode(mark), UpdateMode.ANY);
            known[number] = map.lookup(Word.encode(number)).map(Word::decode).orElse(0);
        }
    }
}
