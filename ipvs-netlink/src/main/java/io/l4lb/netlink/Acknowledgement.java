// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.util.Optional;

/**
 * The end of an answer: NLMSG_ERROR (i32 error, quoted request header, quoted payload unless capped, attributes) or
 * NLMSG_DONE (i32 error, attributes). Errors are negative error numbers; 0 is success.
 *
 * @param detail the kernel's own words (NLMSGERR_ATTR_MSG), or empty
 */
record Acknowledgement(int error, String detail) {
    private static final int ATTRIBUTE_MESSAGE = 1;
    private static final int ATTRIBUTE_MISSING_TYPE = 5;

    static Acknowledgement decode(NetlinkMessage message) {
        // A dump's DONE of some kernels carries no error number at all.
        if (message.type() == NetlinkMessage.DONE && message.payload().length() < 4) {
            return new Acknowledgement(0, "");
        }
        int error = message.payload().i32Host(0);
        if (!message.has(NetlinkMessage.FLAG_ACK_ATTRIBUTES)) {
            return new Acknowledgement(error, "");
        }
        return new Acknowledgement(
                error, detail(AttributeReader.of(message.payload().from(attributesAt(message)))));
    }

    private static int attributesAt(NetlinkMessage message) {
        if (message.type() == NetlinkMessage.DONE) {
            return 4;
        }
        if (message.has(NetlinkMessage.FLAG_CAPPED)) {
            return 4 + NetlinkMessage.HEADER;
        }
        long quoted = message.payload().u32Host(4);
        if (quoted < NetlinkMessage.HEADER || quoted > message.payload().length()) {
            throw NetlinkException.malformed("acknowledgement quotes a request of " + quoted + " octets");
        }
        return 4 + Attribute.aligned((int) quoted);
    }

    private static String detail(AttributeReader attributes) {
        return attributes
                .find(ATTRIBUTE_MESSAGE)
                .map(Octets::toText)
                .or(() -> attributes
                        .find(ATTRIBUTE_MISSING_TYPE)
                        .map(type -> "attribute " + type.u32Host(0) + " is missing"))
                .orElse("");
    }

    Optional<NetlinkException> failure(String operation) {
        return error == 0
                ? Optional.empty()
                : Optional.of(new NetlinkException(operation, Errno.nameOf(Math.abs(error)), detail));
    }

    void check(String operation) {
        Optional<NetlinkException> failure = failure(operation);
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
