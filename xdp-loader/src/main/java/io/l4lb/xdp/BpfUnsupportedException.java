// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/**
 * Not supported here: no BPF in this kernel, a kernel too old for the operation, no permission, no bpffs, no
 * libbpf. Trying again does not help; the message says what would.
 */
public final class BpfUnsupportedException extends BpfException {
    private static final long serialVersionUID = 1L;

    /** See {@link BpfException#BpfException(String, String, String)}. */
    public BpfUnsupportedException(String operation, String errno, String detail) {
        super(operation, errno, detail);
    }
}
