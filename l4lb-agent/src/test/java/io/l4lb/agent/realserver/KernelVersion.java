// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Of the running kernel. */
final class KernelVersion {
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");

    private KernelVersion() {}

    static boolean isAtLeast(int major, int minor) {
        Matcher release = RELEASE.matcher(System.getProperty("os.version", ""));
        if (!release.matches()) {
            return false;
        }
        int found = Integer.parseInt(release.group(1));
        return found > major || (found == major && Integer.parseInt(release.group(2)) >= minor);
    }
}
