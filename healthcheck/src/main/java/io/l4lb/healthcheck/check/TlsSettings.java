// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.Optional;

/**
 * How TLS is spoken with a real.
 *
 * @param serverName sent as SNI (RFC 6066, section 3), and verified; empty: none is sent, and the certificate is verified for the
 *     probe's destination address
 * @param verify whether the certificate must be valid, trusted and for that name; without it any will do
 * @param authorities PEM certificates that are trusted, instead of the machine's own; empty: the machine's
 * @param client what the probe shows of itself; empty: nothing
 * @param minimumDays below this many days until the real's certificate expires a success carries a warning; 0: never
 */
public record TlsSettings(
        Optional<String> serverName,
        boolean verify,
        Optional<String> authorities,
        Optional<ClientCertificate> client,
        int minimumDays) {
    /** Whatever certificate there is. */
    public static final TlsSettings ANY_CERTIFICATE =
            new TlsSettings(Optional.empty(), false, Optional.empty(), Optional.empty(), 0);

    public TlsSettings {
        if (minimumDays < 0) {
            throw new IllegalArgumentException("days until expiry are not negative: " + minimumDays);
        }
    }

    /**
     * PEM texts.
     *
     * @param chain the client's certificate, then those above it
     * @param key its private key, PKCS #8 and not encrypted
     */
    public record ClientCertificate(String chain, String key) {
        /** Never shows the key. */
        @Override
        public String toString() {
            return "ClientCertificate[...]";
        }
    }
}
