// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel's release, to say what it is too old for.
 *
 * @param text as uname(2) has it, for instance {@code 6.1.0-13-amd64}
 */
public record KernelRelease(String text) {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    /** Of the kernel that runs. */
    public static KernelRelease here() {
        return new KernelRelease(System.getProperty("os.version", ""));
    }

    /** Whether it is older than that version; not if it cannot be read. */
    public boolean isBefore(int major, int minor) {
        Matcher matcher = VERSION.matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        int hasMajor = Integer.parseInt(matcher.group(1));
        int hasMinor = Integer.parseInt(matcher.group(2));
        return hasMajor < major || (hasMajor == major && hasMinor < minor);
    }

    /**
     * The exception for an error number that a call answered which kernels have since that version: of the type
     * {@link BpfUnsupportedException} if this one is older.
     *
     * @param what needs it, as in "tcx"
     * @param number positive or negative
     */
    BpfException failure(String operation, int number, String what, int major, int minor) {
        return isBefore(major, minor)
                ? new BpfUnsupportedException(
                        operation,
                        Errno.nameOf(number),
                        what + " needs Linux " + major + "." + minor + " or newer, this is " + text)
                : BpfException.of(operation, number, "");
    }
}
