// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Forwarding;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The first real that is one too many: each address is counted once a forwarding method.
 *
 * @param service that has it
 */
record TooManyWays(ServiceDraft service, Located<InetAddress> real) {
    private record Way(InetAddress real, Forwarding forwarding) {}

    /** Empty: there are not too many. */
    static Optional<TooManyWays> find(List<ServiceDraft> services) {
        Set<Way> ways = new HashSet<>();
        for (ServiceDraft service : services) {
            for (Located<InetAddress> real : service.reals()) {
                ways.add(new Way(real.value(), service.forwarding()));
                if (ways.size() > Config.MAX_WAYS) {
                    return Optional.of(new TooManyWays(service, real));
                }
            }
        }
        return Optional.empty();
    }

    /** Reports it as the fault of a file, which may be another than the one that has the real. */
    void blame(LoadedFile file) {
        boolean own = file.file().equals(service.origin().file());
        file.problems()
                .add(
                        own ? real.line() : 0,
                        own ? real.key() : "",
                        "there are more than " + Config.MAX_WAYS + " different reals in all services, too many to be"
                                + " probed");
    }
}
