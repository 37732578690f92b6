// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.VIP6;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.Selection;
import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Frame;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.dataplane.RememberedFlow.State;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.status.CaptureEndView;
import io.l4lb.agent.status.CapturedView;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.FlowView;
import io.l4lb.agent.status.FlowsEndView;
import io.l4lb.agent.status.StatsView;
import io.l4lb.agent.status.StatsView.FlowTableView;
import io.l4lb.agent.status.StatsView.VerdictView;
import io.l4lb.test.Await;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the agent tells of traffic, over a fake of the kernel. */
@Timeout(60)
final class ObservationTest {
    private static final ServiceKey WEB4 = new ServiceKey(VIP4, Protocol.TCP, 80);
    private static final ServiceKey WEB6 = new ServiceKey(VIP6, Protocol.TCP, 80);
    private static final FlowsRequest ALL = new FlowsRequest(Selection.ALL, "", FlowsRequest.NO_PORT, "", "", 0);

    @AutoClose
    private final RunningAgent agent = new RunningAgent(config(web(real(ONE, 100), real(TWO, 100))));

    private final CollectedRows rows = new CollectedRows();

    @BeforeEach
    void up() throws Exception {
        agent.up();
    }

    private static RememberedFlow flow(
            String client, ServiceKey service, InetAddress real, State state, boolean counts) {
        return new RememberedFlow(
                service,
                new RememberedFlow.Client(ip(client), 40000),
                new RememberedFlow.VipEnd(6, 80),
                real,
                state,
                Optional.of(Duration.ofSeconds(5)),
                counts);
    }

    private void remember() {
        agent.kernel.remember(flow("198.51.100.7", WEB4, ONE, State.ESTABLISHED, true));
        agent.kernel.remember(flow("198.51.100.8", WEB4, TWO, State.OPENING, true));
        agent.kernel.remember(flow("203.0.113.1", WEB4, ONE, State.CLOSING, false));
        agent.kernel.remember(flow("2001:db8:1::1", WEB6, ONE, State.ESTABLISHED, true));
        agent.kernel.remember(new RememberedFlow(
                WEB6,
                new RememberedFlow.Client(ip("2001:db8:1::2"), 0),
                new RememberedFlow.VipEnd(6, 0),
                TWO,
                State.OTHER,
                Optional.empty(),
                true));
    }

    private List<Object> flows(FlowsRequest request) throws Exception {
        CollectedRows collected = new CollectedRows();
        agent.control.flows(request).get().start(collected);
        return collected.all();
    }

    private List<String> clients(FlowsRequest request) throws Exception {
        return flows(request).stream()
                .filter(FlowView.class::isInstance)
                .map(row -> ((FlowView) row).client())
                .toList();
    }

    private static FlowsRequest of(Selection selection) {
        return new FlowsRequest(selection, "", FlowsRequest.NO_PORT, "", "", 0);
    }

    @Test
    void allFlowsAndHowManyThereAre() throws Exception {
        remember();
        List<Object> answer = flows(ALL);
        assertEquals(
                new FlowView(
                        "198.51.100.7", 40000, "web", "192.0.2.10", "tcp", 80, "10.0.1.1", "established", 5, false),
                answer.get(0));
        assertEquals(
                new FlowView("2001:db8:1::2", 0, "web", "2001:db8::10", "tcp", 0, "10.0.1.2", "other", -1, false),
                answer.get(4));
        assertEquals(new FlowsEndView(new FlowsEndView.End(5, 5, 5, 0, 1000)), answer.get(5));
        assertEquals(6, answer.size());
    }

    @Test
    void onlyTheFlowsThatFit() throws Exception {
        remember();
        assertEquals(List.of("198.51.100.7", "198.51.100.8"), clients(of(new Selection("", "", "198.51.100.0/24"))));
        assertEquals(List.of("2001:db8:1::1", "2001:db8:1::2"), clients(of(new Selection("web", "2001:db8::10", ""))));
        assertEquals(
                5,
                clients(new FlowsRequest(Selection.ALL, "tcp", 80, "", "", 0)).size());
        assertEquals(
                5, clients(new FlowsRequest(Selection.ALL, "6", 80, "", "", 0)).size());
        assertEquals(List.of(), clients(new FlowsRequest(Selection.ALL, "udp", 80, "", "", 0)));
        assertEquals(List.of(), clients(new FlowsRequest(Selection.ALL, "", 81, "", "", 0)));
        assertEquals(List.of("203.0.113.1"), clients(new FlowsRequest(Selection.ALL, "", -1, "", "closing", 0)));
        assertEquals(
                List.of("198.51.100.8", "2001:db8:1::2"),
                clients(new FlowsRequest(Selection.ALL, "", -1, "10.0.1.2", "", 0)));
    }

