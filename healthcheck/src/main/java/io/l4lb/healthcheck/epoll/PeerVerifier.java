// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Verifies the certificate of one handshake, and keeps in an operator's words what was wrong with it. */
final class PeerVerifier extends X509ExtendedTrustManager {
    private final @Nullable X509ExtendedTrustManager trust;
    private final String name;
    private final InstantSource clock;
    // Written on the thread that computes the handshake, read on the loop.
    private volatile String problem = "";

    /**
     * @param trust whom to ask; empty: every certificate is accepted
     * @param name that it must be for, a host's or an address
     */
    PeerVerifier(Optional<X509ExtendedTrustManager> trust, String name, InstantSource clock) {
        this.trust = trust.orElse(null);
        this.name = name;
        this.clock = clock;
    }

    /** Empty until a certificate was found wanting. */
    String problem() {
        return problem;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        if (trust == null) {
            return;
        }
        String words = examine(trust, chain, authType, engine);
        if (!words.isEmpty()) {
            problem = words;
            throw new CertificateException(words);
        }
    }

    private String examine(X509ExtendedTrustManager asked, X509Certificate[] chain, String authType, SSLEngine engine) {
        Instant now = clock.instant();
        // Before all else: the JDK does not look at the dates of a certificate that is itself among the authorities.
        String outOfTime = CertificateWords.outOfTime(chain[0], now);
        if (!outOfTime.isEmpty()) {
            return outOfTime;
        }
        try {
            asked.checkServerTrusted(chain, authType, engine);
            return "";
        } catch (CertificateException e) {
            for (int i = 1; i < chain.length; i++) {
                String above = CertificateWords.outOfTime(chain[i], now);
                if (!above.isEmpty()) {
                    return above + " (" + CertificateWords.subject(chain[i]) + ", above the server's)";
                }
            }
            return words(asked, chain, authType, e);
        }
    }

    private String words(
            X509ExtendedTrustManager asked, X509Certificate[] chain, String authType, CertificateException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException
                    || (cause instanceof CertPathValidatorException path
                            && path.getReason() == PKIXReason.NO_TRUST_ANCHOR)) {
                return chain[0].getSubjectX500Principal().equals(chain[0].getIssuerX500Principal())
                        ? "certificate is not trusted (self-signed)"
                        : "certificate is not signed by a trusted authority";
            }
            if (cause instanceof CertPathValidatorException) {
                return "certificate is not valid: " + cause.getMessage();
            }
        }
        try {
            // This one is not told the name.
            asked.checkServerTrusted(chain, authType);
            return "certificate is for another name than " + name;
        } catch (CertificateException other) {
            return "certificate is not valid: " + other.getMessage();
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("only engines are verified");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("only engines are verified");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("only servers are verified");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("only servers are verified");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("only servers are verified");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
