// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Octets;

/** One change of services or destinations; {@link IpvsClient#apply} carries out many at once. */
public sealed interface IpvsChange {
    /** What it does, as a failure names it: {@code "add destination 10.0.0.1:80 to tcp 192.0.2.10:80"}. */
    String operation();

    /** The service that it is about. */
    ServiceIdentity service();

    /** IPVS_CMD_ of include/uapi/linux/ip_vs.h. */
    int command();

    /** The command's attributes, as they go to the kernel. */
    Octets attributes();

    /** Fails with EEXIST if it is there, with ENOENT if there is no such scheduler or persistence engine. */
    record AddService(Service added) implements IpvsChange {
        @Override
        public String operation() {
            return "add service " + service();
        }

        @Override
        public ServiceIdentity service() {
            return added.identity();
        }

        @Override
        public int command() {
            return Command.NEW_SERVICE;
        }

        @Override
        public Octets attributes() {
            return encode(added);
        }
    }

    /** Gives a service other settings; destinations and connections stay. Fails with ESRCH if it is not there. */
    record EditService(Service edited) implements IpvsChange {
        @Override
        public String operation() {
            return "edit service " + service();
        }

        @Override
        public ServiceIdentity service() {
            return edited.identity();
        }

        @Override
        public int command() {
            return Command.SET_SERVICE;
        }

        @Override
        public Octets attributes() {
            return encode(edited);
        }
    }

    /** Deletes a service with its destinations. Fails with ESRCH if it is not there. */
    record DeleteService(ServiceIdentity service) implements IpvsChange {
        @Override
        public String operation() {
            return "delete service " + service;
        }

        @Override
        public int command() {
            return Command.DEL_SERVICE;
        }

        @Override
        public Octets attributes() {
            return encode(service);
        }
    }

    /** Sets the counters of a service and its destinations to zero. Fails with ESRCH if it is not there. */
    record ZeroService(ServiceIdentity service) implements IpvsChange {
        @Override
        public String operation() {
            return "zero service " + service;
        }

        @Override
        public int command() {
            return Command.ZERO;
        }

        @Override
        public Octets attributes() {
            return encode(service);
        }
    }

    /**
     * Puts a destination at the head of the service's list. Fails with EEXIST if it is there, with ESRCH if the service is
     * not, and with EINVAL if the address is none that packets can be sent to.
     */
    record AddDestination(ServiceIdentity service, Destination destination) implements IpvsChange {
        @Override
        public String operation() {
            return "add destination " + destination.identity() + " to " + service;
        }

        @Override
        public int command() {
            return Command.NEW_DEST;
        }

        @Override
        public Octets attributes() {
            return encode(service, destination);
        }
    }

    /** Gives a destination other settings; its place in the list stays. Fails with ENOENT, or ESRCH for the service. */
    record EditDestination(ServiceIdentity service, Destination destination) implements IpvsChange {
        @Override
        public String operation() {
            return "edit destination " + destination.identity() + " of " + service;
        }

        @Override
        public int command() {
            return Command.SET_DEST;
        }

        @Override
        public Octets attributes() {
            return encode(service, destination);
        }
    }

    /** Fails with ENOENT if it is not there, or ESRCH for the service. */
    record DeleteDestination(ServiceIdentity service, DestinationIdentity destination) implements IpvsChange {
        @Override
        public String operation() {
            return "delete destination " + destination + " of " + service;
        }

        @Override
        public int command() {
            return Command.DEL_DEST;
        }

        @Override
        public Octets attributes() {
            return new AttributeWriter()
                    .nested(ServiceAttributes.NEST, nest -> ServiceAttributes.encode(nest, service))
                    .nested(DestinationAttributes.NEST, nest -> DestinationAttributes.encode(nest, destination))
                    .toOctets();
        }
    }

    private static Octets encode(Service service) {
        return new AttributeWriter()
                .nested(ServiceAttributes.NEST, nest -> ServiceAttributes.encode(nest, service))
                .toOctets();
    }

    private static Octets encode(ServiceIdentity service) {
        return new AttributeWriter()
                .nested(ServiceAttributes.NEST, nest -> ServiceAttributes.encode(nest, service))
                .toOctets();
    }

    private static Octets encode(ServiceIdentity service, Destination destination) {
        return new AttributeWriter()
                .nested(ServiceAttributes.NEST, nest -> ServiceAttributes.encode(nest, service))
                .nested(DestinationAttributes.NEST, nest -> DestinationAttributes.encode(nest, destination))
                .toOctets();
    }
}
