// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkUnsupportedException;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.generic.Family;
import io.l4lb.netlink.generic.GenericMessage;
import io.l4lb.netlink.generic.GenericNetlink;
import java.util.List;

/** IPVS of the network namespace that the opening thread was in. Used by one thread at a time; needs CAP_NET_ADMIN. */
public final class IpvsClient implements AutoCloseable {
    private static final String FAMILY = "IPVS";
    private static final int IPVS_CMD_GET_INFO = 15;

    private final GenericNetlink netlink;
    private final Family family;

    private IpvsClient(GenericNetlink netlink, Family family) {
        this.netlink = netlink;
        this.family = family;
    }

    /**
     * Opens a socket and finds IPVS.
     *
     * @throws NetlinkUnsupportedException if the kernel has no IPVS loaded
     */
    public static IpvsClient open() {
        return over(GenericNetlink.open());
    }

    /** Takes the socket over: closing this, or failing here, closes it. */
    public static IpvsClient over(GenericNetlink netlink) {
        try {
            Family family = netlink.family(FAMILY)
                    .orElseThrow(() -> new NetlinkUnsupportedException(
                            "open IPVS", Errno.ENOENT, "kernel module ip_vs is not loaded (modprobe ip_vs)"));
            return new IpvsClient(netlink, family);
        } catch (RuntimeException failed) {
            netlink.close();
            throw failed;
        }
    }

    public IpvsInfo info() {
        String operation = "get IPVS info";
        List<GenericMessage> answers = netlink.request(operation, family, IPVS_CMD_GET_INFO, 0, Octets.EMPTY);
        if (answers.isEmpty()) {
            throw new NetlinkException(operation, Errno.EBADMSG, "acknowledged without an answer");
        }
        return IpvsInfo.decode(answers.get(0).attributes());
    }

    @Override
    public void close() {
        netlink.close();
    }
}
