// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.DnsCheck;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against dnsmasq. */
final class DnsProbeTest {
    private static Process dnsmasq;
    private static InetSocketAddress server;

    @BeforeAll
    static void startServer() throws Exception {
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            server = (InetSocketAddress) free.getLocalSocketAddress();
        }
        dnsmasq = new ProcessBuilder(List.of(
                        "/usr/sbin/dnsmasq",
                        "--no-daemon",
                        "--conf-file=/dev/null",
                        "--no-resolv",
                        "--no-hosts",
                        "--listen-address=127.0.0.1",
                        "--bind-interfaces",
                        "--user=root",
                        "--pid-file=",
                        "--port=" + server.getPort(),
                        "--address=/www.example/192.0.2.1",
                        "--address=/www.example/2001:db8::1",
                        "--cname=alias.example,target.example",
                        "--host-record=target.example,192.0.2.2",
                        "--mx-host=mail.example,mx1.example,10",
                        "--srv-host=_sip._udp.example,sip.example,5060,1,2",
                        "--txt-record=text.example,one,two",
                        "--ptr-record=1.2.0.192.in-addr.arpa,www.example",
                        "--local=/example/"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (ProbeBench bench = new ProbeBench()) {
            Verdict verdict = ask(bench, "www.example", DnsCheck.Type.A, null);
            for (int i = 0; i < 100 && !verdict.success(); i++) {
                verdict = ask(bench, "www.example", DnsCheck.Type.A, null); // refused at once until it listens
            }
        }
    }

    @AfterAll
    static void stopServer() throws InterruptedException {
        dnsmasq.destroy();
        dnsmasq.waitFor();
    }

    @ParameterizedTest
    @CsvSource({
        "www.example,A,192.0.2.1,NOERROR 192.0.2.1",
        "www.example,A,,NOERROR 192.0.2.1",
        "WWW.Example,A,192.0.2.1,NOERROR 192.0.2.1",
        "www.example,AAAA,2001:db8:0::1,NOERROR 2001:db8::1",
        "alias.example,CNAME,Target.example.,NOERROR target.example",
        "mail.example,MX,10 MX1.example,NOERROR 10 mx1.example",
        "_sip._udp.example,SRV,1 2 5060 sip.example,NOERROR 1 2 5060 sip.example",
        "text.example,TXT,onetwo,NOERROR onetwo",
        "1.2.0.192.in-addr.arpa,PTR,www.example,NOERROR www.example"
    })
    void theExpectedAnswerIsUp(String name, DnsCheck.Type type, @Nullable String answer, String reason) {
        assertEquals(reason, ask(name, type, answer).reason());
        assertEquals(true, ask(name, type, answer).success());
    }

    @ParameterizedTest
    @CsvSource({
        "www.example,A,192.0.2.9,'answer is 192.0.2.1, expected 192.0.2.9'",
        "www.example,AAAA,2001:db8::9,'answer is 2001:db8::1, expected 2001:db8::9'",
        "target.example,TXT,,answer has no TXT record",
        "host.nowhere.example,A,,DNS answer NXDOMAIN",
        "elsewhere.test,A,,DNS answer REFUSED"
    })
    void anyOtherAnswerIsDown(String name, DnsCheck.Type type, @Nullable String answer, String reason) {
        Verdict verdict = ask(name, type, answer);
        assertEquals(reason, verdict.reason());
        assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
    }

    @Test
    void silenceAndClosedPortsAreDown() throws IOException {
        InetSocketAddress closed;
        DnsCheck check = new DnsCheck("www.example", DnsCheck.Type.A, Optional.empty());
        try (ProbeBench bench = new ProbeBench()) {
            try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                closed = (InetSocketAddress) silent.getLocalSocketAddress();
                assertEquals(
                        "no answer within 300ms (query sent to 127.0.0.1)",
                        bench.probe(closed, check, Duration.ofMillis(300)).reason());
            }
            assertEquals(
                    "port unreachable (ICMP)",
                    bench.probe(closed, check, ProbeBench.PATIENT).reason());
        }
    }

    /** Of www.example, A, with the identifier 1234; then header fields or records that are wrong. */
    @ParameterizedTest
    @CsvSource({
        "1234 8180 0001 0001 0000 0000,c00c 0001 0001 0000003c 0004 c0000201,NOERROR 192.0.2.1",
        "1234 8380 0001 0001 0000 0000,c00c 0001 0001 0000003c 0004 c0000201,NOERROR 192.0.2.1",
        "1234 8380 0001 0001 0000 0000,'',truncated DNS answer",
        "1234 8180 0001 0001 0000 0000,c00c 0001 0001 0000003c 0003 c00002,malformed DNS answer",
        "1234 8180 0001 0001 0000 0000,c00c 0001 0001 0000003c 00ff c0000201,malformed DNS answer",
        "1234 8180 0001 0001 0000 0000,c0ff 0001,malformed DNS answer",
        "1234 8180 0001 0000 0000 0000,'',answer has no A record",
        "1234 8182 0001 0000 0000 0000,'',DNS answer SERVFAIL",
        "1235 8180 0001 0001 0000 0000,c00c 0001 0001 0000003c 0004 c0000201,",
        "1234 0100 0001 0000 0000 0000,'',"
    })
    void answersAreReadStrictly(String header, String records, @Nullable String reason) {
        String question = "03777777 076578616d706c65 00 0001 0001";
        assertEquals(
                Optional.ofNullable(reason),
                read((header + question + records).replace(" ", ""), "www.example.")
                        .map(DnsAnswer.Finding::reason));
    }

    @Test
    void anAnswerToAnotherQuestionIsNone() {
        String answer = "1234 8180 0001 0000 0000 0000 03777777 076578616d706c65 00 0001 0001".replace(" ", "");
        assertEquals(Optional.empty(), read(answer, "web.example."));
    }

    @Property
    void noAnswerEndsInAnException(@ForAll byte[] octets) {
        ByteBuf message = Unpooled.buffer().writeShort(0x1234).writeBytes(octets);
        decided(message, DnsRecordType.SRV);
        ByteBuf record = Unpooled.buffer()
                .writeShort(0x1234)
                .writeLong(0x8180_0000_0001_0000L)
                .writeShort(0)
                .writeBytes(octets);
        decided(record, DnsRecordType.TXT);
    }

    private static void decided(ByteBuf message, DnsRecordType type) {
        new DnsAnswer(0x1234, new DefaultDnsQuestion("a.", type), Optional.empty())
                .read(message)
                .ifPresent(finding -> assertFalse(finding.reason().isBlank()));
    }

    private static Optional<DnsAnswer.Finding> read(String hex, String name) {
        return new DnsAnswer(0x1234, new DefaultDnsQuestion(name, DnsRecordType.A), Optional.empty())
                .read(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)));
    }

    private static Verdict ask(String name, DnsCheck.Type type, @Nullable String answer) {
        try (ProbeBench bench = new ProbeBench()) {
            return ask(bench, name, type, answer);
        }
    }

    private static Verdict ask(ProbeBench bench, String name, DnsCheck.Type type, @Nullable String answer) {
        return bench.probe(server, new DnsCheck(name, type, Optional.ofNullable(answer)), ProbeBench.PATIENT);
    }
}
