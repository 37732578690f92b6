// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;

/** A service as it is asked for. */
public record Service(ServiceIdentity identity, ServiceSettings settings) {
    public Service {
        AddressFamily family = identity.family();
        int shortest = family == AddressFamily.INET ? 0 : 1;
        settings.persistence().ifPresent(persistence -> {
            if (persistence.maskLength() < shortest || persistence.maskLength() > family.bits()) {
                throw new IllegalArgumentException("persistence mask of " + persistence.maskLength() + " bits is not "
                        + shortest + " to " + family.bits());
            }
        });
    }
}
