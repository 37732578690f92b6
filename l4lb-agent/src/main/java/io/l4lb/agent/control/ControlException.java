// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import org.jspecify.annotations.Nullable;

/** What went wrong at the control socket, on either side. The message is one line for an operator. */
public final class ControlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** Who is at fault. */
    public enum Kind {
        /** The server cannot listen. */
        LISTEN,
        /** The client got no answer: nobody listens, the caller may not connect, or the deadline passed. */
        UNREACHABLE,
        /** The agent answered that it does not do what was asked, or that it failed. */
        REFUSED,
        /** The agent answered something that the client cannot read. */
        BAD_ANSWER
    }

    ControlException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    ControlException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** What the agent says when it does not do what was asked. */
    public static ControlException refused(String message) {
        return new ControlException(Kind.REFUSED, message);
    }

    public Kind kind() {
        return kind;
    }
}
