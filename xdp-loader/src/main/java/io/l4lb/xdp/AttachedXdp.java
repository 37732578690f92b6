// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.util.Optional;

/**
 * The XDP program that an interface has.
 *
 * @param mode {@link XdpMode#NATIVE} or {@link XdpMode#GENERIC}
 * @param programId the kernel's id
 */
public record AttachedXdp(XdpMode mode, int programId) {
    /** A handle on it; empty if it is gone. */
    public Optional<ProgramHandle> program() {
        return ProgramHandle.byId(programId);
    }
}
