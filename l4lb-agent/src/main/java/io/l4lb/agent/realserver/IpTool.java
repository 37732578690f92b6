// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.netlink.route.RouteTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses, devices and tunnels: looked at through netlink where it knows them, changed by ip(8) of iproute2. */
final class IpTool {
    static final String UP = "up";
    static final String DOWN = "down";
    static final String IPV4 = "ipv4";
    static final String IPV6 = "ipv6";
    /** Of an IPv6 tunnel device: takes IPv4 and IPv6 packets. */
    static final String ANY_IN_IPV6 = "any/ipv6";

    private static final Map<String, String> KINDS =
            Map.of(KernelTunnels.TUNL0, "ipip", KernelTunnels.SIT0, "sit", KernelTunnels.IP6TNL0, "ip6tnl");
    /** What ip(8) wants to be told, by what it says. */
    private static final Map<String, String> MODES =
            Map.of(ANY_IN_IPV6, "any", "ip/ipv6", "ipip6", "ipv6/ipv6", "ip6ip6");

    private static final Pattern SHOWN_MODE = Pattern.compile("(?m)^\\S+: (\\S+) .*");
    private static final Pattern SHOWN_PORT = Pattern.compile("port (\\d+) gue( -6)?(?=[ ;]|$)");

    private final RouteTable routes;

    IpTool(RouteTable routes) {
        this.routes = routes;
    }

    private static void ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Command.run(command);
    }

    /** See {@link Kind#ADDRESS}. */
    Part addresses() {
        return new Part() {
            @Override
            public String read(String name) {
                Prefix prefix = Prefix.parse(name.substring(0, name.indexOf(' ')));
                boolean there = routes.link(deviceOf(name)).stream()
                        .flatMap(link -> routes.addresses(link.index()).stream())
                        .anyMatch(each ->
                                each.address().equals(prefix.address()) && each.prefixLength() == prefix.length());
                return there ? Item.PRESENT : "";
            }

            @Override
            public void write(String name, String value) {
                String address = name.substring(0, name.indexOf(' '));
                if (value.isEmpty()) {
                    ip("address", "del", address, "dev", deviceOf(name));
                } else if (Prefix.parse(address).isIpv4()) {
                    ip("address", "add", address, "dev", deviceOf(name));
                } else {
                    ip("address", "add", address, "dev", deviceOf(name), "nodad");
                }
            }
        };
    }

    private static String deviceOf(String name) {
        return name.substring(name.indexOf(' ') + 1);
    }

    /** See {@link Kind#DEVICE}. */
    Part devices() {
        return new Part() {
            @Override
            public String read(String name) {
                return routes.link(name).map(link -> link.up() ? UP : DOWN).orElse("");
            }

            @Override
            public void write(String name, String value) {
                if (value.isEmpty()) {
                    ip("link", "del", name);
                    return;
                }
                if (read(name).isEmpty()) {
                    // A namespace may have been made without the devices that the module gives to others.
                    ip("link", "add", name, "type", KINDS.getOrDefault(name, "dummy"));
                }
                ip("link", "set", name, value);
            }
        };
    }

    /** See {@link Kind#TUNNEL_MODE}. */
    Part tunnelModes() {
        return new Part() {
            @Override
            public String read(String name) {
                Command.Result shown = Command.attempt(List.of("ip", "-6", "tunnel", "show", name));
                Matcher matcher = SHOWN_MODE.matcher(shown.output());
                return shown.worked() && matcher.find() ? matcher.group(1) : "";
            }

            @Override
            public void write(String name, String value) {
                ip(
                        "-6",
                        "tunnel",
                        "change",
                        name,
                        "mode",
                        Optional.ofNullable(MODES.get(value)).orElse(value));
            }
        };
    }

    /** See {@link Kind#GUE_PORT}. */
    Part guePorts() {
        return new Part() {
            @Override
            public String read(String name) {
                // It fails where the kernel has no fou, thus no such port.
                Command.Result shown = Command.attempt(List.of("ip", "fou", "show"));
                Matcher matcher = SHOWN_PORT.matcher(shown.worked() ? shown.output() : "");
                while (matcher.find()) {
                    boolean ipv6 = matcher.group(2) != null;
                    if (ipv6 == name.equals(IPV6) && matcher.group(1).equals(KernelTunnels.GUE_PORT)) {
                        return KernelTunnels.GUE_PORT;
                    }
                }
                return "";
            }

            @Override
            public void write(String name, String value) {
                String family = name.equals(IPV6) ? "-6" : "-4";
                if (value.isEmpty()) {
                    ip(family, "fou", "del", "port", KernelTunnels.GUE_PORT);
                } else {
                    ip(family, "fou", "add", "port", value, "gue");
                }
            }
        };
    }
}
