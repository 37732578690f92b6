// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ipvs.host.Modules;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.IpvsClient;
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

    /**
     * Carries out changes.
     *
     * @throws DataplaneException the first refusal, after all others were tried
     */
    void apply(List<IpvsChange> changes) {
        Optional<NetlinkException> failure = asked(() -> ipvs.apply(changes)).stream()
                .flatMap(Optional::stream)
                .findFirst();
        if (failure.isPresent()) {
            throw refused(failure.get());
        }
    }

    /** The same, where it is no failure that what shall go has gone already. */
    void delete(List<IpvsChange> changes) {
        Optional<NetlinkException> failure = asked(() -> ipvs.apply(changes)).stream()
                .flatMap(Optional::stream)
                .filter(refusal -> !refusal.is(Errno.ENOENT) && !refusal.is(Errno.ESRCH))
                .findFirst();
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
