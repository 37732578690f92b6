// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

/** What a probe does once it may connect. Further kinds (TLS, gRPC, UDP, DNS, ICMP, command) get a record each. */
public sealed interface Check permits TcpCheck, HttpCheck {

    <T> T accept(Visitor<T> visitor);

    /** One method a kind, so that a new kind does not compile until every prober knows it. */
    interface Visitor<T> {
        T tcp(TcpCheck check);

        T http(HttpCheck check);
    }
}
