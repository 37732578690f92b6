// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.healthcheck.check.TlsSettings;
import io.l4lb.healthcheck.check.TlsSettings.ClientCertificate;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads how TLS is spoken with the reals. */
final class TlsReader {
    static final List<String> KEYS =
            List.of("server-name", "verify", "ca-file", "client-cert-file", "client-key-file", "min-days");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:-]{1,253}");
    private static final int MOST_DAYS = 3650;

    private TlsReader() {}

    static TlsSettings read(Table table) {
        boolean verify = table.flag("verify").orElse(false);
        if (!verify && table.has("ca-file")) {
            table.problem("ca-file", "is only for a check with verify = true");
        }
        return new TlsSettings(
                table.value("server-name", "a string", TlsReader::name),
                verify,
                table.value("ca-file", "a string with a path", PemFile::certificates),
                client(table),
                table.number("min-days", 1, MOST_DAYS).orElse(0));
    }

    private static Optional<ClientCertificate> client(Table table) {
        Optional<String> chain = table.value("client-cert-file", "a string with a path", PemFile::certificates);
        Optional<String> key = table.value("client-key-file", "a string with a path", PemFile::privateKey);
        if (table.has("client-cert-file") != table.has("client-key-file")) {
            String missing = table.has("client-cert-file") ? "client-key-file" : "client-cert-file";
            table.problem(missing, "is missing: a client's certificate needs both");
        }
        return chain.flatMap(found -> key.map(secret -> new ClientCertificate(found, secret)));
    }

    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not the name of a server");
        }
        return text;
    }
}