    @Test
    void noMoreThanTheLimit() throws Exception {
        remember();
        List<Object> answer = flows(new FlowsRequest(Selection.ALL, "", -1, "", "", 2));
        assertEquals(3, answer.size());
        assertEquals(new FlowsEndView(new FlowsEndView.End(2, 5, 5, 0, 1000)), answer.get(2));
    }

    @Test
    void aServiceThatThereIsNoneOfIsRefused() {
        ControlException failure =
                assertThrows(ControlException.class, () -> agent.control.flows(of(new Selection("mail", "", ""))));
        assertEquals("no service is named \"mail\"", failure.getMessage());
        assertThrows(
                ControlException.class,
                () -> agent.control.capture(
                        new CaptureRequest(new Selection("mail", "", ""), List.of(), "both", 1, 0, 0)));
    }

    @Test
    void flowsByServiceAndReal() throws Exception {
        remember();
        assertEquals(
                new FlowCountsView(
                        List.of(
                                new FlowCountsView.Row("web", "10.0.1.1", 2, 1),
                                new FlowCountsView.Row("web", "10.0.1.2", 2, 0)),
                        5,
                        0,
                        1000),
                agent.control.countFlows(ALL).get(20, TimeUnit.SECONDS));
    }

    @Test
    void countersInWords() throws Exception {
        remember();
        agent.kernel.count(WEB4, "drop-ttl", new Counter(2, 128));
        agent.kernel.count(WEB6, "drop-ttl", new Counter(1, 70));
        StatsView stats = agent.control.stats().get(20, TimeUnit.SECONDS);
        assertEquals("web", stats.services().get(0).service());
        assertEquals(2, stats.services().get(0).reals().size());
        assertEquals(
                List.of(new VerdictView("drop-ttl", "its time to live, or hop limit, is used up", 3, 198)),
                stats.services().get(0).notForwarded());
        assertEquals(new FlowTableView(5, 1, 1000), stats.flowTable());
        assertEquals("flow-added", stats.events().get(0).event());
    }

    private void capture(CaptureRequest request) throws Exception {
        agent.control.capture(request).get().start(rows);
        Await.await("packets are copied", () -> agent.kernel.copies().sampled() == request.every() || rows.ended());
    }

    private void copy(long packet, byte[] frame) {
        agent.kernel.copies().copy(new CapturedPacket(7, packet, Stage.BEFORE, "", 0, new Frame(frame, frame.length)));
        agent.kernel
                .copies()
                .copy(new CapturedPacket(9, packet, Stage.AFTER, "forward-flow", 0, new Frame(new byte[] {1}, 9000)));
    }

    private static byte[] packet(String vip, int port) {
        return io.l4lb.test.Frame.tcp("198.51.100.7", 40000, vip, port).bytes();
    }

    private List<CapturedView> copies() {
        return rows.all().stream()
                .filter(CapturedView.class::isInstance)
                .map(CapturedView.class::cast)
                .toList();
    }

    @Test
    void copiesUntilThereAreEnough() throws Exception {
        capture(new CaptureRequest(Selection.ALL, List.of(), "both", 3, 2, 0));
        copy(1, packet("192.0.2.10", 80));
        copy(-1, packet("192.0.2.99", 80));
        copy(3, packet("192.0.2.10", 80));
        List<CapturedView> copies = copies();
        assertEquals(
                List.of("0000000000000001", "0000000000000001", "ffffffffffffffff", "ffffffffffffffff"),
                copies.stream().map(CapturedView::packet).toList());
        assertEquals(
                List.of("before", "after"),
                copies.stream().limit(2).map(CapturedView::stage).toList());
        assertEquals("", copies.get(0).reason());
        assertEquals("the flow table remembers this flow", copies.get(1).reason());
        assertEquals(9000, copies.get(1).length());
        assertEquals(
                new CaptureEndView(new CaptureEndView.End(0, 0, false)),
                rows.all().get(0));
        assertEquals(
                new CaptureEndView(new CaptureEndView.End(4, 0, true)),
                rows.all().get(5));
        Await.await("no packet is copied any more", () -> agent.kernel.copies().sampled() == 0);
        Await.await("nobody reads", () -> !agent.kernel.copies().isOpen());
    }

