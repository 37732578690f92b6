// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineSettingsTest {
    private static final Instant NOW = Instant.EPOCH;
    private static final Incarnation THIS = new Incarnation("boot-1", "net:[1]");
    private static final String SLOPPY = "net/ipv4/vs/sloppy_tcp";
    private static final MachineSettings.Restored NOTHING = new MachineSettings.Restored(List.of(), List.of());
    private static final List<String> LEFT =
            List.of("net.ipv4.vs.sloppy_tcp is 2, which somebody else set; it was 0 before the agent");

    @TempDir
    Path directory;

    private FakeSysctls kernel;

    @BeforeEach
    void boot() {
        kernel = new FakeSysctls(directory.resolve("sys"));
    }

    private Path file() {
        return directory.resolve("state/ipvs-settings.json");
    }

    private MachineSettings start(Incarnation incarnation) {
        MachineSettings settings = new MachineSettings(kernel.root(), directory.resolve("state"), incarnation);
        settings.want(Set.of("eth0"), false);
        return settings;
    }

    @Test
    void whatDiffersIsSetAndPutBack() {
        MachineSettings settings = start(THIS);
        List<String> notes = settings.repair(NOW);
        assertEquals(
                List.of(
                        "net.ipv4.vs.expire_nodest_conn 0 -> 1",
                        "net.ipv4.vs.sloppy_tcp 0 -> 1",
                        "net.ipv4.vs.sloppy_sctp 0 -> 1",
                        "net.ipv4.vs.schedule_icmp 0 -> 1",
                        "net.ipv4.vs.expire_quiescent_template 0 -> 1",
                        "net.ipv4.vs.nat_icmp_send 0 -> 1",
                        "net.ipv4.conf.eth0.accept_local 0 -> 1"),
                notes);
        assertEquals("1", kernel.get(SLOPPY));
        assertEquals("0", kernel.get("net/ipv4/conf/eth0/rp_filter"));
        assertEquals("0", kernel.get("net/ipv4/ip_forward"));
        assertEquals(7, settings.restorable().putBack().size());
        assertEquals("1", kernel.get(SLOPPY));
        assertEquals(7, settings.restore().putBack().size());
        FakeSysctls.OFF.forEach(path -> assertEquals("0", kernel.get(path), path));
        assertFalse(Files.exists(file()));
        assertEquals(NOTHING, settings.restore());
    }

    @Test
    void repairedWhenSomebodyChangedItButNotAllTheTime() {
        MachineSettings settings = start(THIS);
        settings.repair(NOW);
        kernel.set(SLOPPY, "0");
        assertEquals(List.of(), settings.repair(NOW.plusSeconds(9)));
        assertEquals(List.of("net.ipv4.vs.sloppy_tcp 0 -> 1"), settings.repair(NOW.plusSeconds(10)));
        kernel.set(SLOPPY, "0");
        settings.want(Set.of("eth0"), true);
        assertEquals(
                List.of("net.ipv4.vs.sloppy_tcp 0 -> 1", "net.ipv4.ip_forward 0 -> 1"),
                settings.repair(NOW.plusSeconds(11)));
    }

    @Test
    void theFirstValueCountsOverRestarts() {
        kernel.set("net/ipv4/conf/eth0/rp_filter", "1");
        start(THIS).repair(NOW);
        assertEquals("2", kernel.get("net/ipv4/conf/eth0/rp_filter"));
        kernel.set(SLOPPY, "7");
        start(THIS).repair(NOW);
        List<String> notes = start(THIS).restore().putBack();
        assertTrue(notes.contains("net.ipv4.conf.eth0.rp_filter 2 -> 1"), notes::toString);
        assertEquals("0", kernel.get(SLOPPY));
    }

    @Test
    void whatSomebodyElseSetIsLeft() {
        MachineSettings settings = start(THIS);
        settings.repair(NOW);
        kernel.set(SLOPPY, "2");
        kernel.remove("net/ipv4/vs/schedule_icmp");
        assertEquals(LEFT, settings.restorable().left());
        assertEquals(LEFT, settings.restore().left());
        assertEquals("2", kernel.get(SLOPPY));
    }

    @Test
    void aRecordThatCannotBeReadStays() throws IOException {
        start(THIS).repair(NOW);
        Files.writeString(file(), "{");
        MachineSettings settings = start(THIS);
        assertEquals(NOTHING, settings.restore());
        assertEquals(1, settings.notes().size());
        assertEquals("{", Files.readString(file()));
    }

    @ParameterizedTest
    @CsvSource({"boot-2, net:[1]", "boot-1, net:[2]"})
    void theRecordOfAnotherBootOrNamespaceIsHistory(String boot, String namespace) {
        start(THIS).repair(NOW);
        assertEquals(NOTHING, start(new Incarnation(boot, namespace)).restore());
        assertEquals("1", kernel.get(SLOPPY));
        assertFalse(Files.exists(file()));
    }

    /** all, eth0, what is set. */
    @ParameterizedTest
    @CsvSource({"0,0,''", "0,2,''", "2,1,''", "2,0,''", "1,2,''", "0,1,1 -> 2", "1,0,0 -> 2", "1,1,1 -> 2"})
    void theGreaterReversePathFilterCounts(String all, String one, String change) {
        kernel.set("net/ipv4/conf/all/rp_filter", all);
        kernel.set("net/ipv4/conf/eth0/rp_filter", one);
        List<String> notes = start(THIS).repair(NOW).stream()
                .filter(note -> note.contains("rp_filter"))
                .toList();
        assertEquals(change.isEmpty() ? List.of() : List.of("net.ipv4.conf.eth0.rp_filter " + change), notes);
    }

    @Test
    void localAddressesAcceptedByAllInterfacesAreEnough() {
        kernel.set("net/ipv4/conf/all/accept_local", "1");
        start(THIS).repair(NOW);
        assertEquals("0", kernel.get("net/ipv4/conf/eth0/accept_local"));
    }

    @Test
    void whatTheKernelLacksIsSaidOnce() {
        kernel.remove("net/ipv4/vs/run_estimation");
        MachineSettings settings = start(THIS);
        settings.want(Set.of("eth0.100", "eth7"), false);
        List<String> notes = settings.repair(NOW);
        assertTrue(notes.contains("there is no net.ipv4.vs.run_estimation here: not set to 1"), notes::toString);
        assertTrue(notes.contains("there is no net.ipv4.conf.eth7.accept_local here: not set to 1"), notes::toString);
        assertTrue(notes.contains("net.ipv4.conf.eth0/100.accept_local 0 -> 1"), notes::toString);
        assertEquals(List.of(), settings.repair(NOW.plusSeconds(60)));
        kernel.set("net/ipv4/conf/eth7/accept_local", "0");
        assertEquals(List.of("net.ipv4.conf.eth7.accept_local 0 -> 1"), settings.repair(NOW.plusSeconds(90)));
    }

    @Test
    void withoutIpvsThereIsNothingToSet() throws IOException {
        MachineSettings settings = new MachineSettings(directory.resolve("empty"), directory.resolve("state"), THIS);
        DataplaneException e = assertThrows(DataplaneException.class, () -> settings.repair(NOW));
        assertTrue(String.valueOf(e.getMessage()).endsWith("ip_vs is not loaded: modprobe ip_vs"), e::getMessage);
    }

    @Test
    void aBrokenRecordIsSaid() throws IOException {
        Files.createDirectories(directory.resolve("state"));
        Files.writeString(file(), "{\"version\": 1}");
        MachineSettings settings = start(THIS);
        assertEquals(
                List.of(file() + " is not what the agent writes: it is not known any more what settings were before"),
                settings.notes());
        settings.repair(NOW);
        assertEquals("1", kernel.get(SLOPPY));
    }

    /** A directory in the place of the file that is written first. */
    @Test
    void nothingIsSetThatCannotBeRecorded() throws IOException {
        MachineSettings settings = start(THIS);
        Files.createDirectories(directory.resolve("state/ipvs-settings.json.new/x"));
        DataplaneException e = assertThrows(DataplaneException.class, () -> settings.repair(NOW));
        assertTrue(String.valueOf(e.getMessage()).startsWith("cannot write " + file() + ": "), e::getMessage);
        assertEquals("0", kernel.get(SLOPPY));
    }
}
