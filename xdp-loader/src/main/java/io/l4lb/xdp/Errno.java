// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/** Names of the error numbers that bpf(2), bpffs and XDP answer with (asm-generic/errno.h; ENOTSUPP is the kernel's own). */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    E2BIG(7),
    EBADF(9),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    ENODEV(19),
    ENOTDIR(20),
    EISDIR(21),
    EINVAL(22),
    EMFILE(24),
    ENOSPC(28),
    EROFS(30),
    ERANGE(34),
    ENAMETOOLONG(36),
    ENOSYS(38),
    ENOLINK(67),
    EOPNOTSUPP(95),
    ESTALE(116),
    ENOTSUPP(524);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    /** The kernel's number, positive. */
    public int number() {
        return number;
    }

    /** Whether a native call that answered {@code result} (negative errno) failed with this. */
    public boolean is(int result) {
        return result == -number;
    }

    /**
     * The name of an error number.
     *
     * @param number positive or negative
     * @return for instance {@code EBUSY}, or {@code errno 121} if it has no name here
     */
    public static String nameOf(int number) {
        int positive = Math.abs(number);
        for (Errno errno : values()) {
            if (errno.number == positive) {
                return errno.name();
            }
        }
        return "errno " + positive;
    }
}
