// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Step 2: whose packet it is, by (VIP, protocol, port), then by (VIP, protocol, any port), then by (VIP, any protocol).
 * Immutable.
 */
public final class Services {
    private static final int ANY = -1;

    private record Offer(InetAddress vip, int protocol, int port) {}

    /**
     * A service, and how it was found.
     *
     * @param byPort false if a packet without ports would find it as well
     */
    record Match(Service service, boolean byPort) {}

    private final Map<Offer, Service> offers;
    private final Map<String, Service> names;
    private final Set<InetAddress> vips;
    private final Set<Offer> protocols;

    private Services(Builder builder) {
        offers = Map.copyOf(builder.offers);
        names = Map.copyOf(builder.names);
        vips = new HashSet<>();
        protocols = new HashSet<>();
        for (Offer offer : offers.keySet()) {
            vips.add(offer.vip());
            protocols.add(new Offer(offer.vip(), offer.protocol(), ANY));
        }
    }

    /** Begins an empty set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whether any service is offered at that address. */
    boolean isVip(InetAddress address) {
        return vips.contains(address);
    }

    /** Whether the VIP has a service of that protocol, at whatever port. */
    boolean offers(InetAddress vip, int protocol) {
        return protocols.contains(new Offer(vip, protocol, ANY)) || protocols.contains(new Offer(vip, ANY, ANY));
    }

    /** The service of a packet whose ports are known, or that has none: then port 0. */
    Optional<Match> find(InetAddress vip, int protocol, int port) {
        Service byPort = offers.get(new Offer(vip, protocol, port));
        return byPort != null
                ? Optional.of(new Match(byPort, true))
                : findWithoutPorts(vip, protocol).map(service -> new Match(service, false));
    }

    /** The service of a packet that does not show its ports. */
    Optional<Service> findWithoutPorts(InetAddress vip, int protocol) {
        return Optional.ofNullable(offers.get(new Offer(vip, protocol, ANY))).or(() -> findForAnyProtocol(vip));
    }

    /** The service of a packet that does not show its protocol. */
    Optional<Service> findForAnyProtocol(InetAddress vip) {
        return Optional.ofNullable(offers.get(new Offer(vip, ANY, ANY)));
    }

    /** The service of that name. */
    Optional<Service> named(String name) {
        return Optional.ofNullable(names.get(name));
    }

    /** Collects services; each method fails for what is offered already, and for a name that two services have. */
    public static final class Builder {
        private final Map<Offer, Service> offers = new HashMap<>();
        private final Map<String, Service> names = new HashMap<>();

        private Builder() {}

        /**
         * Offers a service at one port.
         *
         * @param protocol 0 to 255
         * @param port 0 to 65535
         */
        public Builder add(InetAddress vip, int protocol, int port, Service service) {
            check("protocol", protocol, 0xff);
            check("port", port, 0xffff);
            return add(new Offer(plain(vip), protocol, port), service);
        }

        /**
         * Offers a service at all ports that no other has.
         *
         * @param protocol 0 to 255; one without ports too
         */
        public Builder addAnyPort(InetAddress vip, int protocol, Service service) {
            check("protocol", protocol, 0xff);
            return add(new Offer(plain(vip), protocol, ANY), service);
        }

        /** Offers a service for all that no other has. */
        public Builder addAnyProtocol(InetAddress vip, Service service) {
            return add(new Offer(plain(vip), ANY, ANY), service);
        }

        /** The finished set. */
        public Services build() {
            return new Services(this);
        }

        private Builder add(Offer offer, Service service) {
            Service before = names.putIfAbsent(service.name(), service);
            if (before != null && before != service) {
                throw new IllegalArgumentException("two services are named " + service.name());
            }
            if (offers.putIfAbsent(offer, service) != null) {
                throw new IllegalArgumentException("two services are offered at " + offer);
            }
            return this;
        }

        private static void check(String what, int value, int max) {
            if (value < 0 || value > max) {
                throw new IllegalArgumentException(what + " " + value + " is not in 0.." + max);
            }
        }

        /** Without host name and scope; of a mapped address, the IPv4 address. */
        private static InetAddress plain(InetAddress address) {
            try {
                return InetAddress.getByAddress(address.getAddress());
            } catch (UnknownHostException e) {
                throw new IllegalStateException("an address has 4 or 16 bytes", e);
            }
        }
    }
}
