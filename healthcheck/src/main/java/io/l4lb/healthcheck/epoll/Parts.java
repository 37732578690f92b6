// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.Check;
import io.l4lb.healthcheck.check.DnsCheck;
import io.l4lb.healthcheck.check.ExecCheck;
import io.l4lb.healthcheck.check.GrpcCheck;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.IcmpCheck;
import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.healthcheck.check.TlsCheck;
import io.l4lb.healthcheck.check.TlsSettings;
import io.l4lb.healthcheck.check.UdpCheck;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts the part of a run that its check needs: a stream, a datagram, an echo request, a command. */
final class Parts implements Check.Visitor<Runnable> {
    private final ProbeRun run;
    private final Means means;

    Parts(ProbeRun run, Means means) {
        this.run = run;
        this.means = means;
    }

    /** What a {@link StreamPart} needs to speak TLS: null if there are no settings. */
    private @Nullable TlsStage tlsStage(Optional<TlsSettings> settings, String... alpn) {
        return settings.map(found -> new TlsStage(run, means.tls(), found, List.of(alpn)))
                .orElse(null);
    }

    @Override
    public Runnable tcp(TcpCheck check) {
        return new StreamPart(run, null, new TcpExchange(run, check));
    }

    @Override
    public Runnable http(HttpCheck check) {
        return new StreamPart(run, tlsStage(check.tls()), new HttpExchange(run, check));
    }

    @Override
    public Runnable grpc(GrpcCheck check) {
        return new StreamPart(run, tlsStage(check.tls(), "h2"), new GrpcExchange(run, check));
    }

    @Override
    public Runnable tls(TlsCheck check) {
        return new StreamPart(run, tlsStage(Optional.of(check.settings())), new TlsExchange(run));
    }

    @Override
    public Runnable udp(UdpCheck check) {
        return new DatagramPart(run, new UdpExchange(run, check));
    }

    @Override
    public Runnable dns(DnsCheck check) {
        return new DatagramPart(run, new DnsExchange(run, check));
    }

    @Override
    public Runnable icmp(IcmpCheck check) {
        return new EchoPart(run, means.echo());
    }

    @Override
    public Runnable exec(ExecCheck check) {
        return new CommandPart(run, check, means.commands());
    }
}
