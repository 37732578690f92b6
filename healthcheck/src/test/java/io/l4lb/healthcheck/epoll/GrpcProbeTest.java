// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.GrpcCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a server of grpc-java, and against others that are none. */
final class GrpcProbeTest {
    private static final Duration SHORT = Duration.ofMillis(500);
    /** cpu_utilization 0.25 */
    private static final byte[] LOAD = {0x09, 0, 0, 0, 0, 0, 0, (byte) 0xd0, 0x3f};

    /** Messages are octets: what is in them is the test's business. */
    private static final class Octets implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] octets) {
            return new ByteArrayInputStream(octets);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final ProbeBench bench = new ProbeBench();

    @AfterEach
    void stop() {
        bench.close();
    }

    @ParameterizedTest
    @CsvSource({
        "'',true,SERVING",
        "up,true,SERVING",
        "down,false,gRPC NOT_SERVING",
        "strange,false,gRPC status 9",
        "other,false,gRPC status NOT_FOUND: unknown service",
        "broken,false,malformed gRPC answer",
        "quick,false,gRPC status UNAVAILABLE: 100% full"
    })
    void theServersWordCounts(String service, boolean success, String reason) throws IOException {
        try (HealthServer server = new HealthServer()) {
            Verdict verdict = bench.probe(server.address(), check(service), ProbeBench.PATIENT);
            assertEquals(reason, verdict.reason());
            assertEquals(success, verdict.success());
            boolean told = !service.equals("quick");
            assertEquals(
                    told ? Optional.of(0.25) : Optional.empty(),
                    verdict.notes()
                            .load()
                            .map(reading ->
                                    reading.report().orElseThrow().utilization().orElseThrow()));
        }
    }

    @Test
    void aServerWithoutHealthSaysSo() throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start();
        try {
            Verdict verdict =
                    bench.probe((InetSocketAddress) server.getListenSockets().get(0), check(""), ProbeBench.PATIENT);
            assertEquals("gRPC status UNIMPLEMENTED: Method not found: grpc.health.v1.Health/Check", verdict.reason());
        } finally {
            server.shutdownNow().awaitTermination();
        }
    }

    @Test
    void aServerThatTakesItsTimeMeetsTheDeadline() throws IOException {
        try (HealthServer server = new HealthServer()) {
            assertEquals(
                    "no gRPC answer within 500ms",
                    bench.probe(server.address(), check("slow"), SHORT).reason());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 400 Bad Request\r\n\r\n',peer does not speak HTTP/2",
        "'220 mail.example ESMTP\r\n',peer does not speak HTTP/2",
        "'',connection closed before a gRPC answer"
    })
    void otherServersAreDown(String greeting, String reason) throws IOException {
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            connection.getInputStream().read(new byte[24]); // the preface
            ScriptedServer.send(connection, greeting);
            connection.shutdownOutput();
            ScriptedServer.drain(connection);
        })) {
            Verdict verdict = bench.probe(server.address(), check(""), ProbeBench.PATIENT);
            assertEquals(reason, verdict.reason());
            assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
        }
    }

    @Test
    void silenceEndsAtTheDeadline() throws IOException {
        try (ScriptedServer server = ScriptedServer.holdingAfter("")) {
            assertEquals(
                    "no gRPC answer within 500ms",
                    bench.probe(server.address(), check(""), SHORT).reason());
        }
    }

    @Test
    void percentSignsAreDecodedAndNothingElseIs() {
        assertEquals("NOT_FOUND: a b+c", GrpcStatus.words("5", "a%20b+c"));
        assertEquals("NOT_FOUND: 100%", GrpcStatus.words("5", "100%"));
        assertEquals("99: ?", GrpcStatus.words("99", "%07"));
        assertTrue(GrpcStatus.words("5", "x".repeat(9999)).length() < 300);
    }

    private static GrpcCheck check(String service) {
        return new GrpcCheck(service, Optional.empty(), Optional.empty());
    }

    /** Health/Check, by name of the service. */
    private static final class HealthServer implements AutoCloseable {
        private static final Map<String, byte[]> ANSWERS = Map.of(
                "", new byte[] {8, 1},
                "up", new byte[] {8, 1},
                "down", new byte[] {8, 2},
                "strange", new byte[] {8, 9},
                "broken", new byte[] {8});

        private final Server server;

        private HealthServer() throws IOException {
            MethodDescriptor<byte[], byte[]> check = MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName("grpc.health.v1.Health/Check")
                    .setRequestMarshaller(new Octets())
                    .setResponseMarshaller(new Octets())
                    .build();
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(ServerServiceDefinition.builder("grpc.health.v1.Health")
                            .addMethod(check, (call, headers) -> {
                                call.request(1);
                                return new ServerCall.Listener<byte[]>() {
                                    @Override
                                    public void onMessage(byte[] request) {
                                        answer(call, request);
                                    }
                                };
                            })
                            .build())
                    .build()
                    .start();
        }

        private static void answer(ServerCall<byte[], byte[]> call, byte[] request) {
            String service = request.length == 0 ? "" : new String(request, 2, request[1], StandardCharsets.UTF_8);
            if (service.equals("slow")) {
                return;
            }
            if (service.equals("quick")) {
                call.close(Status.UNAVAILABLE.withDescription("100% full"), new Metadata());
                return;
            }
            Metadata trailers = new Metadata();
            trailers.put(Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER), LOAD);
            byte[] answer = ANSWERS.get(service);
            if (answer == null) {
                call.close(Status.NOT_FOUND.withDescription("unknown service"), trailers);
                return;
            }
            call.sendHeaders(new Metadata());
            call.sendMessage(answer);
            call.close(Status.OK, trailers);
        }

        private InetSocketAddress address() {
            return (InetSocketAddress) server.getListenSockets().get(0);
        }

        @Override
        public void close() {
            try {
                server.shutdownNow().awaitTermination();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
