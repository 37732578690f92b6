// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/** A call to the kernel or to libbpf failed: what was tried, the error's name, and what the kernel or libbpf said. */
public class BpfException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String errno;

    /**
     * @param operation what was tried, with the names it was tried on
     * @param errno name of the error, for instance {@code EINVAL}
     * @param detail what is known beyond: libbpf's messages, the verifier's log; may be empty
     */
    public BpfException(String operation, String errno, String detail) {
        super(operation + ": " + errno + (detail.isEmpty() ? "" : ": " + detail));
        this.operation = operation;
        this.errno = errno;
    }

    /**
     * The exception for an error number: {@link BpfUnsupportedException} where the number says that this
     * process or this kernel cannot do such things at all.
     *
     * @param number positive or negative
     */
    public static BpfException of(String operation, int number, String detail) {
        String name = Errno.nameOf(number);
        String rest = detail.isEmpty() ? "" : "\n" + detail;
        if (name.equals(Errno.EPERM.name())) {
            return new BpfUnsupportedException(operation, name, Refusal.here().explain() + rest);
        }
        if (name.equals(Errno.ENOSYS.name())) {
            return new BpfUnsupportedException(
                    operation, name, "this kernel has no bpf(2): it needs CONFIG_BPF_SYSCALL" + rest);
        }
        return new BpfException(operation, name, detail);
    }

    /** What was tried. */
    public String operation() {
        return operation;
    }

    /** Name of the error, for instance {@code EBUSY}. */
    public String errno() {
        return errno;
    }

    /** Whether it failed with this error. */
    public boolean is(Errno candidate) {
        return errno.equals(candidate.name());
    }
}