    @Test
    void copiesOnlyWhatFits() throws Exception {
        capture(new CaptureRequest(new Selection("web", "", ""), List.of(), "after", 1, 1, 0));
        copy(1, packet("192.0.2.99", 80));
        copy(2, packet("192.0.2.10", 81));
        copy(3, packet("192.0.2.10", 80));
        List<CapturedView> copies = copies();
        assertEquals(
                List.of("0000000000000003"),
                copies.stream().map(CapturedView::packet).toList());
        assertEquals("after", copies.get(0).stage());
    }

    private void copy(long packet, String verdict) {
        agent.kernel.copies().copy(new CapturedPacket(7, packet, Stage.BEFORE, "", 0, new Frame(new byte[] {1}, 60)));
        agent.kernel
                .copies()
                .copy(new CapturedPacket(9, packet, Stage.AFTER, verdict, 0, new Frame(new byte[] {1}, 60)));
    }

    @Test
    void copiesOnlyWhatHasAVerdict() throws Exception {
        capture(new CaptureRequest(Selection.ALL, List.of("drop-ttl", "drop-malformed"), "both", 1, 2, 0));
        copy(1, "forward-flow");
        copy(2, "drop-ttl");
        copy(3, "pass-not-ip");
        copy(4, "drop-malformed");
        assertEquals(
                List.of(
                        "0000000000000002 before ",
                        "0000000000000002 after drop-ttl",
                        "0000000000000004 before ",
                        "0000000000000004 after drop-malformed"),
                copies().stream()
                        .map(copy -> copy.packet() + " " + copy.stage() + " " + copy.verdict())
                        .toList());
    }

    @Test
    void aVerdictAndAServiceBothHaveToFit() throws Exception {
        capture(new CaptureRequest(new Selection("web", "", ""), List.of("forward-flow"), "before", 1, 1, 0));
        copy(1, packet("192.0.2.99", 80));
        copy(2, packet("192.0.2.10", 80));
        assertEquals(
                List.of("0000000000000002 before"),
                copies().stream()
                        .map(copy -> copy.packet() + " " + copy.stage())
                        .toList());
    }

    @Test
    void aVerdictThatThereIsNoneOfIsRefusedWithThoseThatThereAre() {
        ControlException failure = assertThrows(
                ControlException.class,
                () -> agent.control.capture(
                        new CaptureRequest(Selection.ALL, List.of("drop-ttl", "drop"), "both", 1, 0, 0)));
        String message = String.valueOf(failure.getMessage());
        assertTrue(
                message.startsWith("no verdict is named \"drop\"; there are answer-echo, answer-path-mtu,"), message);
    }

    @Test
    void aDataplaneThatCopiesNothingRefusesBeforeTheAnswerBegins() {
        agent.kernel.copyNothing("use tcpdump");
        ControlException failure = assertThrows(
                ControlException.class,
                () -> agent.control.capture(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 0)));
        assertEquals("use tcpdump", failure.getMessage());
    }

    @Test
    void endsAfterItsTime() throws Exception {
        capture(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 1));
        agent.kernel.copies().lose(5);
        List<Object> all = rows.all();
        assertEquals(new CaptureEndView(new CaptureEndView.End(0, 5, true)), all.get(all.size() - 1));
    }

    @Test
    void endsWhenTheClientGoes() throws Exception {
        capture(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 0));
        rows.leave();
        Await.await("no packet is copied any more", () -> agent.kernel.copies().sampled() == 0);
    }

    @Test
    void thereIsOneAtATime() throws Exception {
        CaptureRequest request = new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 0);
        capture(request);
        CollectedRows second = new CollectedRows();
        agent.control.capture(request).get().start(second);
        assertEquals(List.of("another capture is running; there is one at a time"), second.all());
        rows.leave();
        Await.await("nobody reads", () -> !agent.kernel.copies().isOpen());
        Await.await("another one may begin", () -> {
            CollectedRows third = new CollectedRows();
            agent.control
                    .capture(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 1))
                    .join()
                    .start(third);
            return third.all().size() > 1;
        });
    }

    @Test
    void saysWhyThereIsNone() throws Exception {
        agent.kernel.refuseCaptures("read ring buffer captures: ENOMEM");
        capture(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 0));
        assertEquals(List.of("read ring buffer captures: ENOMEM"), rows.all());
    }

    @Test
    void endsWithTheAgent() throws Exception {
        capture(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 0));
        agent.close();
        assertEquals(2, rows.all().size());
    }
}
