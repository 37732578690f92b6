// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.TlsSettings;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * TLS between a connection and its exchange: the exchange hears of an active channel once the handshake is done, and reads and writes
 * in the clear.
 */
final class TlsStage extends ChannelInboundHandlerAdapter {
    private final ProbeRun run;
    private final TlsClients clients;
    private final TlsSettings settings;
    private final List<String> alpn;
    // Handed to other threads and not come back yet.
    private final AtomicInteger computing = new AtomicInteger();

    private @Nullable TlsEngine tls;
    private boolean handshakeDone;
    private boolean answered;

    /** @param alpn the application protocols of which the real has to take one; empty: none are spoken of */
    TlsStage(ProbeRun run, TlsClients clients, TlsSettings settings, List<String> alpn) {
        this.run = run;
        this.clients = clients;
        this.settings = settings;
        this.alpn = alpn;
    }

    /** Reads the settings, which may take a while, and goes on with {@code then} on the loop; for once, before anything else. */
    void prepare(Runnable then) {
        run.onTimeout(() -> run.giveUp(
                "TLS settings were not read within " + run.probe().timeoutText() + ": this machine is too busy"));
        var unused = clients.material(settings).whenComplete((material, problem) -> {
            if (run.loop().inEventLoop()) {
                prepared(material, problem, then);
            } else {
                run.loop().execute(() -> prepared(material, problem, then));
            }
        });
    }

    private void prepared(@Nullable TlsMaterial material, @Nullable Throwable problem, Runnable then) {
        if (run.finished()) {
            return;
        }
        if (material == null) {
            giveUp(problem instanceof CompletionException wrapped ? wrapped.getCause() : problem);
            return;
        }
        try {
            tls = TlsEngine.of(material, clients, settings, run.probe().destination(), alpn);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            giveUp(e);
            return;
        }
        then.run();
    }

    private void giveUp(@Nullable Throwable problem) {
        run.giveUp("TLS settings cannot be used: " + (problem == null ? "" : problem.getMessage()));
    }

    private TlsEngine tls() {
        if (tls == null) {
            throw new IllegalStateException("prepare comes first");
        }
        return tls;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        SslHandler handler = new SslHandler(tls().engine(), this::compute);
        handler.setHandshakeTimeoutMillis(0); // the run's deadline is the only one
        context.pipeline().addBefore(context.name(), "tls", handler);
    }

    private void compute(Runnable task) {
        computing.incrementAndGet();
        clients.execute(() -> {
            try {
                task.run();
            } finally {
                computing.decrementAndGet();
            }
        });
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        String timeout = "no TLS handshake within " + run.probe().timeoutText();
        run.onTimeout(() -> {
            if (computing.get() > 0) {
                run.giveUp(timeout + ": this machine is too busy");
            } else {
                run.fail(timeout);
            }
        });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent completion && !run.finished()) {
            if (completion.isSuccess()) {
                done(context);
            } else {
                run.fail(FailureReason.ofHandshake(
                        completion.cause(), tls(), context.channel().isActive()));
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void done(ChannelHandlerContext context) {
        handshakeDone = true;
        String protocol = tls().engine().getApplicationProtocol();
        if (!alpn.isEmpty() && !alpn.contains(protocol)) {
            run.fail("peer does not speak " + String.join(" or ", alpn) + " (ALPN)");
            return;
        }
        SSLSession session = tls().engine().getSession();
        X509Certificate certificate = certificate(session);
        if (certificate != null) {
            String warning = CertificateWords.warning(certificate, Instant.now(), settings.minimumDays());
            if (!warning.isEmpty()) {
                run.notes(notes -> notes.withWarning(warning));
            }
        }
        if (run.traced()) {
            run.note("TLS handshake done: " + session.getProtocol() + " " + session.getCipherSuite()
                    + (alpn.isEmpty() ? "" : " " + protocol)
                    + (certificate == null ? "" : ", " + CertificateWords.summary(certificate)));
        }
        context.fireChannelActive();
    }

    private static @Nullable X509Certificate certificate(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate first ? first : null;
        } catch (SSLPeerUnverifiedException e) {
            return null; // a cipher suite without certificates
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        answered = true;
        context.fireChannelRead(message);
    }

    /** In TLS 1.3 a server that misses the client's certificate says so after the handshake; some just hang up. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!handshakeDone) {
            run.fail(FailureReason.ofHandshake(cause, tls(), context.channel().isActive()));
        } else if (missesCertificate()) {
            run.fail(FailureReason.CERTIFICATE_REQUIRED);
        } else {
            context.fireExceptionCaught(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (handshakeDone && missesCertificate()) {
            run.fail(FailureReason.CERTIFICATE_REQUIRED);
        }
        context.fireChannelInactive();
    }

    private boolean missesCertificate() {
        return !answered && tls().identity().askedInVain();
    }
}
