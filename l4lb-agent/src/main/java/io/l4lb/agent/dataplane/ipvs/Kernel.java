// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ipvs.host.Modules;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkUnsupportedException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** IPVS, with refusals in words for an operator. For the reconcile thread alone. */
record Kernel(IpvsClient ipvs) {
    /** As {@link IpvsClient} says it. */
    private static final Pattern MISSING_MODULE = Pattern.compile("kernel module ip_vs_(\\w+)");

    <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (NetlinkException e) {
            throw refused(e);
        }
    }

    /** All of them, of whomever. */
    List<ServiceEntry> services() {
        return asked(ipvs::services);
    }

    Optional<ServiceEntry> service(ServiceIdentity service) {
        return asked(() -> ipvs.service(service));
    }

    /** Of a service that does not exist: none. */
    List<DestinationEntry> destinations(ServiceIdentity service) {
        return asked(() -> ipvs.destinations(service));
    }

    /**
     * Carries out changes.
     *
     * @throws DataplaneException the first refusal, after all others were tried
     */
    void apply(List<IpvsChange> changes) {
        check(tried(changes));
    }

    /** Carries out changes, and leaves it to the caller what their refusals mean: one or none for each. */
    List<Optional<NetlinkException>> tried(List<IpvsChange> changes) {
        return asked(() -> ipvs.apply(changes));
    }

    /** The same as {@link #apply}, where it is no failure that what shall go has gone already. */
    void delete(List<IpvsChange> changes) {
        check(tried(changes).stream()
                .map(outcome -> outcome.filter(refusal -> !refusal.is(Errno.ENOENT) && !refusal.is(Errno.ESRCH)))
                .toList());
    }

    /** Throws the first refusal. */
    static void check(List<Optional<NetlinkException>> outcomes) {
        Optional<NetlinkException> failure =
                outcomes.stream().flatMap(Optional::stream).findFirst();
        if (failure.isPresent()) {
            throw refused(failure.get());
        }
    }

    static DataplaneException refused(NetlinkException e) {
        Matcher module = MISSING_MODULE.matcher(e.detail());
        if (e instanceof NetlinkUnsupportedException && module.lookingAt()) {
            return new DataplaneException(new Modules().missingScheduler(module.group(1)), e);
        }
        String hint = e.is(Errno.EPERM) ? ": the agent needs CAP_NET_ADMIN" : "";
        return new DataplaneException("IPVS: " + e.getMessage() + hint, e);
    }
}
