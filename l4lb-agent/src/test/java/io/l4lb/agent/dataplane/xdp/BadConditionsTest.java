// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.XdpMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the machine does not have: one message that says what to do, or a way round that is said loudly. */
@Tag("kernel")
final class BadConditionsTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private AttachmentPlan plan(XdpMode mode, String... interfaces) {
        AttachmentPlan plan = lab.plan(interfaces);
        return new AttachmentPlan(plan.interfaces(), mode, plan.pinDir(), plan.flows(), plan.chain(), plan.constants());
    }

    /** What another process says that opens the dataplane in the director's namespace. */
    private String refusalAs(String... user) {
        List<String> command = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + lab.directorNamespace()));
        command.addAll(List.of(user));
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(
                OpenedElsewhere.class.getName(), "d0", lab.pinDirectory().toString()));
        return Machine.run(command.toArray(String[]::new));
    }

    /** It may read everything, so that it finds this program. */
    private static final String[] ORDINARY = {
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "--inh-caps=-all,+dac_read_search",
        "--ambient-caps=-all,+dac_read_search"
    };

    @Test
    void anOrdinaryUserIsTold() {
        String said = refusalAs(ORDINARY);
        assertTrue(said.contains("not permitted: this process lacks CAP_BPF (programs and maps)"), said);
        assertTrue(said.endsWith("; run it as root\n"), said);
    }

    @Test
    void rootWithoutCapabilitiesIsTold() {
        lab.openWith(web(), REALS).close();
        String said = refusalAs("setpriv", "--bounding-set=-all", "--inh-caps=-all");
        assertTrue(said.contains("not permitted: this process lacks CAP_BPF (programs and maps)"), said);
        FLOW.send();
    }

    @Test
    void rootOfAUserNamespaceIsTold() {
        Machine.need("netns", Machine.succeeds("unshare", "--user", "--map-root-user", "true"), "no user namespaces");
        lab.openWith(web(), REALS).close();
        String said = refusalAs("unshare", "--user", "--map-root-user");
        assertTrue(said.contains("in a user namespace"), said);
        FLOW.send();
    }

    @Test
    void aDriverWithoutNativeXdpGetsTheGenericOneLoudly() {
        try (XdpDataplane dataplane = lab.open(plan(XdpMode.AUTO, "lo", "d0"))) {
            assertEquals("lo generic, d0 native", dataplane.info().mode());
            String note = "XDP runs in generic mode on lo, which is slow: its driver has no native XDP (EOPNOTSUPP)";
            assertEquals(List.of(note), dataplane.info().notes());
        }
        try (XdpDataplane dataplane = lab.open(plan(XdpMode.AUTO, "lo", "d0"))) {
            String note = "XDP runs in generic mode on lo, which is slow: it was attached so";
            assertEquals(List.of(note), dataplane.info().notes());
        }
    }

    @Test
    void aDriverWithoutNativeXdpIsRefusedIfNothingElseWillDo() {
        DataplaneException refusal =
                assertThrows(DataplaneException.class, () -> lab.open(plan(XdpMode.NATIVE, "d0", "lo")));
        assertEquals(
                "interface lo: its driver refuses native XDP (EOPNOTSUPP); set mode = \"auto\" to run in generic mode"
                        + " then, which is slow",
                refusal.getMessage());
        assertTrue(Links.attachedXdp(DirectorLab.index()).isEmpty());
        assertFalse(Links.attachedXdp(Interfaces.index("lo").orElseThrow()).isPresent());
    }

    @Test
    void genericModeForwardsToo() {
        try (XdpDataplane dataplane = lab.open(plan(XdpMode.GENERIC, "d0"))) {
            web().installOn(dataplane);
            dataplane.follow(REALS, Set.of());
            assertEquals("generic", dataplane.info().mode());
            assertEquals(List.of(), dataplane.info().notes());
            FLOW.send();
        }
    }
}
