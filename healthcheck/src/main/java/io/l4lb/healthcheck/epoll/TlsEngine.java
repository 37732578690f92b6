// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.TlsSettings;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * The client's side of one handshake, and what it learnt of the peer. Each has a context of its own, so that no session is ever
 * resumed: a resumed one shows no certificate, and would hide that the real's has changed.
 *
 * @param engine made for this handshake only
 */
record TlsEngine(SSLEngine engine, PeerVerifier verifier, ClientIdentity identity) {
    /**
     * @param alpn the application protocols that are offered (RFC 7301), the most wanted first; empty: none
     * @throws GeneralSecurityException if this JDK has no TLS
     * @throws IllegalArgumentException if the settings' server name is not one
     */
    static TlsEngine of(
            TlsMaterial material,
            TlsClients clients,
            TlsSettings settings,
            InetSocketAddress destination,
            List<String> alpn)
            throws GeneralSecurityException {
        String name = settings.serverName().orElseGet(() -> NetUtil.toAddressString(destination.getAddress()));
        PeerVerifier verifier = new PeerVerifier(material.trust(), name, InstantSource.system());
        ClientIdentity identity = new ClientIdentity(material.identity());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {identity}, new TrustManager[] {verifier}, clients.random());
        SSLEngine engine = context.createSSLEngine(name, destination.getPort());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        // An address is never sent as a server name (RFC 6066, section 3).
        boolean isAddress = NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name);
        parameters.setServerNames(isAddress ? List.of() : List.of(new SNIHostName(name)));
        if (settings.verify()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        parameters.setApplicationProtocols(alpn.toArray(String[]::new));
        engine.setSSLParameters(parameters);
        return new TlsEngine(engine, verifier, identity);
    }
}
