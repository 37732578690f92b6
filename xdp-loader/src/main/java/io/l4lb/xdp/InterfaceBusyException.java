// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.util.Optional;
import java.util.OptionalInt;

/** An interface already has an XDP program, and it is not ours to replace. */
public final class InterfaceBusyException extends BpfException {
    private static final long serialVersionUID = 1L;

    private final int programId;
    private final String programName;
    private final int linkId;

    private InterfaceBusyException(String operation, String errno, int programId, String programName, int linkId) {
        super(operation, errno, describe(programId, programName, linkId));
        this.programId = programId;
        this.programName = programName;
        this.linkId = linkId;
    }

    /** For a call that failed: looks up who is there. */
    static InterfaceBusyException on(int ifindex, String operation, int result) {
        Optional<AttachedXdp> attached = Links.attachedXdp(ifindex);
        int id = attached.map(AttachedXdp::programId).orElse(0);
        String name = "";
        Optional<ProgramHandle> found = attached.flatMap(AttachedXdp::program);
        if (found.isPresent()) {
            try (ProgramHandle foreign = found.get()) {
                name = foreign.name();
            }
        }
        OptionalInt link = id == 0 ? OptionalInt.empty() : Links.xdpLink(ifindex, id);
        return new InterfaceBusyException(operation, Errno.nameOf(result), id, name, link.orElse(0));
    }

    private static String describe(int id, String name, int link) {
        return id == 0
                ? "another XDP program was attached"
                : "XDP program " + id + (name.isEmpty() ? "" : " \"" + name + "\"") + " is attached there"
                        + (link == 0 ? "" : " by link " + link);
    }

    /** The kernel's id of the program found, or 0 if it was gone when we looked. */
    public int programId() {
        return programId;
    }

    /** Name of the program found, or empty. */
    public String programName() {
        return programName;
    }

    /** The kernel's id of the link that holds the program, or 0 if none does. */
    public int linkId() {
        return linkId;
    }
}
