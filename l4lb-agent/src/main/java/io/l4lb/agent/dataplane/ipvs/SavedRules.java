// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.model.IpText;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.Persistence;
import io.l4lb.ipvs.PlainForwarding;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceFlag;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Tunnel;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.netlink.AddressFamily;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Predicate;

/**
 * Services as ipvsadm(8) saves them ({@code ipvsadm -Sn}), for {@code ipvsadm -R}.
 *
 * @param ours the services to be told of
 */
record SavedRules(Kernel kernel, Predicate<ServiceIdentity> ours) {
    /** As ipvsadm sorts them: those by address first, by family, protocol, address and port; then those by mark. */
    private static final Comparator<ServiceIdentity> ORDER = Comparator.<ServiceIdentity, Integer>comparing(
                    each -> each instanceof VirtualAddress ? each.family().bits() : Integer.MAX_VALUE)
            .thenComparing(each -> each instanceof VirtualAddress address ? address.protocol() : 0)
            .thenComparing(SavedRules::number)
            .thenComparing(ServiceIdentity::family)
            .thenComparing(each -> each instanceof VirtualAddress address ? address.port() : 0);

    private static BigInteger number(ServiceIdentity identity) {
        return identity instanceof VirtualAddress address
                ? new BigInteger(1, address.address().getAddress())
                : BigInteger.valueOf(((FirewallMark) identity).mark());
    }

    /** All of them, a line each and one for each destination. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        kernel.services().stream()
                .map(ServiceEntry::service)
                .filter(service -> ours.test(service.identity()))
                .sorted(Comparator.comparing(Service::identity, ORDER))
                .forEach(service -> lines.addAll(lines(service)));
        return lines;
    }

    /** What is added goes to the head of the kernel's list, which decides the table of mh: so its end comes first. */
    private List<String> lines(Service service) {
        List<String> lines = new ArrayList<>();
        List<Destination> listed = kernel.destinations(service.identity()).stream()
                .map(DestinationEntry::destination)
                .toList();
        listed.forEach(destination -> lines.add(line(service.identity(), destination)));
        lines.add(line(service));
        Collections.reverse(lines);
        return lines;
    }

    private static String name(ServiceIdentity identity) {
        if (identity instanceof FirewallMark mark) {
            return "-f " + Integer.toUnsignedString(mark.mark()) + (mark.family() == AddressFamily.INET6 ? " -6" : "");
        }
        VirtualAddress address = (VirtualAddress) identity;
        String option =
                switch (address.protocol()) {
                    case VirtualAddress.TCP -> "-t ";
                    case VirtualAddress.UDP -> "-u ";
                    case VirtualAddress.SCTP -> "--sctp-service ";
                    default -> throw new IllegalStateException("IPVS has no service of " + address);
                };
        return option + endpoint(address.address(), address.port());
    }

    private static String endpoint(InetAddress address, int port) {
        String text = IpText.of(address);
        return (AddressFamily.of(address) == AddressFamily.INET6 ? "[" + text + "]" : text) + ":" + port;
    }

    static String line(Service service) {
        ServiceSettings settings = service.settings();
        StringJoiner line = new StringJoiner(" ");
        line.add("-A").add(name(service.identity())).add("-s").add(settings.scheduler());
        settings.persistence().ifPresent(persistence -> persist(line, service.identity(), persistence));
        settings.persistenceEngine().ifPresent(engine -> line.add("--pe").add(engine));
        if (settings.flags().contains(ServiceFlag.ONE_PACKET)) {
            line.add("-o");
        }
        String flags = flags(settings);
        return (flags.isEmpty() ? line : line.add("-b").add(flags)).toString();
    }

    private static void persist(StringJoiner line, ServiceIdentity identity, Persistence persistence) {
        line.add("-p").add(Long.toString(persistence.timeout().toSeconds()));
        int bits = persistence.maskLength();
        if (bits < identity.family().bits()) {
            line.add("-M").add(identity.family() == AddressFamily.INET6 ? Integer.toString(bits) : mask(bits));
        }
    }

    private static String mask(int bits) {
        int mask = bits == 0 ? 0 : -1 << (Integer.SIZE - bits);
        return (mask >>> 24) + "." + ((mask >>> 16) & 0xff) + "." + ((mask >>> 8) & 0xff) + "." + (mask & 0xff);
    }

    private static String flags(ServiceSettings settings) {
        String scheduler = settings.scheduler();
        boolean named = scheduler.equals("sh") || scheduler.equals("mh");
        StringJoiner flags = new StringJoiner(",");
        add(flags, settings, ServiceFlag.SCHEDULER_1, named ? scheduler + "-fallback" : "flag-1");
        add(flags, settings, ServiceFlag.SCHEDULER_2, named ? scheduler + "-port" : "flag-2");
        add(flags, settings, ServiceFlag.SCHEDULER_3, "flag-3");
        return flags.toString();
    }

    private static void add(StringJoiner flags, ServiceSettings settings, ServiceFlag flag, String name) {
        if (settings.flags().contains(flag)) {
            flags.add(name);
        }
    }

    static String line(ServiceIdentity service, Destination destination) {
        DestinationIdentity identity = destination.identity();
        DestinationSettings settings = destination.settings();
        StringJoiner line = new StringJoiner(" ");
        line.add("-a").add(name(service)).add("-r").add(endpoint(identity.address(), identity.port()));
        line.add(method(settings)).add("-w").add(Integer.toString(settings.weight()));
        if (settings.thresholds().upper() > 0) {
            line.add("-x").add(Long.toString(settings.thresholds().upper()));
            line.add("-y").add(Long.toString(settings.thresholds().lower()));
        }
        if (settings.forwarding() instanceof Tunnel tunnel) {
            line.add(tunnel(tunnel));
        }
        return line.toString();
    }

    private static String method(DestinationSettings settings) {
        if (settings.forwarding() instanceof Tunnel) {
            return "-i";
        }
        // The kernel makes a destination local by itself, whatever it is told, as ipvsadm saves it.
        return settings.forwarding() == PlainForwarding.MASQUERADE ? "-m" : "-g";
    }

    private static String tunnel(Tunnel tunnel) {
        String checksum =
                switch (tunnel.checksum()) {
                    case NONE -> " --tun-nocsum";
                    case CHECKSUM -> " --tun-csum";
                    case REMOTE -> " --tun-remcsum";
                };
        return switch (tunnel.type()) {
            case IPIP -> "--tun-type ipip";
            case GUE -> "--tun-type gue --tun-port " + tunnel.port() + checksum;
            case GRE -> "--tun-type gre" + checksum;
        };
    }
}
