// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * What a reload did.
 *
 * @param applied whether anything of the files was taken; false: nothing changed
 * @param problems each as {@code file:line: key: message}; with {@code applied}, these files kept their last good state
 * @param changed names of the services that were added, removed or changed
 */
public record ReloadView(boolean applied, List<String> problems, List<String> changed) {
    public ReloadView {
        problems = List.copyOf(problems);
        changed = List.copyOf(changed);
    }
}
