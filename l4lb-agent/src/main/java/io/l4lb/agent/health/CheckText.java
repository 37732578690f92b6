// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import io.l4lb.agent.model.HealthCheck;
import io.l4lb.healthcheck.check.Check;
import io.l4lb.healthcheck.check.DnsCheck;
import io.l4lb.healthcheck.check.ExecCheck;
import io.l4lb.healthcheck.check.GrpcCheck;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.IcmpCheck;
import io.l4lb.healthcheck.check.LoadSource;
import io.l4lb.healthcheck.check.Match;
import io.l4lb.healthcheck.check.Octets;
import io.l4lb.healthcheck.check.StatusRange;
import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.healthcheck.check.TlsCheck;
import io.l4lb.healthcheck.check.TlsSettings;
import io.l4lb.healthcheck.check.UdpCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a check asks, by key of the configuration; keys that it does not have are left out. */
public final class CheckText {
    private CheckText() {}

    /** Of a service's check, its type first. */
    public static Map<String, String> of(HealthCheck check) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("type", check.check().type());
        return check.check().accept(new Writer(keys));
    }

    private record Writer(Map<String, String> keys) implements Check.Visitor<Map<String, String>> {
        private static final Set<String> SECRET = Set.of("authorization", "cookie", "proxy-authorization");

        @Override
        public Map<String, String> tcp(TcpCheck check) {
            send(check.send());
            check.expect().ifPresent(match -> match("expect", match));
            if (check.agentCheck()) {
                keys.put("agent-check", "true");
            }
            return keys;
        }

        @Override
        public Map<String, String> http(HttpCheck check) {
            HttpCheck.Request request = check.request();
            if (!request.method().equals("GET")) {
                keys.put("method", request.method());
            }
            keys.put("path", request.path());
            request.host().ifPresent(host -> keys.put("host", host));
            request.headers().forEach(header -> keys.put("headers." + header.name(), shown(header)));
            List<StatusRange> statuses = check.expectation().statuses();
            if (!statuses.equals(HttpCheck.Expectation.SUCCESS_OR_REDIRECT.statuses())) {
                keys.put("status", statuses.stream().map(StatusRange::toString).collect(Collectors.joining(", ")));
            }
            check.expectation().body().ifPresent(match -> match("body", match));
            check.tls().ifPresent(this::tls);
            check.load().ifPresent(source -> keys.put("load", source(source)));
            return keys;
        }

        @Override
        public Map<String, String> grpc(GrpcCheck check) {
            if (!check.service().isEmpty()) {
                keys.put("grpc-service", check.service());
            }
            check.authority().ifPresent(authority -> keys.put("authority", authority));
            if (check.tls().isPresent()) {
                keys.put("tls", "true");
                tls(check.tls().get());
            }
            return keys;
        }

        @Override
        public Map<String, String> tls(TlsCheck check) {
            tls(check.settings());
            return keys;
        }

        @Override
        public Map<String, String> udp(UdpCheck check) {
            send(check.send());
            check.expect().ifPresent(match -> match("expect", match));
            return keys;
        }

        @Override
        public Map<String, String> dns(DnsCheck check) {
            keys.put("query-name", check.name());
            keys.put("query-type", check.recordType().key());
            check.answer().ifPresent(answer -> keys.put("answer", answer));
            return keys;
        }

        @Override
        public Map<String, String> icmp(IcmpCheck check) {
            return keys;
        }

        @Override
        public Map<String, String> exec(ExecCheck check) {
            keys.put("command", String.join(" ", check.command()));
            return keys;
        }

        private void send(Octets octets) {
            if (octets.length() > 0) {
                keys.put("send-hex", octets.toString());
            }
        }

        private void match(String key, Match match) {
            keys.put(match.isRegex() ? key + "-regex" : key, match.text());
        }

        /** Files are shown by what is in them changing, not by what it is. */
        private void tls(TlsSettings settings) {
            settings.serverName().ifPresent(name -> keys.put("server-name", name));
            keys.put("verify", Boolean.toString(settings.verify()));
            settings.authorities().ifPresent(pem -> keys.put("ca-file", digest(pem)));
            settings.client().ifPresent(client -> keys.put("client-cert-file", digest(client.chain() + client.key())));
            if (settings.minimumDays() > 0) {
                keys.put("min-days", Integer.toString(settings.minimumDays()));
            }
        }

        private static String digest(String pem) {
            return String.format(Locale.ROOT, "read, checksum %08x", pem.hashCode());
        }

        private static String shown(HttpCheck.Header header) {
            return SECRET.contains(header.name().toLowerCase(Locale.ROOT)) ? "..." : header.value();
        }

        private static String source(LoadSource source) {
            if (source instanceof LoadSource.Header header) {
                return "header:" + header.name();
            }
            return source instanceof LoadSource.JsonField field ? "json:" + field.pointer() : "orca";
        }
    }
}
