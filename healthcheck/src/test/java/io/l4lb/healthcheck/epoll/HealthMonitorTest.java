// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Targets;
import io.l4lb.healthcheck.Timing;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class HealthMonitorTest {
    private static final Timing QUICK = new Timing(Duration.ofMillis(50), 2, 2);

    private final Semaphore changed = new Semaphore(0);

    @Test
    void targetsAreInTheSnapshotWhenSetTargetsReturns() {
        try (HealthMonitor monitor = HealthMonitor.start(changed::release)) {
            ProbeTarget target = target("a", new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
            monitor.setTargets(List.of(target), Targets.in(HealthState.UP));
            assertEquals(HealthState.UP, monitor.snapshot().state("a"));
            monitor.setTargets(List.of(), Targets.in(HealthState.UP));
            assertTrue(monitor.snapshot().byId().isEmpty());
        }
    }

    @Test
    void aServerComesUpAndGoesDown() throws Exception {
        try (HealthMonitor monitor = HealthMonitor.start(changed::release)) {
            ScriptedServer server = ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            ProbeTarget target = Targets.target(
                    "a", server.address(), 0, new HttpCheck("/"), new Timing(Duration.ofMillis(200), 2, 2));
            monitor.setTargets(List.of(target), Targets.in(HealthState.UNKNOWN));
            await(monitor, health -> health.state() == HealthState.UP);
            assertEquals("HTTP 200", health(monitor).reason());
            server.close();
            await(monitor, health -> health.state() == HealthState.DOWN);
            assertFalse(health(monitor).reason().isBlank());
        }
    }

    @Test
    void probesGoOnAfterAListenerThatThrows() throws Exception {
        CountDownLatch probes = new CountDownLatch(4);
        try (HealthMonitor monitor = new HealthMonitor(
                loop -> (probe, trace, sink) -> {
                    probes.countDown();
                    sink.accept(Targets.verdict(probes.getCount() % 2 == 0, "test"));
                },
                InstantSource.system(),
                new Random(7),
                () -> {
                    throw new IllegalStateException("listener");
                })) {
            Timing hair = new Timing(Duration.ofMillis(10), 1, 1);
            InetSocketAddress nowhere = new InetSocketAddress("192.0.2.1", 80);
            monitor.setTargets(
                    List.of(Targets.target("a", nowhere, 0, new TcpCheck(), hair)), Targets.in(HealthState.UP));
            assertTrue(probes.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void verdictsAndChangesComeOnTheHealthThreadWhichMaySetTargetsItself() throws Exception {
        AtomicReference<String> thread = new AtomicReference<>("");
        CompletableFuture<HealthMonitor> self = new CompletableFuture<>();
        CountDownLatch emptied = new CountDownLatch(1);
        try (HealthMonitor monitor = HealthMonitor.start(() -> {
            thread.set(Thread.currentThread().getName());
            self.join().setTargets(List.of(), Targets.in(HealthState.UNKNOWN));
            emptied.countDown();
        })) {
            self.complete(monitor);
            ProbeTarget target = target("a", new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
            monitor.setTargets(List.of(target), Targets.in(HealthState.UNKNOWN));
            assertTrue(emptied.await(30, TimeUnit.SECONDS));
            assertTrue(monitor.snapshot().byId().isEmpty());
            assertEquals("health", thread.get());
        }
    }

    @Test
    void twoTargetsOfOneIdAreRefusedToTheCaller() {
        try (HealthMonitor monitor = HealthMonitor.start(changed::release)) {
            ProbeTarget target = target("a", new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> monitor.setTargets(List.of(target, target), Targets.in(HealthState.UP)));
        }
    }

    @Test
    void closingEndsTheThreadAndMayBeRepeated() {
        HealthMonitor monitor = HealthMonitor.start(changed::release);
        ProbeTarget target = target("a", new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
        monitor.setTargets(List.of(target), Targets.in(HealthState.UP));
        monitor.close();
        monitor.close();
        assertEquals(1, monitor.snapshot().byId().size());
        assertThrows(RuntimeException.class, () -> monitor.setTargets(List.of(), Targets.in(HealthState.UP)));
    }

    private void await(HealthMonitor monitor, Predicate<Health> condition) throws InterruptedException {
        while (!condition.test(health(monitor))) {
            assertTrue(changed.tryAcquire(30, TimeUnit.SECONDS), "still " + health(monitor));
        }
    }

    private static Health health(HealthMonitor monitor) {
        return monitor.snapshot().of("a").orElseThrow();
    }

    private static ProbeTarget target(String id, InetSocketAddress destination) {
        return Targets.target(id, destination, 0, new TcpCheck(), QUICK);
    }
}
