// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.VirtualAddress;
import java.net.Inet6Address;
import java.net.StandardProtocolFamily;
import java.util.Optional;

/** Services as we name them, and as IPVS does. */
final class Identities {
    private Identities() {}

    static VirtualAddress of(ServiceKey key) {
        return new VirtualAddress(key.vip(), key.protocol().number(), key.port());
    }

    /** Which packets it takes. */
    static StandardProtocolFamily family(ServiceKey key) {
        return key.vip() instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }

    /** Empty: of a firewall mark, or of a protocol that no service of ours can have. */
    static Optional<ServiceKey> key(ServiceIdentity identity) {
        if (!(identity instanceof VirtualAddress address)) {
            return Optional.empty();
        }
        return Protocol.ofNumber(address.protocol())
                .map(protocol -> new ServiceKey(address.address(), protocol, address.port()));
    }
}
