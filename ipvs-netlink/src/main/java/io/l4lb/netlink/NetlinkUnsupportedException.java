// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

/** This kernel cannot do it; the detail names the missing module or the minimum kernel. */
public final class NetlinkUnsupportedException extends NetlinkException {
    private static final long serialVersionUID = 1L;

    public NetlinkUnsupportedException(String operation, Errno errno, String missing) {
        super(operation, errno, missing);
    }
}
