// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernel sees the mark: a routing rule of a namespace of its own turns away exactly the packets that carry it. */
@Tag("kernel")
final class MarkKernelTest {
    private static final String REFUSED_MARK = "80000007";

    private static final String HOST = "health";

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @BeforeEach
    void makeNamespace() {
        Machine.needNetworkNamespaces();
        namespaces.make(HOST);
    }

    @ParameterizedTest
    @CsvSource({"-4,127.0.0.1", "-6,::1"})
    void onlyProbesWithTheMarkMeetItsRule(String family, String address) {
        // The rule of local addresses is the first of all; ours has to come before it.
        namespaces.ip(HOST, family + " rule add pref 100 lookup local");
        namespaces.ip(HOST, family + " rule del pref 0 lookup local");
        namespaces.ip(HOST, family + " rule add pref 10 fwmark 0x" + REFUSED_MARK + " unreachable");
        Outcome probes = runJava(List.of(), address, "0", REFUSED_MARK, "80000008");
        assertEquals(
                List.of("0 connected", REFUSED_MARK + " no route to host", "80000008 connected"),
                probes.output().lines().toList(),
                probes.errors());
    }

    @Test
    void withoutThePrivilegeTheVerdictSaysSo() {
        List<String> unprivileged =
                List.of("setpriv", "--bounding-set=-net_admin,-net_raw", "--inh-caps=-net_admin,-net_raw");
        Outcome probes = runJava(unprivileged, "127.0.0.1", "0", "7");
        assertEquals(
                List.of(
                        "0 connected",
                        "7 the probe's socket may not be marked: operation not permitted (CAP_NET_ADMIN is missing)"),
                probes.output().lines().toList(),
                probes.errors());
    }

    private Outcome runJava(List<String> prefix, String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespaces.name(HOST)));
        command.addAll(prefix);
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MarkedProbes.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return Machine.attempt("", command.toArray(String[]::new));
    }
}
