// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.model.DataplaneSection;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.agent.model.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The IPVS dataplane, and what services of it can ask for. */
class IpvsReaderTest {
    private static final String SMALL = ConfigFiles.SMALL
            .replace("[agent]\n", "[agent]\ndataplane = \"ipvs\"\n")
            .replace("[xdp]", "[ipvs]");
    private static final String SERVICE = """
            [[services]]
            name = "s"
            vips = ["192.0.2.1"]
            reals = [{ address = "10.0.1.1" }]
            """;

    @TempDir
    private Path directory = Path.of("");

    private DataplaneSection section(String toml) {
        return new ConfigFiles(directory).writeMain(toml).loadGood().dataplane();
    }

    private Service service(String rest) {
        return new ConfigFiles(directory)
                .writeMain(SMALL + SERVICE + rest)
                .loadGood()
                .services()
                .get(0);
    }

    private List<String> problems(String toml) {
        ConfigFiles files = new ConfigFiles(directory).writeMain(toml);
        return files.problems(files.load());
    }

    @Test
    void fillsInDefaults() {
        assertEquals(IpvsSection.on(List.of("eth0")), section(SMALL));
    }

    @Test
    void takesTheInterfacesOfXdp() {
        String both = ConfigFiles.SMALL.replace("[agent]\n", "[agent]\ndataplane = \"ipvs\"\n");
        assertEquals(IpvsSection.on(List.of("eth0")), section(both));
        assertEquals(
                IpvsSection.on(List.of("eth0")).drainTimeout(),
                ((IpvsSection) section(both + "[ipvs]\nmaglev = \"table\"\n")).drainTimeout());
        assertEquals(List.of("eth1"), ((IpvsSection) section(both + "[ipvs]\ninterfaces = [\"eth1\"]\n")).interfaces());
    }

    @Test
    void readsEveryKey() {
        assertEquals(
                new IpvsSection(
                        List.of("eth0"),
                        IpvsSection.Maglev.TABLE,
                        Path.of("/sys/fs/bpf/other"),
                        Duration.ofMinutes(1),
                        new IpvsSection.Timeouts(
                                Optional.of(Duration.ofHours(2)),
                                Optional.of(Duration.ofSeconds(10)),
                                Optional.of(Duration.ofSeconds(30)))),
                section(SMALL + """
                        maglev = "table"
                        pin-dir = "/sys/fs/bpf/other"
                        drain-timeout = "1m"
                        tcp-timeout = "2h"
                        tcp-closing-timeout = "10s"
                        udp-timeout = "30s"
                        """));
    }

    @Test
    void eachDataplaneNeedsItsTable() {
        String none = "[agent]\ndataplane = \"ipvs\"\n";
        assertEquals(List.of("l4lb.toml:2: ipvs.interfaces: is missing"), problems(none));
        assertEquals(
                List.of("l4lb.toml:3: ipvs.interfaces: is missing"), problems(none + "[ipvs]\nmaglev = \"kernel\"\n"));
        assertEquals(
                List.of(
                        "l4lb.toml:2: ipvs: is for agent.dataplane = \"ipvs\", and that is \"xdp\", which needs the table [xdp]"),
                problems("[agent]\n[ipvs]\ninterfaces = [\"eth0\"]\n"));
    }

    @Test
    void anUnknownDataplaneIsOneProblem() {
        String agent = "[agent]\ndataplane = \"ipsv\"\n";
        List<String> one = List.of("l4lb.toml:2: agent.dataplane: \"ipsv\" is not known; use \"xdp\" or \"ipvs\"");
        String ipvs = "[ipvs]\ninterfaces = [\"eth0\"]\n";
        assertEquals(one, problems(agent));
        assertEquals(one, problems(agent + ipvs));
        assertEquals(one, problems(agent + "[xdp]\ninterfaces = [\"eth0\"]\n[ipvs]\nmaglev = \"table\"\n"));
        assertEquals(
                one,
                problems(agent + ipvs + SERVICE + "protocol = \"udp\"\nport = 53\nforwarding = \"direct\"\n"
                        + "health-check = { port = 80 }\n"));
    }

