// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.netlink.AddressFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptMarksTest {
    private static final Incarnation THIS = new Incarnation("boot-1", "net:[1]");
    private static final Map<Integer, ProbePath> MARKS = Map.of(
            0x4c340000,
            new ProbePath(ip("10.0.0.1"), Forwarding.IPIP),
            0x4c340001,
            new ProbePath(ip("2001:db8::1"), Forwarding.GUE));

    private static final Map<AddressFamily, Set<Integer>> SERVICES =
            Map.of(AddressFamily.INET, Set.of(0x4c340000, 0x4c350000), AddressFamily.INET6, Set.of(0x4c340001));

    @TempDir
    Path state;

    private Path file() {
        return state.resolve("marks/marks.json");
    }

    private KeptMarks start() {
        return new KeptMarks(state, THIS);
    }

    @Test
    void marksOutliveTheAgent() {
        assertEquals(Map.of(), start().marks());
        start().saveMarks(MARKS, SERVICES);
        assertEquals(MARKS, start().marks());
        assertEquals(Map.of(), new KeptMarks(state, new Incarnation("boot-2", "net:[1]")).marks());
        start().saveMarks(Map.of(1, new ProbePath(ip("10.0.0.9"), Forwarding.GUE)), Map.of());
        assertEquals(1, start().marks().size());
    }

    @Test
    void whatIsOursAtAMarkIsKeptByFamily() {
        start().saveMarks(MARKS, SERVICES);
        KeptMarks next = start();
        next.marks();
        assertEquals(SERVICES, next.services());
        next.saveMarks(MARKS, Map.of());
        next = start();
        next.marks();
        assertEquals(Map.of(AddressFamily.INET, Set.of(), AddressFamily.INET6, Set.of()), next.services());
        KeptMarks elsewhere = new KeptMarks(state, new Incarnation("boot-2", "net:[1]"));
        elsewhere.marks();
        assertEquals(Map.of(), elsewhere.services());
    }

    @Test
    void thousands() {
        Map<Integer, ProbePath> many = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            many.put(0x4c340000 + i, new ProbePath(ip("10.0." + i / 250 + "." + i % 250), Forwarding.IPIP));
        }
        start().saveMarks(many, Map.of());
        assertEquals(many, start().marks());
    }

    @Test
    void aBrokenFileIsSaid() throws IOException {
        start().saveMarks(MARKS, SERVICES);
        String good = Files.readString(file());
        Files.writeString(file(), good.replace("10.0.0.1", "localhost"));
        KeptMarks marks = start();
        assertEquals(Map.of(), marks.marks());
        assertEquals(List.of(file() + " is not what the agent writes: all marks are given anew"), marks.notes());
        Files.writeString(file(), good.replace("\"gue\"", "\"carrier-pigeon\""));
        assertEquals(1, marks.marks().size());
        assertEquals(List.of(), marks.notes());
    }

    @Test
    void whatCannotBeWrittenLeavesTheOldMarks() throws IOException {
        start().saveMarks(MARKS, SERVICES);
        Files.createDirectories(state.resolve("marks/marks.json.new/x"));
        assertThrows(DataplaneException.class, () -> start().saveMarks(Map.of(), Map.of()));
        assertEquals(MARKS, start().marks());
    }
}
