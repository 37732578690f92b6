// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.host.Incarnation;
import io.l4lb.agent.dataplane.ipvs.host.KeptMarks;
import io.l4lb.agent.dataplane.ipvs.host.OwnedServices;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.netlink.AddressFamily;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The services that a state directory has as an agent's, for one that has ended. */
final class KnownServices {
    private final Claims claims;
    private final KeptMarks marks;
    private final Map<AddressFamily, Set<Integer>> byMark;
    private final boolean noMarks;
    private final List<String> damage;

    KnownServices(Path stateDirectory, Incarnation incarnation) {
        OwnedServices owned = new OwnedServices(stateDirectory, incarnation);
        claims = new Claims(owned);
        marks = new KeptMarks(stateDirectory, incarnation);
        noMarks = marks.marks().isEmpty();
        byMark = marks.services();
        List<String> found = new ArrayList<>(owned.notes());
        marks.broken().ifPresent(words -> found.add(words + ": the IPVS services by mark of the agent are not known"));
        damage = List.copyOf(found);
    }

    /** Files that cannot be read, and what is not known for that. */
    List<String> damage() {
        return damage;
    }

    boolean isEmpty() {
        return noMarks && claims.addresses().isEmpty();
    }

    boolean has(ServiceIdentity service) {
        return service instanceof FirewallMark mark
                ? byMark.getOrDefault(mark.family(), Set.of()).contains(mark.mark())
                : claims.has(service);
    }

    /** To be called when they are gone. Damaged files stay. */
    void forget() {
        claims.addresses().forEach(claims::release);
        if (!noMarks) {
            marks.saveMarks(Map.of(), Map.of());
        }
    }
}
