// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.test.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Certificates for tests, made by openssl in a directory: NAME.pem and NAME.key. */
final class Certificates {
    private static final String CONFIGURATION = """
            [ca]
            default_ca = own
            [own]
            database = %1$s/index.txt
            new_certs_dir = %1$s
            serial = %1$s/serial
            default_md = sha256
            policy = any
            copy_extensions = copy
            unique_subject = no
            [any]
            commonName = optional
            """;

    private final Path directory;

    /** With an authority, {@code ca}. */
    Certificates(Path directory) throws IOException {
        this.directory = directory;
        Files.writeString(directory.resolve("ca.cnf"), CONFIGURATION.formatted(directory));
        Files.writeString(directory.resolve("index.txt"), "");
        Files.writeString(directory.resolve("serial"), "01\n");
        selfSigned("ca", "DNS:ca.example.org");
    }

    /** Valid for a month. */
    void selfSigned(String name, String alternatives) {
        openssl(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "30",
                "-subj",
                "/CN=" + name,
                "-addext",
                "subjectAltName=" + alternatives,
                "-keyout",
                file(name + ".key"),
                "-out",
                file(name + ".pem"));
    }

    /** Of the authority; from and until as openssl writes it, {@code 20200101000000Z}. */
    void signed(String name, String alternatives, String from, String until) {
        openssl(
                "req",
                "-new",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj",
                "/CN=" + name,
                "-addext",
                "subjectAltName=" + alternatives,
                "-keyout",
                file(name + ".key"),
                "-out",
                file(name + ".csr"));
        openssl(
                "ca",
                "-batch",
                "-notext",
                "-config",
                file("ca.cnf"),
                "-cert",
                file("ca.pem"),
                "-keyfile",
                file("ca.key"),
                "-in",
                file(name + ".csr"),
                "-out",
                file(name + ".pem"),
                "-startdate",
                from,
                "-enddate",
                until);
    }

    String text(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private static void openssl(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "openssl";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Machine.run(command);
    }
}
