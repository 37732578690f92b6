// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.file.FileBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/** Reads files in PEM (RFC 7468), whole, when the configuration is read: a reload takes what is in them then. */
final class PemFile {
    private static final int MAX_BYTES = 1024 * 1024;
    private static final String KEY = "-----BEGIN PRIVATE KEY-----";

    private PemFile() {}

    /** One certificate or more. */
    static String certificates(String path) {
        String text = read(path);
        try {
            var found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
            if (found.isEmpty()) {
                throw new ImpossibleValueException(Shown.quoted(path) + ": there is no certificate in it");
            }
        } catch (CertificateException e) {
            throw new ImpossibleValueException(Shown.quoted(path) + ": not a certificate in PEM");
        }
        return text;
    }

    /** A key that is not encrypted. */
    static String privateKey(String path) {
        String text = read(path);
        if (!text.contains(KEY)) {
            throw new ImpossibleValueException(Shown.quoted(path) + ": there is no private key of PKCS #8 in it, \""
                    + KEY + "\"; openssl pkcs8 -topk8 -nocrypt makes one");
        }
        return text;
    }

    private static String read(String path) {
        Path file = PathLiteral.absolute(path);
        try {
            return new String(FileBytes.read(file, MAX_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new ImpossibleValueException(Shown.quoted(path) + " cannot be read: " + e.getMessage());
        }
    }
}
