// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.util.NetUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a message of DNS (RFC 1035, section 4) as far as a probe needs it: its header, its question, its answer section.
 *
 * @param expected what a record of the asked type must be; empty: there has to be one
 */
record DnsAnswer(int id, DnsQuestion question, Optional<String> expected) {
    private static final int HEADER = 12;
    private static final int RESPONSE = 1 << 15;
    private static final int TRUNCATED = 1 << 9;
    private static final int CODE = 15;
    private static final int MOST_NAMED = 3;

    /** What the answer says of the real. */
    record Finding(boolean success, String reason) {}

    /** Empty: it answers something else. */
    Optional<Finding> read(ByteBuf message) {
        if (message.readableBytes() < HEADER || message.getUnsignedShort(message.readerIndex()) != id) {
            return Optional.empty();
        }
        try {
            return findingOf(message);
        } catch (CodecException | IndexOutOfBoundsException | IllegalArgumentException e) {
            return Optional.of(new Finding(false, "malformed DNS answer"));
        }
    }

    private Optional<Finding> findingOf(ByteBuf message) {
        message.skipBytes(2);
        int flags = message.readUnsignedShort();
        int questions = message.readUnsignedShort();
        int answers = message.readUnsignedShort();
        message.skipBytes(4);
        if ((flags & RESPONSE) == 0 || (questions > 0 && !asks(message))) {
            return Optional.empty();
        }
        DnsResponseCode code = DnsResponseCode.valueOf(flags & CODE);
        if (!code.equals(DnsResponseCode.NOERROR)) {
            return Optional.of(new Finding(false, "DNS answer " + name(code)));
        }
        List<String> found = new ArrayList<>();
        boolean cut = (flags & TRUNCATED) != 0;
        for (int i = 0; i < answers && !(cut && !message.isReadable()); i++) {
            record(message).ifPresent(found::add);
        }
        return Optional.of(judge(found, cut));
    }

    /** The question is the same, letter for letter but for their case. */
    private boolean asks(ByteBuf message) {
        String name = DefaultDnsRecordDecoder.decodeName(message);
        int type = message.readUnsignedShort();
        message.skipBytes(2);
        return name.equalsIgnoreCase(question.name()) && type == question.type().intValue();
    }

    private Finding judge(List<String> found, boolean truncated) {
        String type = question.type().name();
        if (found.isEmpty()) {
            return new Finding(false, truncated ? "truncated DNS answer" : "answer has no " + type + " record");
        }
        if (expected.isEmpty() || found.contains(normal(expected.get()))) {
            return new Finding(true, "NOERROR " + expected.map(this::normal).orElse(found.get(0)));
        }
        String named = String.join(", ", found.subList(0, Math.min(found.size(), MOST_NAMED)));
        return new Finding(
                false,
                truncated ? "truncated DNS answer" : "answer is " + named + ", expected " + normal(expected.get()));
    }

    /** The record as text, if it is of the asked type. */
    private Optional<String> record(ByteBuf message) {
        DefaultDnsRecordDecoder.decodeName(message);
        int type = message.readUnsignedShort();
        message.skipBytes(6);
        int length = message.readUnsignedShort();
        int end = message.readerIndex() + length;
        // Names in it may point to what came before: the message is read on, but not past this record.
        ByteBuf upToEnd = message.slice(0, end).readerIndex(message.readerIndex());
        message.readerIndex(end);
        return type == question.type().intValue() ? Optional.of(text(upToEnd)) : Optional.empty();
    }

    private String text(ByteBuf data) {
        return switch (question.type().name()) {
            case "A" -> address(data, 4);
            case "AAAA" -> address(data, 16);
            case "MX" -> data.readUnsignedShort() + " " + nameIn(data);
            case "SRV" ->
                data.readUnsignedShort() + " " + data.readUnsignedShort() + " " + data.readUnsignedShort() + " "
                        + nameIn(data);
            case "TXT" -> strings(data);
            default -> nameIn(data); // CNAME, NS, PTR; of SOA the primary server
        };
    }

    private static String address(ByteBuf data, int length) {
        if (data.readableBytes() != length) {
            throw new IllegalArgumentException("an address of " + data.readableBytes() + " octets");
        }
        byte[] octets = new byte[length];
        data.readBytes(octets);
        return NetUtil.bytesToIpAddress(octets);
    }

    private static String nameIn(ByteBuf data) {
        return withoutDot(DefaultDnsRecordDecoder.decodeName(data)).toLowerCase(Locale.ROOT);
    }

    private static String strings(ByteBuf data) {
        StringBuilder text = new StringBuilder();
        while (data.isReadable()) {
            int length = data.readUnsignedByte();
            text.append(data.readCharSequence(length, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    /** As {@link #text} would write what the operator has written. */
    private String normal(String text) {
        return switch (question.type().name()) {
            case "TXT" -> text;
            case "A", "AAAA" -> {
                byte[] octets = NetUtil.createByteArrayFromIpAddressString(text);
                yield octets == null ? text : NetUtil.bytesToIpAddress(octets);
            }
            default -> withoutDot(text).toLowerCase(Locale.ROOT);
        };
    }

    private static String withoutDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** Netty writes {@code NXDomain(3)}; operators and dig write NXDOMAIN. */
    private static String name(DnsResponseCode code) {
        String text = code.toString();
        int bracket = text.indexOf('(');
        return (bracket < 0 ? text : text.substring(0, bracket)).toUpperCase(Locale.ROOT);
    }
}
