// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

/**
 * One thing, held against what was set up.
 *
 * @param wanted empty: not needed any more
 * @param is empty: not there
 */
public record Check(Item item, String wanted, String is) {
    /** How a thing is. */
    public enum Verdict {
        OK,
        MISSING,
        DIFFERS
    }

    public Verdict verdict() {
        if (is.equals(wanted)) {
            return Verdict.OK;
        }
        return is.isEmpty() ? Verdict.MISSING : Verdict.DIFFERS;
    }
}
