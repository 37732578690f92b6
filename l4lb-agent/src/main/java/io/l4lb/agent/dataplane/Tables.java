// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.LookupTable;
import java.util.List;
import java.util.Optional;

/** Makes lookup tables as a dataplane has them. */
public interface Tables {
    /** The table of a service; empty: the kernel decides without one. Requests with equal inputs give equal tables. */
    Optional<LookupTable> table(Request request);

    /** What the table depends on: the request without all that makes no difference. Services may share it. */
    Request inputs(Request request);

    /**
     * What a table may depend on.
     *
     * @param key empty: it makes no difference
     */
    record Request(Optional<ServiceKey> key, Scheduling scheduling, HashKey hashKey, List<Member> members) {
        public Request {
            members = List.copyOf(members);
        }
    }
}
