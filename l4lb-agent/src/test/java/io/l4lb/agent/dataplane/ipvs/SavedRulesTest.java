// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.ForwardingMethod;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.Persistence;
import io.l4lb.ipvs.PlainForwarding;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceFlag;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Thresholds;
import io.l4lb.ipvs.Tunnel;
import io.l4lb.ipvs.TunnelChecksum;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.netlink.AddressFamily;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The words are those of {@code ipvsadm -Sn}, version 1.31; that it restores them is tried by SavedRulesKernelTest. */
class SavedRulesTest {
    static final VirtualAddress WEB = new VirtualAddress(ip("192.0.2.10"), VirtualAddress.TCP, 80);
    static final VirtualAddress DNS = new VirtualAddress(ip("2001:db8::10"), VirtualAddress.UDP, 53);
    static final VirtualAddress SIGTRAN = new VirtualAddress(ip("192.0.2.10"), VirtualAddress.SCTP, 2905);
    static final FirewallMark MARK = new FirewallMark(0x4c340001, AddressFamily.INET);
    static final FirewallMark MARK6 = new FirewallMark(0x4c340001, AddressFamily.INET6);
    private static final VirtualAddress FOREIGN = new VirtualAddress(ip("192.0.2.99"), VirtualAddress.TCP, 80);

    /** What {@link #fill} makes, but for what is foreign. */
    static final List<String> RULES = """
            -A -t 192.0.2.10:80 -s mh -b mh-fallback,mh-port
            -a -t 192.0.2.10:80 -r 10.0.1.1:80 -i -w 3 --tun-type ipip
            -a -t 192.0.2.10:80 -r 10.0.1.2:80 -i -w 0 --tun-type gue --tun-port 6080 --tun-nocsum
            -a -t 192.0.2.10:80 -r 10.0.1.3:80 -i -w 2 --tun-type gre --tun-csum
            -a -t 192.0.2.10:80 -r [fd00::4]:80 -i -w 1 --tun-type gue --tun-port 6081 --tun-remcsum
            -A --sctp-service 192.0.2.10:2905 -s wrr
            -a --sctp-service 192.0.2.10:2905 -r 10.0.1.1:2905 -m -w 65535
            -A -u [2001:db8::10]:53 -s sh -b sh-fallback
            -a -u [2001:db8::10]:53 -r [fd00::1]:53 -g -w 1
            -a -u [2001:db8::10]:53 -r 10.0.1.1:53 -i -w 1 --tun-type ipip
            -A -f 1278476289 -s rr
            -a -f 1278476289 -r 10.0.1.1:0 -i -w 1 --tun-type ipip
            -A -f 1278476289 -6 -s rr
            -a -f 1278476289 -6 -r [fd00::1]:0 -i -w 1 --tun-type ipip
            """.lines().toList();

    private final FakeIpvs ipvs = new FakeIpvs();

    @AutoClose
    private final IpvsClient client = ipvs.client();

    /** Services of all kinds that there are of ours, and one of somebody else. */
    static void fill(IpvsClient client) {
        ServiceSettings mh = settings("mh", ServiceFlag.MH_PORT, ServiceFlag.MH_FALLBACK);
        add(client, MARK6, ServiceSettings.of("rr"), destination("fd00::1", 0, 1, Tunnel.IPIP));
        add(client, MARK, ServiceSettings.of("rr"), destination("10.0.1.1", 0, 1, Tunnel.IPIP));
        add(client, FOREIGN, ServiceSettings.of("rr"));
        add(
                client,
                WEB,
                mh,
                destination("10.0.1.1", 80, 3, Tunnel.IPIP),
                destination("10.0.1.2", 80, 0, Tunnel.gue(6080, TunnelChecksum.NONE)),
                destination("10.0.1.3", 80, 2, Tunnel.gre(TunnelChecksum.CHECKSUM)),
                destination("fd00::4", 80, 1, Tunnel.gue(6081, TunnelChecksum.REMOTE)));
        add(
                client,
                DNS,
                settings("sh", ServiceFlag.SH_FALLBACK),
                destination("fd00::1", 53, 1, PlainForwarding.DIRECT_ROUTE),
                destination("10.0.1.1", 53, 1, Tunnel.IPIP));
        add(
                client,
                SIGTRAN,
                ServiceSettings.of("wrr"),
                destination("10.0.1.1", 2905, 65535, PlainForwarding.MASQUERADE));
    }

    private static ServiceSettings settings(String scheduler, ServiceFlag... flags) {
        return new ServiceSettings(scheduler, Set.of(flags), Optional.empty(), Optional.empty());
    }

    private static Destination destination(String real, int port, int weight, ForwardingMethod method) {
        return new Destination(new DestinationIdentity(ip(real), port), DestinationSettings.of(weight, method));
    }

    private static void add(
            IpvsClient client, ServiceIdentity service, ServiceSettings settings, Destination... destinations) {
        client.addService(new Service(service, settings));
        for (Destination each : destinations) {
            client.addDestination(service, each);
        }
    }

    static boolean ours(ServiceIdentity service) {
        return !service.equals(FOREIGN);
    }

    @Test
    void servicesOfEveryKindInTheOrderInWhichTheyWereMade() {
        fill(client);
        assertEquals(RULES, new SavedRules(new Kernel(client), SavedRulesTest::ours).lines());
    }

    @Test
    void nothingIsNoLine() {
        assertEquals(List.of(), new SavedRules(new Kernel(client), service -> true).lines());
    }

    /** What somebody else may have made of a service of ours. */
    @Test
    void otherSettings() {
        Optional<Persistence> hour = Optional.of(new Persistence(Duration.ofHours(1), 24));
        assertEquals(
                "-A -t 192.0.2.10:80 -s lc -p 3600 -M 255.255.255.0 --pe sip -o -b flag-1,flag-3",
                SavedRules.line(new Service(
                        WEB,
                        new ServiceSettings(
                                "lc",
                                Set.of(ServiceFlag.ONE_PACKET, ServiceFlag.SCHEDULER_1, ServiceFlag.SCHEDULER_3),
                                hour,
                                Optional.of("sip")))));
        Optional<Persistence> all = Optional.of(new Persistence(Duration.ofSeconds(60), 0));
        assertEquals(
                "-A -t 192.0.2.10:80 -s lc -p 60 -M 0.0.0.0",
                SavedRules.line(new Service(WEB, new ServiceSettings("lc", Set.of(), all, Optional.empty()))));
        assertEquals(
                "-A -u [2001:db8::10]:53 -s lc -p 3600 -M 24",
                SavedRules.line(new Service(DNS, new ServiceSettings("lc", Set.of(), hour, Optional.empty()))));
        assertEquals(
                "-a -t 192.0.2.10:80 -r 10.0.1.1:8080 -g -w 1 -x 10 -y 5",
                SavedRules.line(
                        WEB,
                        new Destination(
                                new DestinationIdentity(ip("10.0.1.1"), 8080),
                                new DestinationSettings(1, PlainForwarding.LOCAL, new Thresholds(10, 5)))));
    }
}
