// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Private keys in PEM: PKCS #8, not encrypted (RFC 7468, section 10). */
final class PrivateKeyPem {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    private PrivateKeyPem() {}

    /** @throws IllegalArgumentException that does not show the key */
    static PrivateKey read(String pem) throws GeneralSecurityException {
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("private key: no PEM of PKCS #8, not encrypted (" + BEGIN + ")");
        }
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(octets(pem.substring(begin + BEGIN.length(), end)));
        // The encoding names its algorithm: of all others it is not a key.
        for (String algorithm : ALGORITHMS) {
            Optional<PrivateKey> key = read(algorithm, encoded);
            if (key.isPresent()) {
                return key.get();
            }
        }
        throw new IllegalArgumentException("private key: none of " + String.join(", ", ALGORITHMS));
    }

    private static Optional<PrivateKey> read(String algorithm, PKCS8EncodedKeySpec encoded)
            throws NoSuchAlgorithmException {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(encoded));
        } catch (InvalidKeySpecException e) {
            return Optional.empty();
        }
    }

    /** Whether what the one signs the other verifies. */
    static boolean belongsTo(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certificate.getPublicKey().getAlgorithm())) {
            return false;
        }
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    case "EdDSA" -> "EdDSA";
                    default -> "";
                };
        if (algorithm.isEmpty()) {
            return true; // the handshake will show
        }
        byte[] text = algorithm.getBytes(StandardCharsets.US_ASCII);
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(text);
        Signature verifier = Signature.getInstance(algorithm);
        // The key itself: as a certificate its key usage would have a say.
        verifier.initVerify(certificate.getPublicKey());
        verifier.update(text);
        return verifier.verify(signer.sign());
    }

    private static byte[] octets(String base64) {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("private key: not Base64", e);
        }
    }
}
