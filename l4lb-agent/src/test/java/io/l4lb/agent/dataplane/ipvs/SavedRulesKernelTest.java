// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What we print, restored by ipvsadm in another namespace. */
@Tag("kernel")
@Timeout(120)
class SavedRulesKernelTest {
    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @BeforeEach
    void make() {
        Machine.needNetworkNamespaces();
        String problem = problem();
        Machine.need("ipvs", problem.isEmpty(), problem);
        for (String name : List.of("saved", "restored")) {
            namespaces.make(name);
            // Without its routing table of local addresses no address is unicast to the kernel.
            namespaces.batch(name, "link set lo up\n");
        }
    }

    private static String problem() {
        try (IpvsClient client = IpvsClient.open()) {
            client.info();
            Machine.run("ipvsadm", "--version");
            return "";
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String ipvsadm(String namespace, String input, String option) {
        return Machine.runWithInput(input, "ip", "netns", "exec", namespaces.name(namespace), "ipvsadm", option);
    }

    private static List<Destination> web(IpvsClient client) {
        return client.destinations(SavedRulesTest.WEB).stream()
                .map(DestinationEntry::destination)
                .toList();
    }

    @Test
    void ipvsadmRestoresWhatIsPrinted() throws Exception {
        try (IpvsClient saved = ThreadContext.inNamespace(namespaces.name("saved"), IpvsClient::open);
                IpvsClient restored = ThreadContext.inNamespace(namespaces.name("restored"), IpvsClient::open)) {
            SavedRulesTest.fill(saved);
            List<String> rules = new SavedRules(new Kernel(saved), service -> true).lines();
            ipvsadm("restored", String.join("\n", rules) + "\n", "-R");
            String expected = ipvsadm("saved", "", "-Sn");
            assertEquals(expected, ipvsadm("restored", "", "-Sn"));
            // ipvsadm sorts what it saves, which the order of our lines is not to be: it decides the table of mh.
            assertEquals(
                    expected.lines().sorted().toList(), rules.stream().sorted().toList());
            assertEquals(web(saved), web(restored));
            assertEquals(SavedRulesTest.RULES, new SavedRules(new Kernel(restored), SavedRulesTest::ours).lines());
        }
    }
}
