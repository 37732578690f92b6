// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static io.l4lb.agent.config.ConfigFiles.SMALL;
import static io.l4lb.agent.config.ConfigFiles.names;
import static io.l4lb.agent.config.ConfigFiles.service;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one broken file does to itself, and does not do to the others. */
class ServicesDirectoryTest {
    @TempDir
    private Path directory = Path.of("");

    private ConfigFiles files = new ConfigFiles(directory);

    @BeforeEach
    void start() {
        files = new ConfigFiles(directory);
        files.writeMain(SMALL + service("main", "192.0.2.1", 80))
                .writeServices("b.toml", service("b", "192.0.2.2", 80))
                .writeServices("a.toml", service("a1", "192.0.2.3", 80), service("a2", "192.0.2.3", 81));
    }

    @Test
    void readsFilesInAlphabeticalOrder() throws IOException {
        files.writeServices(".hidden.toml", "x").writeServices("c.toml~", "x").writeServices("c.conf", "x");
        Files.createDirectory(files.services("d.toml"));

        Config config = files.loadGood();

        assertEquals(List.of("main", "a1", "a2", "b"), names(Optional.of(config)));
        assertEquals(
                Map.of(
                        "main", files.main(),
                        "a1", files.services("a.toml"),
                        "a2", files.services("a.toml"),
                        "b", files.services("b.toml")),
                config.serviceFiles());
    }

    @Test
    void onlyTheDefaultDirectoryMayBeAbsent() {
        files.writeMain(SMALL.replace("DIR", "DIR/absent"));
        LoadResult result = files.load(Optional.empty());
        assertEquals(List.of("services.d/absent: does not exist"), files.problems(result));
    }

    @Test
    void aDirectoryThatIsGoneKeepsItsServices() throws IOException {
        Config good = files.loadGood();
        for (String name : List.of("a.toml", "b.toml")) {
            Files.delete(files.services(name));
        }
        Files.delete(files.servicesDir());

        LoadResult result = files.load(Optional.of(good));

        assertEquals(List.of("services.d: does not exist"), files.problems(result));
        assertEquals(Optional.of(good), result.config());
    }

    @Test
    void aFileThatIsGoneWhileAnotherIsBrokenKeepsItsServices() throws IOException {
        Config good = files.loadGood();
        Files.delete(files.services("a.toml"));
        files.writeServices("a-new.toml", service("a1", "192.0.2.3", 80), "x = [");

        LoadResult result = files.load(Optional.of(good));

        assertEquals(Optional.of(good.services()), result.config().map(Config::services));
        assertTrue(
                files.problems(result)
                        .contains("services.d/a.toml: is gone; its services stay while another file is broken"),
                files.problems(result).toString());
        Files.delete(files.services("a-new.toml"));
        assertEquals(List.of("main", "b"), names(files.load(Optional.of(good)).config()));
    }

    @Test
    void withABrokenFileAtTheStartTheConfigurationIsNotComplete() {
        files.writeServices("b.toml", "broken");
        Config first = files.load(Optional.empty()).config().orElseThrow();
        assertEquals(List.of("main", "a1", "a2"), names(Optional.of(first)));
        assertFalse(first.complete());
        assertFalse(files.load(Optional.of(first)).config().orElseThrow().complete());

        files.writeServices("b.toml", service("b", "192.0.2.2", 80));
        Config mended = files.load(Optional.of(first)).config().orElseThrow();
        assertTrue(mended.complete());

        files.writeServices("b.toml", "broken again");
        assertEquals(Optional.of(mended), files.load(Optional.of(mended)).config());
    }

    @Test
    void aDirectoryThatIsNoneIsAProblemAndKeepsWhatWasInIt() throws IOException {
        Config good = files.loadGood();
        for (String name : List.of("a.toml", "b.toml")) {
            Files.delete(files.services(name));
        }
        Files.delete(files.servicesDir());
        Files.writeString(files.servicesDir(), "");

        LoadResult result = files.load(Optional.of(good));

        assertEquals(List.of("services.d: is not a directory"), files.problems(result));
        assertEquals(Optional.of(good), result.config());
    }

    @Test
    void aLinkToNothingIsABrokenFile() throws IOException {
        Config good = files.loadGood();
        Files.delete(files.services("b.toml"));
        Files.createSymbolicLink(files.services("b.toml"), directory.resolve("nothing"));

        LoadResult result = files.load(Optional.of(good));

        assertEquals(List.of("services.d/b.toml: does not exist"), files.problems(result));
        assertEquals(Optional.of(good), result.config());
    }

    @Test
    void aBrokenFileKeepsItsServicesAndTheRestLoads() {
        Config good = files.loadGood();
        files.writeServices("a.toml", service("a1", "192.0.2.3", 8080), service("a2", "192.0.2.3", -1))
                .writeServices("b.toml", service("b", "192.0.2.2", 8080));

        LoadResult result = files.load(Optional.of(good));

        assertEquals(
                List.of("services.d/a.toml:11: services[1].port: -1 is out of range; use 1 to 65535, or \"any\""),
                files.problems(result));
        assertEquals(List.of("main", "a1", "a2", "b"), names(result.config()));
        assertEquals(
                good.services().subList(0, 3),
                result.config().orElseThrow().services().subList(0, 3));
        assertEquals(
                8080, result.config().orElseThrow().services().get(3).frontend().port());
        assertEquals(good.serviceFiles(), result.config().orElseThrow().serviceFiles());
    }

    @Test
    void aBrokenFileWithoutALastGoodStateHasNoServices() {
        files.writeServices("a.toml", "nonsense");
        LoadResult result = files.load();
        assertEquals(List.of("main", "b"), names(result.config()));
        assertEquals(1, result.problems().size());
    }

