// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

/**
 * One of the requests of a pipeline.
 *
 * @param operation what is being done, for the exception
 * @param flags besides REQUEST and ACK
 */
public record NetlinkRequest(String operation, int type, int flags, Octets payload) {
    Octets encode(int sequence) {
        int all = flags | NetlinkMessage.FLAG_REQUEST | NetlinkMessage.FLAG_ACK;
        return new NetlinkMessage(type, all, sequence, 0, payload).encode();
    }
}
