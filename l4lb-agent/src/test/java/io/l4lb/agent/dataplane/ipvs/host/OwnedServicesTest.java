// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedServicesTest {
    private static final Incarnation THIS = new Incarnation("boot-1", "net:[1]");
    private static final OwnedKey WEB = OwnedKey.address(6, ip("192.0.2.10"), 80);
    private static final OwnedKey DNS6 = OwnedKey.address(17, ip("2001:db8::10"), 53);
    private static final OwnedKey MARK4 = OwnedKey.mark(0x4c340001, false);
    private static final OwnedKey MARK6 = OwnedKey.mark(0xfc340001, true);
    private static final Map<InetAddress, Integer> LEVELS = Map.of(ip("10.0.0.1"), 63, ip("2001:db8::1"), 0);

    @TempDir
    Path state;

    private OwnedServices start() {
        return new OwnedServices(state, THIS);
    }

    private Path file(OwnedKey key) {
        return state.resolve("ipvs").resolve(key + ".json");
    }

    @Test
    void claimsOutliveTheAgent() {
        OwnedServices services = start();
        assertEquals(Map.of(), services.claims());
        services.claim(WEB, LEVELS);
        services.claim(DNS6, Map.of());
        services.claim(MARK4, Map.of(ip("10.0.0.1"), 1));
        services.claim(MARK6, LEVELS);
        services.release(MARK4);
        services.release(MARK4);
        OwnedServices next = start();
        assertEquals(Map.of(WEB, LEVELS, DNS6, Map.of(), MARK6, LEVELS), next.claims());
        assertEquals(List.of(), next.notes());
        next.claim(WEB, Map.of(ip("10.0.0.2"), 7));
        assertEquals(Map.of(ip("10.0.0.2"), 7), start().claims().get(WEB));
    }

    @Test
    void fileNames() {
        assertEquals("protocol-6-192.0.2.10-80", WEB.toString());
        assertEquals("protocol-17-2001:db8::10-53", DNS6.toString());
        assertEquals("mark-4c340001-ipv4", MARK4.toString());
        assertEquals("mark-fc340001-ipv6", MARK6.toString());
        assertThrows(IllegalArgumentException.class, () -> OwnedKey.mark(0, false));
        assertThrows(IllegalArgumentException.class, () -> OwnedKey.address(6, ip("192.0.2.10"), 65536));
    }

    @Test
    void anUnchangedClaimIsNotWritten() throws IOException {
        OwnedServices services = start();
        services.claim(WEB, LEVELS);
        Files.delete(file(WEB));
        services.claim(WEB, new LinkedHashMap<>(LEVELS));
        assertFalse(Files.exists(file(WEB)));
        services.release(WEB);
        services.claim(WEB, LEVELS);
        assertTrue(Files.exists(file(WEB)));
    }

    @Test
    void theClaimsOfAnotherBootOrNamespaceAreThrownAway() {
        new OwnedServices(state, new Incarnation("boot-0", "net:[1]")).claim(WEB, LEVELS);
        new OwnedServices(state, new Incarnation("boot-1", "net:[2]")).claim(DNS6, LEVELS);
        assertEquals(Map.of(), start().claims());
        assertFalse(Files.exists(file(WEB)));
        assertFalse(Files.exists(file(DNS6)));
    }

    @Test
    void brokenAndForeignFilesAreSaidAndSkipped() throws IOException {
        OwnedServices services = start();
        services.claim(WEB, LEVELS);
        services.claim(DNS6, LEVELS);
        Path ipvs = state.resolve("ipvs");
        Files.writeString(ipvs.resolve("notes.txt"), "remember the milk");
        Files.writeString(ipvs.resolve("empty.json"), "");
        Files.writeString(ipvs.resolve("array.json"), "[]");
        Files.writeString(ipvs.resolve("little.json"), "{\"version\":1}");
        Files.writeString(ipvs.resolve("future.json"), "{\"version\":2}");
        Files.copy(file(WEB), ipvs.resolve("copy.json"));
        Files.writeString(file(DNS6), Files.readString(file(DNS6)).replace("2001:db8::10", "www.example.com"));
        Files.createDirectory(ipvs.resolve("directory.json"));
        Files.writeString(ipvs.resolve("cut-short.json.new"), "{");
        OwnedServices next = start();
        assertEquals(Map.of(WEB, LEVELS), next.claims());
        assertEquals(8, next.notes().size(), next.notes()::toString);
        assertTrue(next.notes()
                .contains(ipvs.resolve("empty.json") + " is empty: the IPVS service that it may stand for is not taken"
                        + " for the agent's"));
        assertFalse(Files.exists(ipvs.resolve("cut-short.json.new")));
        assertTrue(Files.exists(ipvs.resolve("notes.txt")));
    }

    @Test
    void whatCannotBeWrittenLeavesTheOldClaim() throws IOException {
        OwnedServices services = start();
        services.claim(WEB, LEVELS);
        Files.createDirectories(file(WEB).resolveSibling(WEB + ".json.new/x"));
        DataplaneException e = assertThrows(DataplaneException.class, () -> services.claim(WEB, Map.of()));
        assertTrue(String.valueOf(e.getMessage()).startsWith("cannot write " + file(WEB) + ": "), e::getMessage);
        assertThrows(DataplaneException.class, () -> services.claim(WEB, Map.of()));
        Files.delete(file(WEB).resolveSibling(WEB + ".json.new/x"));
        assertEquals(Map.of(WEB, LEVELS), start().claims());
    }

    @Test
    void thousands() {
        OwnedServices services = start();
        for (int i = 0; i < 3000; i++) {
            services.claim(OwnedKey.mark(0x4c340000 + i, i % 2 == 0), LEVELS);
        }
        assertEquals(3000, start().claims().size());
    }
}
