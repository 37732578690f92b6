// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/** An interface already has an XDP program, and it is not ours to replace. */
public final class InterfaceBusyException extends BpfException {
    private static final long serialVersionUID = 1L;

    private final int programId;
    private final String programName;

    /**
     * @param programId the kernel's id of the program found, 0 if it was gone when we looked
     * @param programName its name, empty if unknown
     */
    public InterfaceBusyException(String operation, String errno, int programId, String programName) {
        super(operation, errno, describe(programId, programName));
        this.programId = programId;
        this.programName = programName;
    }

    private static String describe(int id, String name) {
        return id == 0
                ? "another XDP program was attached"
                : "XDP program " + id + (name.isEmpty() ? "" : " \"" + name + "\"") + " is attached there";
    }

    /** The kernel's id of the program found, or 0. */
    public int programId() {
        return programId;
    }

    /** Name of the program found, or empty. */
    public String programName() {
        return programName;
    }
}
