// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What planning has to know of this server.
 *
 * @param addresses that the world can send to; not those of the loopback network
 * @param modules those of {@link KernelTunnels#MODULES} that are loaded, or can be
 * @param ipv6 whether the kernel has it
 */
record Facts(List<Device> devices, List<HostAddress> addresses, Set<String> modules, Ways ways, boolean ipv6) {
    Facts {
        devices = List.copyOf(devices);
        addresses = List.copyOf(addresses);
        modules = Set.copyOf(modules);
    }

    /** A network device. */
    record Device(String name, int mtu, boolean ethernet) {}

    /** An address, and where it is. */
    record HostAddress(String device, InetAddress address) {}

    /**
     * IPv4 routes, and what the kernel makes of packets that come in by another device than these name.
     *
     * @param outward where the default route leaves
     * @param toSources by the prefix of outer sources, where the way back to them leaves
     * @param reversePathFilter in effect at the interface: 0 none, 1 strict, 2 loose
     * @param arpIgnore of all interfaces together
     */
    record Ways(
            Optional<String> outward, Map<Prefix, Optional<String>> toSources, int reversePathFilter, int arpIgnore) {
        Ways {
            toSources = Map.copyOf(toSources);
        }
    }

    Optional<Device> device(String name) {
        return devices.stream().filter(device -> device.name().equals(name)).findFirst();
    }

    /** As if these addresses were not there. */
    Facts without(Set<Item> own) {
        List<HostAddress> others = addresses.stream()
                .filter(each -> !own.contains(Item.address(each.address(), each.device())))
                .toList();
        return new Facts(devices, others, modules, ways, ipv6);
    }
}
