// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import javax.security.auth.x500.X500Principal;

/** Certificates in an operator's words. */
final class CertificateWords {
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final int LONGEST_SUBJECT = 200;

    private CertificateWords() {}

    /** Why it is not valid now, or nothing: {@code certificate expired 3 days ago}. */
    static String outOfTime(X509Certificate certificate, Instant now) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        if (now.isBefore(from)) {
            return "certificate not valid before " + UTC.format(from);
        }
        return now.isAfter(until) ? "certificate expired " + words(Duration.between(until, now)) + " ago" : "";
    }

    /** What there is to warn of if it expires, or has expired, before so many days are over; or nothing. */
    static String warning(X509Certificate certificate, Instant now, int minimumDays) {
        Duration left = Duration.between(now, certificate.getNotAfter().toInstant());
        if (minimumDays == 0 || left.compareTo(Duration.ofDays(minimumDays)) >= 0) {
            return "";
        }
        return left.isNegative() ? outOfTime(certificate, now) : "certificate expires in " + words(left);
    }

    /** Whose it is, and until when. */
    static String summary(X509Certificate certificate) {
        return "certificate " + subject(certificate) + ", expires "
                + UTC.format(certificate.getNotAfter().toInstant());
    }

    /** The subject is text that comes from the real. */
    static String subject(X509Certificate certificate) {
        String name = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
        String shown = name.isEmpty() ? "without a subject" : name.replaceAll("[^\\x20-\\x7e]", "?");
        return shown.length() <= LONGEST_SUBJECT ? shown : shown.substring(0, LONGEST_SUBJECT) + "...";
    }

    private static String words(Duration duration) {
        if (duration.toDays() > 0) {
            return count(duration.toDays(), "day");
        }
        return duration.toHours() > 0 ? count(duration.toHours(), "hour") : count(duration.toMinutes(), "minute");
    }

    private static String count(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }
}
