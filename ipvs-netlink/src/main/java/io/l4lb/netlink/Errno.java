// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

/**
 * Error numbers that netlink answers with, by their names; the numbers are those of asm-generic/errno.h, which amd64 and
 * arm64 share.
 */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    ESRCH(3),
    EINTR(4),
    EIO(5),
    EBADF(9),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    ENODEV(19),
    EINVAL(22),
    ENFILE(23),
    EMFILE(24),
    ERANGE(34),
    EBADMSG(74),
    EOVERFLOW(75),
    EMSGSIZE(90),
    ENOPROTOOPT(92),
    EPROTONOSUPPORT(93),
    EOPNOTSUPP(95),
    EAFNOSUPPORT(97),
    EADDRINUSE(98),
    EADDRNOTAVAIL(99),
    ENETDOWN(100),
    ENETUNREACH(101),
    ENOBUFS(105),
    ETIMEDOUT(110),
    ECONNREFUSED(111),
    EHOSTUNREACH(113);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** The name of a positive error number; {@code "errno 999"} for one that has no name here. */
    public static String nameOf(int number) {
        for (Errno errno : values()) {
            if (errno.number == number) {
                return errno.name();
            }
        }
        return "errno " + number;
    }
}
