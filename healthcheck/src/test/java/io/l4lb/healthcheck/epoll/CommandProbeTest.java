// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.Verdict.Outcome;
import io.l4lb.healthcheck.check.ExecCheck;
import io.l4lb.test.Descriptors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommandProbeTest {
    private static final InetSocketAddress DESTINATION = new InetSocketAddress("192.0.2.1", 80);
    private static final Duration SHORT = Duration.ofMillis(500);

    private final ProbeBench bench = new ProbeBench();

    @AfterEach
    void stop() {
        bench.close();
    }

    @ParameterizedTest
    @CsvSource({
        "exit 0,SUCCESS,exit status 0",
        "echo fine; echo more; exit 0,SUCCESS,fine",
        "exit 3,FAILURE,exit status 3",
        "echo disk full >&2; exit 1,FAILURE,exit status 1: disk full",
        "kill -9 $$,FAILURE,ended by signal 9",
        "head -c 300000 /dev/zero | tr '\\0' x; exit 4,FAILURE,exit status 4: " + "%x...",
        "cat; echo end of input,SUCCESS,end of input"
    })
    void theStatusDecidesAndTheFirstLineSaysWhy(String script, Outcome outcome, String reason) {
        Verdict verdict = shell(script, ProbeBench.PATIENT);
        assertEquals(reason.replace("%x", "x".repeat(200)), verdict.reason());
        assertEquals(outcome, verdict.outcome());
    }

    @Test
    void theEnvironmentNamesTheRealAndNothingElse() {
        Verdict verdict =
                shell("env | grep -v '^PWD=\\|^SHLVL=\\|^_=\\|^PATH=' | sort | tr '\\n' ' '", ProbeBench.PATIENT);
        assertEquals("L4LB_ADDRESS=192.0.2.1 L4LB_MARK=0 L4LB_PORT=80 L4LB_REAL=192.0.2.1", verdict.reason());
    }

    @Test
    void whatCannotBeRunSaysNothingOfTheReal() {
        Verdict missing = bench.probe(DESTINATION, new ExecCheck(List.of("/nonexistent/check")), ProbeBench.PATIENT);
        assertEquals("cannot run /nonexistent/check: No such file or directory", missing.reason());
        assertEquals(Outcome.INCONCLUSIVE, missing.outcome());
        Verdict refused = bench.probe(DESTINATION, new ExecCheck(List.of("/etc/passwd")), ProbeBench.PATIENT);
        assertEquals("cannot run /etc/passwd: Permission denied", refused.reason());
    }

    @Test
    void theDeadlineKillsItWithItsChildren(@TempDir Path directory) throws IOException {
        Path pids = directory.resolve("pids");
        Verdict verdict = shell("sleep 600 & echo $! $$ > " + pids + "; wait", Duration.ofSeconds(2));
        assertEquals("still running after 2s", verdict.reason());
        assertEquals(Outcome.FAILURE, verdict.outcome());
        for (String pid : Files.readString(pids).strip().split(" ", -1)) {
            await("the end of " + pid, () -> ProcessHandle.of(Long.parseLong(pid))
                    .filter(ProcessHandle::isAlive)
                    .isEmpty());
        }
    }

    @Test
    void aChildThatIsLeftBehindHoldsNothingUp() {
        Verdict verdict = shell("sleep 3 & echo gone", ProbeBench.PATIENT);
        assertEquals("gone", verdict.reason());
        assertTrue(verdict.latency().compareTo(Duration.ofSeconds(3)) < 0, verdict.toString());
    }

    @Test
    void thoseThatGetNoTurnSayNothingOfTheReal() {
        List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            verdicts.add(bench.start(DESTINATION, 0, new ExecCheck(List.of("/bin/sleep", "5")), SHORT));
        }
        List<Verdict> all = verdicts.stream().map(ProbeBench::await).toList();
        List<Verdict> waited = all.stream()
                .filter(verdict -> verdict.outcome() == Outcome.INCONCLUSIVE)
                .toList();
        assertFalse(waited.isEmpty());
        assertTrue(waited.stream().allMatch(verdict -> verdict.reason().startsWith("too many commands are running")));
    }

    @Test
    void aHundredLeaveNothingOpen() {
        shell("exit 0", ProbeBench.PATIENT);
        long before = Descriptors.open();
        for (int i = 0; i < 100; i++) {
            assertTrue(shell("echo x; exit 0", ProbeBench.PATIENT).success());
        }
        await("no more than the " + before + " descriptors of before", () -> Descriptors.open() <= before);
        assertFalse(ProcessHandle.current().children().anyMatch(ProcessHandle::isAlive));
    }

    private Verdict shell(String script, Duration timeout) {
        return bench.probe(DESTINATION, new ExecCheck(List.of("/bin/sh", "-c", script)), timeout);
    }
}
