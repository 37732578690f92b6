// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

/** HTTP status codes from {@code first} to {@code last}, both included. */
public record StatusRange(int first, int last) {
    public static final StatusRange SUCCESS_OR_REDIRECT = new StatusRange(200, 399);

    public StatusRange {
        // 1xx is never the answer itself (RFC 9110, section 15.2).
        if (first < 200 || last > 599 || first > last) {
            throw new IllegalArgumentException(
                    "a status range lies within 200 to 599, its first code not after its last: " + first + " to "
                            + last);
        }
    }

    public boolean contains(int status) {
        return status >= first && status <= last;
    }

    @Override
    public String toString() {
        return first == last ? String.valueOf(first) : first + "-" + last;
    }
}
