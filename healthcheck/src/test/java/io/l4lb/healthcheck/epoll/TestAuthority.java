// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.test.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A certificate authority of openssl(1) in a directory of its own, for certificates good and bad. */
final class TestAuthority {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final String CONFIG = """
            [ca]
            default_ca = test
            [test]
            database = index.txt
            new_certs_dir = .
            serial = serial
            certificate = ca.pem
            private_key = ca.key
            default_md = sha256
            unique_subject = no
            policy = any
            [any]
            commonName = optional
            """;

    private final Path directory;

    TestAuthority(Path directory) {
        this.directory = directory;
        write("index.txt", "");
        write("serial", "1000");
        write("ca.cnf", CONFIG);
        selfSigned("ca", "test authority", "basicConstraints=critical,CA:TRUE");
    }

    /** The authority's certificate. */
    String pem() {
        return read("ca.pem");
    }

    /**
     * Makes {@code name.pem} and {@code name.key}.
     *
     * @param names of the subject, such as {@code DNS:www.example.org,IP:127.0.0.1}
     */
    void issue(String name, String names, Instant from, Instant until) {
        openssl("req -new " + newKey(name) + " -out " + name + ".csr -subj /CN=" + name);
        write(name + ".ext", "subjectAltName=" + names + "\n");
        openssl("ca -batch -notext -config ca.cnf -in " + name + ".csr -out " + name + ".pem -extfile " + name
                + ".ext -startdate " + DATE.format(from) + " -enddate " + DATE.format(until));
    }

    /** Signed by itself. */
    void selfSigned(String name, String subject, String extension) {
        List<String> words = new ArrayList<>(words("req -x509 " + newKey(name) + " -days 30 -out " + name + ".pem"));
        words.addAll(List.of("-subj", "/CN=" + subject, "-addext", extension));
        openssl(words);
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    String read(String name) {
        try {
            return Files.readString(file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String newKey(String name) {
        return "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout " + name + ".key";
    }

    private void write(String name, String text) {
        try {
            Files.writeString(file(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void openssl(String arguments) {
        openssl(words(arguments));
    }

    private void openssl(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("env", "-C", directory.toString(), "openssl"));
        command.addAll(arguments);
        Machine.run(command.toArray(String[]::new));
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.split(" ", -1));
    }
}
