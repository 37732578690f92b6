// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.List;

/**
 * A command that ends with status 0. It is run without a shell, in the agent's network namespace; its environment has {@code PATH} and
 * {@code L4LB_REAL}, {@code L4LB_ADDRESS}, {@code L4LB_PORT} and {@code L4LB_MARK} (0: none) of the probe and nothing else. The first
 * line of its output is the reason. It is ended with all its children when the deadline passes.
 *
 * @param command an absolute path, then its arguments
 */
public record ExecCheck(List<String> command) implements Check {
    public ExecCheck {
        command = List.copyOf(command);
        if (command.isEmpty() || !command.get(0).startsWith("/")) {
            throw new IllegalArgumentException("a command starts with an absolute path: " + command);
        }
    }

    @Override
    public String type() {
        return "exec";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.exec(this);
    }
}
