// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * What a director can be told to do or not to do.
 *
 * @param echoReplies whether it answers echo requests to a VIP
 * @param tooBigAnswers whether it tells the sender of a packet that is too big
 * @param mssClamp to what it lowers the maximum segment size in TCP SYNs, 0 = not at all
 */
public record Switches(boolean echoReplies, boolean tooBigAnswers, int mssClamp) {
    /** Answers echo requests and packets that are too big, leaves segment sizes alone. */
    public static final Switches DEFAULT = new Switches(true, true, 0);
    /** Nothing of it all. */
    public static final Switches OFF = new Switches(false, false, 0);

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException for a segment size of more than 16 bits
     */
    public Switches {
        if (mssClamp < 0 || mssClamp > 0xffff) {
            throw new IllegalArgumentException("a maximum segment size of " + mssClamp);
        }
    }
}
