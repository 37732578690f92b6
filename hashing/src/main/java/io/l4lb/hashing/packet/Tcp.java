// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Optional;
import java.util.OptionalInt;

/** A TCP header with its options (RFC 9293, 3.1). */
public final class Tcp {
    /** Length without options. */
    public static final int BYTES = 20;

    private static final int DATA_OFFSET_AT = 12;
    private static final int FLAGS_AT = 13;
    private static final int CHECKSUM_AT = 16;
    private static final int SYN = 0x02;
    private static final int ACK = 0x10;

    private static final int END_OF_OPTIONS = 0;
    private static final int NO_OPERATION = 1;
    private static final int MSS = 2;
    private static final int MSS_BYTES = 4;
    private static final int VALUE_AT = 2;

    private final byte[] bytes;
    private final int at;

    private Tcp(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /** Reads a header; empty if its fixed part is not whole, or if the length it gives is too short or leads outside. */
    public static Optional<Tcp> read(byte[] bytes, int at, int to) {
        if (to - at < BYTES) {
            return Optional.empty();
        }
        Tcp tcp = new Tcp(bytes, at);
        return tcp.length() < BYTES || tcp.length() > to - at ? Optional.empty() : Optional.of(tcp);
    }

    /** With its options, 20 to 60. */
    public int length() {
        return (NetworkOrder.u8(bytes, at + DATA_OFFSET_AT) >>> 4) * 4;
    }

    /** Whether the packet begins a connection: SYN without ACK. */
    public boolean starts() {
        return (NetworkOrder.u8(bytes, at + FLAGS_AT) & (SYN | ACK)) == SYN;
    }

    /** Lowers the maximum segment size option, if there is one and it is above the limit, and mends the checksum. */
    public void clampMss(int limit) {
        OptionalInt option = mssValueAt();
        if (option.isEmpty()) {
            return;
        }
        int valueAt = option.getAsInt();
        int before = NetworkOrder.u16(bytes, valueAt);
        if (before > limit) {
            NetworkOrder.put16(bytes, valueAt, limit);
            mendChecksum(valueAt, before, limit);
        }
    }

    /** At an odd offset the value lies across two words of the checksum: as if its bytes were swapped (RFC 1071, 2). */
    private void mendChecksum(int valueAt, int before, int after) {
        boolean odd = (valueAt - at) % 2 != 0;
        InternetChecksum.mend(bytes, at + CHECKSUM_AT, odd ? swapped(before) : before, odd ? swapped(after) : after);
    }

    private static int swapped(int word) {
        return ((word & 0xff) << 8) | (word >>> 8);
    }

    /** Where the value of the option is; empty if there is none before the options end or make no sense. */
    private OptionalInt mssValueAt() {
        int end = at + length();
        int option = at + BYTES;
        while (option < end) {
            int kind = NetworkOrder.u8(bytes, option);
            if (kind == END_OF_OPTIONS) {
                return OptionalInt.empty();
            }
            if (kind == NO_OPERATION) {
                option++;
                continue;
            }
            int length = option + 1 < end ? NetworkOrder.u8(bytes, option + 1) : 0;
            if (length < VALUE_AT || length > end - option) {
                return OptionalInt.empty();
            }
            if (kind == MSS && length == MSS_BYTES) {
                return OptionalInt.of(option + VALUE_AT);
            }
            option += length;
        }
        return OptionalInt.empty();
    }
}
