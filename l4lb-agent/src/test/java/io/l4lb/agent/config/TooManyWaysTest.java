// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each real of each forwarding method needs a mark for its probes, of which there are 65,536. */
class TooManyWaysTest {
    private static final int HALF = Config.MAX_WAYS / 2;
    private static final String MESSAGE =
            "there are more than 65536 different reals in all services, too many to be probed";

    @TempDir
    private Path directory = Path.of("");

    /** A service with its reals in the last line. */
    private static String service(String name, int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> "{address=\"10.%d.%d.%d\"}".formatted(i >> 16, i >> 8 & 0xff, i & 0xff))
                .collect(Collectors.joining(",", """
                        [[services]]
                        name = "%1$s"
                        vips = ["192.0.2.%2$d"]
                        protocol = "tcp"
                        port = 80
                        reals = [""".formatted(name, 1 + first / HALF), "]\n"));
    }

    @Test
    void theFileWithTheOneTooManyKeepsItsLastGoodState() {
        ConfigFiles files = new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL)
                .writeServices("a.toml", service("a", 0, HALF))
                .writeServices("b.toml", service("b", HALF, HALF));
        Config full = files.loadGood();
        assertEquals(Config.MAX_WAYS, full.reals().size());
        files.writeServices("b.toml", service("b", HALF, HALF), "forwarding = \"gue\"\n");
        files.loadGood();
        files.writeServices("b.toml", service("b", HALF, HALF + 1));
        LoadResult result = files.load(Optional.of(full));
        assertEquals(
                List.of("services.d/b.toml:6: services[0].reals[" + HALF + "].address: " + MESSAGE),
                files.problems(result));
        assertEquals(full.services(), result.config().orElseThrow().services());
    }

    @Test
    void whatRunsIsNotToBlame() {
        ConfigFiles files = new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL)
                .writeServices("a.toml", service("a", 0, 3))
                .writeServices("b.toml", service("b", HALF, HALF));
        Config running = files.loadGood();
        files.writeServices("a.toml", service("a", 0, HALF) + service("c", 2 * HALF, 1));
        files.writeServices("b.toml", "broken");
        LoadResult result = files.load(Optional.of(running));
        assertTrue(files.problems(result).contains("services.d/a.toml: " + MESSAGE), files.problems(result)::toString);
        assertEquals(running.services(), result.config().orElseThrow().services());
    }
}
