// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.TlsSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The PEM texts of TLS settings, read, for any number of handshakes on any thread.
 *
 * @param trust empty: certificates are not verified
 * @param identity what the probe shows of itself; empty: nothing
 */
record TlsMaterial(Optional<X509ExtendedTrustManager> trust, Optional<Identity> identity) {
    /** The chain is the client's certificate, then those above it; the key is the first one's. */
    record Identity(List<X509Certificate> chain, PrivateKey key) {}

    /** @throws IllegalArgumentException that says what is wrong with the settings */
    static TlsMaterial of(TlsSettings settings) {
        try {
            Optional<X509ExtendedTrustManager> trust =
                    settings.verify() ? Optional.of(trust(settings.authorities())) : Optional.empty();
            if (settings.client().isEmpty()) {
                return new TlsMaterial(trust, Optional.empty());
            }
            List<X509Certificate> chain =
                    certificates("client certificate", settings.client().get().chain());
            PrivateKey key = PrivateKeyPem.read(settings.client().get().key());
            if (!PrivateKeyPem.belongsTo(key, chain.get(0))) {
                throw new IllegalArgumentException("the private key is not that of the client certificate");
            }
            return new TlsMaterial(trust, Optional.of(new Identity(chain, key)));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static X509ExtendedTrustManager trust(Optional<String> authorities)
            throws GeneralSecurityException, IOException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(authorities.isEmpty() ? null : keyStore(authorities.get()));
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager found) {
                return found;
            }
        }
        throw new GeneralSecurityException("this JDK verifies no certificates");
    }

    private static KeyStore keyStore(String authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int number = 0;
        for (X509Certificate authority : certificates("authorities", authorities)) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        return store;
    }

    private static List<X509Certificate> certificates(String what, String pem) {
        List<X509Certificate> found = new ArrayList<>();
        try {
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)))) {
                found.add((X509Certificate) certificate);
            }
        } catch (CertificateException e) {
            throw new IllegalArgumentException(what + ": not a certificate in PEM: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException(what + ": there is no certificate in it");
        }
        return found;
    }
}
