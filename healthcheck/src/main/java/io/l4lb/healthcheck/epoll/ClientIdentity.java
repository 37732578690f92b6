// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * What the probe shows of itself in one handshake. It is shown to every server that asks, whatever authorities that names: there is
 * only this one, and the server's own words tell more than its silence.
 */
final class ClientIdentity extends X509ExtendedKeyManager {
    private static final String ALIAS = "probe";

    private final TlsMaterial.@Nullable Identity identity;
    // Written on the thread that computes the handshake, read on the loop.
    private volatile boolean askedInVain;

    ClientIdentity(Optional<TlsMaterial.Identity> identity) {
        this.identity = identity.orElse(null);
    }

    /** The server wanted a certificate, and there was none to show, or none of the kind it takes. */
    boolean askedInVain() {
        return askedInVain;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        if (identity != null && Arrays.asList(keyTypes).contains(identity.key().getAlgorithm())) {
            askedInVain = false;
            return ALIAS;
        }
        askedInVain = true;
        return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return identity == null ? null : identity.key();
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[0];
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[0];
    }
}
