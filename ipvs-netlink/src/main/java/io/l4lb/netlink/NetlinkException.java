// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

/** What was being done, the error by its name, and what the kernel (its extended ack) or the decoder said about it. */
public class NetlinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String errno;
    private final String detail;

    /**
     * An error of the given name.
     *
     * @param detail the kernel's own words, or empty
     */
    public NetlinkException(String operation, String errno, String detail) {
        super(operation + ": " + errno + (detail.isEmpty() ? "" : " (" + detail + ")"));
        this.operation = operation;
        this.errno = errno;
        this.detail = detail;
    }

    public NetlinkException(String operation, Errno errno, String detail) {
        this(operation, errno.name(), detail);
    }

    /** A message that does not hold together: shorter than it claims, or than its type needs. */
    static NetlinkException malformed(String detail) {
        return new NetlinkException("decode netlink message", Errno.EBADMSG, detail);
    }

    public final String operation() {
        return operation;
    }

    /** The error's name, such as {@code "ENOENT"}. */
    public final String errno() {
        return errno;
    }

    /** The kernel's extended ack message, or empty where it sent none. */
    public final String detail() {
        return detail;
    }

    public final boolean is(Errno expected) {
        return errno.equals(expected.name());
    }
}
