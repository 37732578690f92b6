// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

/** What a probe does with the real that it reaches. */
public sealed interface Check
        permits TcpCheck, HttpCheck, GrpcCheck, TlsCheck, UdpCheck, DnsCheck, IcmpCheck, ExecCheck {

    /** As the configuration names it: {@code tcp}, {@code http}, {@code https}, {@code grpc}, ... */
    String type();

    <T> T accept(Visitor<T> visitor);

    /** One method a type, so that a new type does not compile until every prober knows it. */
    interface Visitor<T> {
        T tcp(TcpCheck check);

        T http(HttpCheck check);

        T grpc(GrpcCheck check);

        T tls(TlsCheck check);

        T udp(UdpCheck check);

        T dns(DnsCheck check);

        T icmp(IcmpCheck check);

        T exec(ExecCheck check);
    }
}