    @Test
    void refusesWhatIsWrongInItsTable() {
        assertEquals(
                List.of(
                        "l4lb.toml:5: ipvs.interfaces[0]: \"eth 0\" cannot be the name of an interface",
                        "l4lb.toml:6: ipvs.maglev: \"mh\" is not known; use \"kernel\" or \"table\"",
                        "l4lb.toml:7: ipvs.udp-timeout: the kernel counts whole seconds"),
                problems(SMALL.replace("eth0", "eth 0") + "maglev = \"mh\"\nudp-timeout = \"1.5s\"\n"));
    }

    @Test
    void readsEverySchedulerOfTheKernel() {
        for (KernelScheduler scheduler : KernelScheduler.values()) {
            String rest = "protocol = \"tcp\"\nport = 80\nscheduler = \"" + scheduler.key() + "\"\n";
            assertEquals(
                    new Scheduling.ByKernel(scheduler),
                    service(rest).balancing().scheduling());
        }
    }

    @Test
    void readsEveryForwardingMethod() {
        for (Forwarding forwarding : Forwarding.values()) {
            String rest = "protocol = \"udp\"\nport = 53\nforwarding = \"" + forwarding.key() + "\"\n";
            assertEquals(forwarding, service(rest).balancing().forwarding());
        }
    }

    @Test
    void refusesWhatOnlyXdpCanDo() {
        assertEquals(
                List.of(
                        "l4lb.toml:10: services[0].protocol: \"esp\" is for agent.dataplane = \"xdp\" alone: IPVS schedules"
                                + " tcp, udp and sctp"),
                problems(SMALL + SERVICE + "protocol = \"esp\"\nhealth-check = { port = 80 }\n"));
        assertEquals(
                List.of("l4lb.toml:11: services[0].port: a scheduler of the kernel needs a port; every port goes with"
                        + " \"maglev\", \"ketama\" or \"rendezvous\""),
                problems(SMALL + SERVICE
                        + "protocol = \"tcp\"\nport = \"any\"\nscheduler = \"rr\"\nhealth-check = { port = 80 }\n"));
    }

    @Test
    void onlyATunnelCarriesAnotherFamily() {
        String tcp =
                SERVICE.replace("\"192.0.2.1\"", "\"192.0.2.1\", \"2001:db8::1\"") + "protocol = \"tcp\"\nport = 80\n";
        assertEquals(
                List.of(
                        "l4lb.toml:9: services[0].reals[0].address: is of another family than VIP 2001:db8::1 (line 8), which"
                                + " forwarding \"direct\" cannot change; a tunnel can"),
                problems(SMALL + tcp + "forwarding = \"direct\"\n"));
        assertEquals(List.of(), problems(SMALL + tcp + "forwarding = \"gre\"\n"));
    }

    @Test
    void refusesWhatTheKernelsSchedulersDoNotKnow() {
        String tcp = "protocol = \"tcp\"\nport = 80\n";
        assertEquals(
                List.of(
                        "l4lb.toml:13: services[0].table-size: scheduler \"wlc\" of the kernel has no table whose size can"
                                + " be chosen",
                        "l4lb.toml:14: services[0].hash-key: scheduler \"wlc\" of the kernel does not hash the client;"
                                + " leave hash-key out"),
                problems(SMALL + SERVICE + tcp + "scheduler = \"wlc\"\ntable-size = 251\nhash-key = \"3-tuple\"\n"));
        assertEquals(
                new Scheduling.ByKernel(KernelScheduler.MH),
                service(tcp + "scheduler = \"mh\"\nhash-key = \"3-tuple\"\n")
                        .balancing()
                        .scheduling());
    }

    @Test
    void xdpRefusesWhatOnlyIpvsCanDo() {
        String tcp = "protocol = \"tcp\"\nport = 80\nscheduler = \"rr\"\nforwarding = \"direct\"\n";
        assertEquals(
                List.of(
                        "l4lb.toml:11: services[0].scheduler: \"rr\" is the kernel's own, for agent.dataplane = \"ipvs\""
                                + " alone; use \"maglev\", \"ketama\" or \"rendezvous\"",
                        "l4lb.toml:12: services[0].forwarding: \"direct\" is for agent.dataplane = \"ipvs\" alone; use"
                                + " \"ipip\" or \"gue\""),
                problems(ConfigFiles.SMALL + SERVICE + tcp));
    }
}
