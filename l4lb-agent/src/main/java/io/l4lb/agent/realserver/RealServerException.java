// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.util.List;

/** This server could not be made a real, or not be looked at: every reason that is known, one a line. */
public final class RealServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RealServerException(String problem) {
        super(problem);
    }

    public RealServerException(String problem, Throwable cause) {
        super(problem, cause);
    }

    RealServerException(List<String> problems) {
        super(String.join("\n", problems));
    }

    /** Each reason. */
    public List<String> problems() {
        return String.valueOf(getMessage()).lines().toList();
    }
}
