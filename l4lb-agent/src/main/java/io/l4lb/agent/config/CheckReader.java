// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.healthcheck.check.Check;
import io.l4lb.healthcheck.check.DnsCheck;
import io.l4lb.healthcheck.check.ExecCheck;
import io.l4lb.healthcheck.check.GrpcCheck;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.IcmpCheck;
import io.l4lb.healthcheck.check.Match;
import io.l4lb.healthcheck.check.Octets;
import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.healthcheck.check.TlsCheck;
import io.l4lb.healthcheck.check.TlsSettings;
import io.l4lb.healthcheck.check.UdpCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads what a check asks. */
final class CheckReader {
    private static final Pattern VISIBLE = Pattern.compile("[!-~]+");
    private static final Pattern TARGET = Pattern.compile("/[!-~]*");
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,32}");
    private static final Choice<DnsCheck.Type> RECORDS = Choice.of(DnsCheck.Type.values(), DnsCheck.Type::key);

    private final Table table;

    private CheckReader(Table table) {
        this.table = table;
    }

    /** Absent if something of it is wrong, which is reported. */
    static Optional<Check> read(Table table, CheckType type) {
        CheckReader reader = new CheckReader(table);
        return switch (type) {
            case TCP -> reader.tcp();
            case HTTP -> reader.http(Optional.empty());
            case HTTPS -> reader.http(Optional.of(TlsReader.read(table)));
            case GRPC -> Optional.of(reader.grpc());
            case TLS -> Optional.of(new TlsCheck(TlsReader.read(table)));
            case UDP -> reader.udp();
            case DNS -> reader.dns();
            case ICMP -> Optional.of(new IcmpCheck());
            case EXEC -> reader.exec();
        };
    }

    private Optional<Check> tcp() {
        boolean agentCheck = table.flag("agent-check").orElse(false);
        Optional<Match> expect = match("expect", "expect-regex");
        if (agentCheck && (table.has("expect") || table.has("expect-regex"))) {
            table.problem("agent-check", "its answer is a line of its own: take away what is expected");
            return Optional.empty();
        }
        return Optional.of(new TcpCheck(send(), expect, agentCheck));
    }

    private Optional<Check> udp() {
        if (!table.has("send") && !table.has("send-hex")) {
            table.require("send");
            return Optional.empty();
        }
        Octets send = send();
        Optional<Match> expect = match("expect", "expect-regex");
        return send.length() == 0 ? Optional.empty() : Optional.of(new UdpCheck(send, expect));
    }

    private Octets send() {
        if (table.has("send") && table.has("send-hex")) {
            table.problem("send-hex", "there is send too: use one of them");
        }
        Optional<Octets> text = table.value("send", "a string", CheckReader::text);
        return text.or(() -> table.value("send-hex", "a string", CheckReader::hex))
                .orElse(Octets.NONE);
    }

    private Optional<Match> match(String literal, String regex) {
        if (table.has(literal) && table.has(regex)) {
            table.problem(regex, "there is " + literal + " too: use one of them");
        }
        Optional<Match> contained = table.value(literal, "a string", text -> matching(text, false));
        return contained.or(() -> table.value(regex, "a string", text -> matching(text, true)));
    }

    private Optional<Check> http(Optional<TlsSettings> tls) {
        String method = table.value("method", "a string", text -> checked(METHOD, text, "a method of HTTP"))
                .orElse("GET");
        String path = table.value("path", "a string", CheckReader::path).orElse("/");
        Optional<String> host = table.value("host", "a string", text -> checked(VISIBLE, text, "the name of a host"));
        HttpCheck.Expectation expectation =
                new HttpCheck.Expectation(StatusReader.read(table), match("body", "body-regex"));
        if (method.equals("HEAD") && (table.has("body") || table.has("body-regex"))) {
            table.problem(table.has("body") ? "body" : "body-regex", "the answer to HEAD has no body");
        }
        return Optional.of(new HttpCheck(
                new HttpCheck.Request(method, path, host, headers()),
                expectation,
                tls,
                table.value("load", "a string", LoadLiteral::parse)));
    }

    private List<HttpCheck.Header> headers() {
        List<HttpCheck.Header> headers = new ArrayList<>();
        table.table("headers").ifPresent(fields -> fields.keys()
                .forEach(name -> fields.value(name, "a string", value -> header(name, value))
                        .ifPresent(headers::add)));
        return headers;
    }

    private static HttpCheck.Header header(String name, String value) {
        try {
            return new HttpCheck.Header(name, value);
        } catch (IllegalArgumentException e) {
            throw new ImpossibleValueException(String.valueOf(e.getMessage()));
        }
    }

    private Check grpc() {
        boolean speaksTls = table.flag("tls").orElse(false);
        if (!speaksTls) {
            TlsReader.KEYS.stream()
                    .filter(table::has)
                    .forEach(key -> table.problem(key, "is only for a check with tls = true"));
        }
        return new GrpcCheck(
                table.value("grpc-service", "a string", text -> text).orElse(""),
                table.value("authority", "a string", text -> checked(VISIBLE, text, "an authority")),
                speaksTls ? Optional.of(TlsReader.read(table)) : Optional.empty());
    }

    private Optional<Check> dns() {
        table.require("query-name");
        Optional<String> name = table.value("query-name", "a string", CheckReader::dnsName);
        DnsCheck.Type type =
                table.value("query-type", "a string", RECORDS::parse).orElse(DnsCheck.Type.A);
        Optional<String> answer = table.value("answer", "a string", text -> text);
        return name.map(known -> new DnsCheck(known, type, answer));
    }

    private Optional<Check> exec() {
        table.require("command");
        List<Located<String>> words = table.each("command", "a string", text -> text);
        if (words.isEmpty()) {
            if (table.size("command") == 0) {
                table.problem("command", "names no program");
            }
            return Optional.empty();
        }
        String program = words.get(0).value();
        if (!program.startsWith("/")) {
            table.problem("command", Shown.quoted(program) + " is not an absolute path: commands run without a shell");
            return Optional.empty();
        }
        if (!Files.isExecutable(Path.of(program))) {
            table.warning("command", Shown.quoted(program) + " is not there, or cannot be executed");
        }
        return Optional.of(new ExecCheck(words.stream().map(Located::value).toList()));
    }

    private static Octets text(String text) {
        if (text.isEmpty()) {
            throw new ImpossibleValueException("is empty: leave it out to send nothing");
        }
        return Octets.ofText(text);
    }

    private static Octets hex(String digits) {
        try {
            return Octets.ofHex(digits);
        } catch (IllegalArgumentException e) {
            throw new ImpossibleValueException(Shown.quoted(digits) + " is not an even number of hexadecimal digits");
        }
    }

    private static Match matching(String text, boolean regex) {
        try {
            return regex ? Match.regex(text) : Match.containing(text);
        } catch (IllegalArgumentException e) {
            throw new ImpossibleValueException(Shown.quoted(text) + ": " + e.getMessage());
        }
    }

    private static String path(String text) {
        if (!TARGET.matcher(text).matches()) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is not a path of a URL, which starts with / and has no spaces");
        }
        return text;
    }

    private static String checked(Pattern pattern, String text, String what) {
        if (!pattern.matcher(text).matches()) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not " + what);
        }
        return text;
    }

    private static String dnsName(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        boolean good = name.length() <= 253
                && VISIBLE.matcher(name).matches()
                && Pattern.compile("\\.")
                        .splitAsStream(name)
                        .allMatch(label -> !label.isEmpty() && label.length() < 64);
        if (!good) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not a name of DNS");
        }
        return name;
    }
}
