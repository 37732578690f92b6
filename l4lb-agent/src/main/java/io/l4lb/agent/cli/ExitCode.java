// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.control.ControlException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of every command; scripts rely on them. */
public enum ExitCode {
    OK(0, "done"),
    REFUSED(1, "refused by the agent, or a problem was found"),
    USAGE(2, "the command line is wrong"),
    UNREACHABLE(3, "no agent could be reached"),
    /** 128 and the number of SIGPIPE. */
    UNREAD(141, "nobody reads the output any more");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    static ExitCode of(ControlException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE -> UNREACHABLE;
            case REFUSED, LISTEN, BAD_ANSWER -> REFUSED;
        };
    }

    /** For the help of the commands. */
    static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (ExitCode exit : values()) {
            meanings.put(Integer.toString(exit.code), exit.meaning);
        }
        return meanings;
    }
}
