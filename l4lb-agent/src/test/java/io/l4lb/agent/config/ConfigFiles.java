// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A main file and a directory of services in a temporary directory. */
final class ConfigFiles {
    /** A whole configuration; SEED and DIR stand for paths in the temporary directory. */
    static final String WHOLE = """
            [agent]
            dataplane = "xdp"
            control-socket = "/run/l4lb/control.sock"
            state-dir = "/var/lib/l4lb"
            services-dir = "DIR"
            metrics-listen = "127.0.0.1:9650"
            hash-seed-file = "SEED"

            [xdp]
            interfaces = ["eth0"]
            mode = "auto"                         # "native", "generic", "auto"
            next-hop = "gateway"
            pin-dir = "/sys/fs/bpf/l4lb"
            mtu = 1500

            [bgp]
            local-as = 65001
            router-id = "10.0.0.11"

            [[bgp.neighbors]]
            address = "10.0.0.1"
            peer-as = 65000

            [[services]]
            name = "edge-http"
            vips = ["192.0.2.10", "2001:db8::10"]
            protocol = "tcp"                      # "tcp", "udp"
            port = 80
            scheduler = "maglev"
            hash-key = "5-tuple"
            table-size = 65537
            forwarding = "ipip"
            quorum = 1

            [services.health-check]
            type = "http"
            path = "/health"
            interval = "2s"
            timeout = "1s"
            rise = 2
            fall = 3

            [[services.reals]]
            address = "10.0.1.1"
            weight = 100

            [[services.reals]]
            address = "10.0.1.2"
            weight = 100
            """;

    /** As little as a configuration can be; DIR stands for a path in the temporary directory. */
    static final String SMALL = """
            [agent]
            services-dir = "DIR"
            [xdp]
            interfaces = ["eth0"]
            """;

    private final Path directory;

    ConfigFiles(Path directory) {
        this.directory = directory;
    }

    Path main() {
        return directory.resolve("l4lb.toml");
    }

    Path services(String name) {
        return directory.resolve("services.d").resolve(name);
    }

    Path seed() {
        return directory.resolve("hash.seed");
    }

    Path servicesDir() {
        return directory.resolve("services.d");
    }

    ConfigFiles writeMain(String toml) {
        write("hash.seed", "00112233445566778899aabbccddeeff\n");
        return write("l4lb.toml", toml);
    }

    ConfigFiles writeServices(String name, String... services) {
        return write("services.d/" + name, String.join("", services));
    }

    ConfigFiles write(String name, String text) {
        Path file = directory.resolve(name);
        try {
            Files.createDirectories(directory.resolve("services.d"));
            Files.writeString(
                    file, text.replace("DIR", servicesDir().toString()).replace("SEED", seed().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** A service of four lines, of which the first is the header; with one real. */
    static String service(String name, String vip, int port) {
        return """
                [[services]]
                name = "%s"
                vips = ["%s"]
                protocol = "tcp"
                port = %d
                reals = [{ address = "10.0.1.1" }]
                """.formatted(name, vip, port);
    }

    LoadResult load() {
        return load(Optional.empty());
    }

    LoadResult load(Optional<Config> lastGood) {
        return ConfigLoader.load(main(), lastGood);
    }

    Config loadGood() {
        LoadResult result = load();
        if (!result.problems().isEmpty()) {
            throw new AssertionError(result.problems());
        }
        return result.config().orElseThrow();
    }

    /** The problems, with paths relative to the temporary directory. */
    List<String> problems(LoadResult result) {
        return result.problems().stream()
                .map(problem -> problem.toString().replace(directory + "/", ""))
                .toList();
    }

    static List<String> names(Optional<Config> config) {
        return config.orElseThrow().services().stream()
                .map(service -> service.name())
                .toList();
    }
}
