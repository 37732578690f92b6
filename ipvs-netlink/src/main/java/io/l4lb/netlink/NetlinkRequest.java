// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

/**
 * One of the requests of a pipeline.
 *
 * @param operation what is being done, for the exception
 * @param flags besides REQUEST and ACK
 */
public record NetlinkRequest(String operation, int type, int flags, Octets payload) {
    /** @param acknowledged whether the kernel shall answer for a success too; for a failure it always does */
    Octets encode(int sequence, boolean acknowledged) {
        int all = flags | NetlinkMessage.FLAG_REQUEST | (acknowledged ? NetlinkMessage.FLAG_ACK : 0);
        return new NetlinkMessage(type, all, sequence, 0, payload).encode();
    }
}