    @Test
    void aRemovedFileTakesItsServicesAlong() throws IOException {
        Config good = files.loadGood();
        Files.delete(files.services("a.toml"));
        LoadResult result = files.load(Optional.of(good));
        assertEquals(List.of(), result.problems());
        assertEquals(List.of("main", "b"), names(result.config()));
    }

    @Test
    void anEmptiedFileKeepsItsServices() {
        Config good = files.loadGood();
        for (String emptied : List.of("", "# later\n", "services = []\n")) {
            files.writeServices("a.toml", emptied);
            LoadResult result = files.load(Optional.of(good));
            assertEquals(
                    List.of("services.d/a.toml: defines no service; delete the file to remove its services"),
                    files.problems(result));
            assertEquals(Optional.of(good), result.config());
        }
    }

    @Test
    void noServiceTakesTheAddressOfARouter() {
        files.writeMain(SMALL + """
                [bgp]
                local-as = 1
                router-id = "10.0.0.2"
                neighbors = [{ address = "2001:db8::1", peer-as = 2 }]
                """).writeServices("b.toml", service("b", "2001:db8::1", 80));
        LoadResult result = files.load();
        assertEquals(
                "2001:db8::1 is the address of a BGP neighbor of " + files.main() + " (line 8)",
                result.problems().get(0).message());
        assertEquals(List.of("a1", "a2"), names(result.config()));
    }

    @Test
    void aBrokenMainFileLeavesEverythingAsItWas() {
        Config good = files.loadGood();
        files.writeMain(SMALL.replace("interfaces", "interface") + service("new", "192.0.2.9", 80))
                .writeServices("b.toml", service("b", "192.0.2.2", -1));

        LoadResult result = files.load(Optional.of(good));

        assertEquals(
                List.of(
                        "l4lb.toml:3: xdp.interfaces: is missing",
                        "l4lb.toml:4: xdp.interface: unknown key, did you mean 'interfaces'?",
                        "services.d/b.toml:5: services[0].port: -1 is out of range; use 1 to 65535, or \"any\""),
                files.problems(result));
        assertEquals(Optional.of(good), result.config());
        assertEquals(Optional.empty(), files.load().config());
    }

    @Test
    void anUnreadableMainFileStillHasTheOthersRead() {
        Config good = files.loadGood();
        files.writeMain("[").writeServices("b.toml", "[");
        assertEquals(2, files.load(Optional.of(good)).problems().size());
        assertEquals(1, files.load().problems().size());
    }

    @Test
    void theLaterOfTwoFilesInConflictIsToBlame() {
        files.writeServices("b.toml", service("a2", "192.0.2.4", 80), service("b2", "192.0.2.1", 80));

        LoadResult result = files.load();

        assertEquals(
                List.of(
                        "services.d/b.toml:2: services[0].name: \"a2\" is the name of services[1] of "
                                + files.services("a.toml") + " (line 8) already",
                        "services.d/b.toml:9: services[1].vips[0]: 192.0.2.1 tcp port 80 is served by services[0] of "
                                + files.main() + " (line 7) already"),
                result.problems().stream()
                        .map(p -> p.toString().replace(p.file().toString(), "services.d/b.toml"))
                        .toList());
        assertEquals(List.of("main", "a1", "a2"), names(result.config()));
    }

    @Test
    void whatRunsIsNotStoppedByTheEditOfAnotherFile() {
        Config good = files.loadGood();
        files.writeServices("a.toml", service("a1", "192.0.2.2", 80));

        LoadResult result = files.load(Optional.of(good));

        assertEquals(Optional.of(good), result.config());
        assertEquals(
                List.of(files.services("a.toml"), files.services("b.toml")),
                result.problems().stream().map(Problem::file).toList());
        assertEquals(
                "192.0.2.2 tcp port 80 is served by a service of " + files.services("b.toml")
                        + " already; that file keeps its last good state",
                result.problems().get(0).message());
    }

    @Test
    void aMainFileInConflictWithWhatRunsIsRefused() {
        Config good = files.loadGood();
        files.writeMain(SMALL + service("main", "192.0.2.2", 80));
        LoadResult result = files.load(Optional.of(good));
        assertEquals(Optional.of(good), result.config());
        assertEquals(2, result.problems().size());
    }

    @Test
    void aFileInConflictWithARefusedOneLoads() {
        files.writeServices("a.toml", service("a1", "192.0.2.3", 80), service("a2", "192.0.2.2", -1))
                .writeServices("b.toml", service("a1", "192.0.2.2", 80));
        assertEquals(List.of("main", "a1"), names(files.load().config()));
    }

    @Test
    void aServiceMovesFromFileToFile() {
        Config good = files.loadGood();
        files.writeServices("a.toml", service("a1", "192.0.2.3", 80), service("b", "192.0.2.2", 80))
                .writeServices("b.toml", service("a2", "192.0.2.3", 81));
        LoadResult result = files.load(Optional.of(good));
        assertEquals(List.of(), result.problems());
        assertEquals(List.of("main", "a1", "b", "a2"), names(result.config()));
        assertEquals(List.of(), ConfigDiff.changedServices(good, result.config().orElseThrow()));
    }

    @Test
    void holdsOnlyServices() {
        files.writeServices("b.toml", "x = 1\n[agent]\nstate-dir = \"/x\"\n[bgp]\n");
        assertEquals(
                List.of(
                        "services.d/b.toml:1: x: unknown key",
                        "services.d/b.toml:2: agent: belongs into the main file; this one can hold only [[services]]",
                        "services.d/b.toml:4: bgp: belongs into the main file; this one can hold only [[services]]"),
                files.problems(files.load()));
    }
}
