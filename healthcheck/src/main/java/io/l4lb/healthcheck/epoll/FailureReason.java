// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.netty.channel.unix.Errors;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Netty's exceptions in an operator's words, and whose fault they are. */
final class FailureReason {
    static final String CERTIFICATE_REQUIRED = "certificate required";

    // include/uapi/asm-generic/errno-base.h, errno.h
    private static final int EPERM = 1;
    private static final int ENOMEM = 12;
    private static final int EACCES = 13;
    private static final int ENFILE = 23;
    private static final int EMFILE = 24;
    private static final int EMSGSIZE = 90;
    private static final int EADDRNOTAVAIL = 99;
    private static final int ENETUNREACH = 101;
    private static final int ENOBUFS = 105;
    private static final int ECONNREFUSED = 111;
    private static final int EHOSTUNREACH = 113;
    private static final Set<Integer> OWN_FAULTS =
            Set.of(EPERM, ENOMEM, EACCES, ENFILE, EMFILE, EADDRNOTAVAIL, ENOBUFS);

    /** Netty writes {@code connect(..) failed with error(-22): Invalid argument}. */
    private static final Pattern NETTY_ERROR = Pattern.compile("error\\(-(\\d{1,6})\\): (.*)");

    private static final String ALERT = "Received fatal alert: ";

    private FailureReason() {}

    /** Whether it says nothing of the real: for want of a descriptor, a port, memory or a permission here, or for a bug of ours. */
    static boolean isOwnFault(Throwable cause) {
        Throwable innermost = innermost(cause);
        return innermost instanceof IOException
                ? OWN_FAULTS.contains(errno(innermost))
                : !(cause instanceof CodecException || innermost instanceof CodecException);
    }

    /** Ends a run whose connection stood. */
    static void end(ProbeRun run, Throwable cause) {
        String words = ofConversation(cause);
        if (isOwnFault(cause)) {
            run.giveUp(words);
        } else {
            run.fail(words);
        }
    }

    /** Opening, marking or registering the socket failed: nothing was sent. */
    static String ofSocket(Throwable cause) {
        String words = kernelWords(cause);
        if (words.endsWith("Operation not permitted")) { // Netty does not tell the errno of setsockopt
            return "the probe's socket may not be marked: operation not permitted (CAP_NET_ADMIN is missing)";
        }
        return switch (errno(innermost(cause))) {
            case EMFILE, ENFILE -> "no descriptor for the probe: " + words;
            default -> "no socket for the probe: " + words;
        };
    }

    static String ofConnect(Throwable cause, InetSocketAddress destination) {
        // Netty throws this for ENETUNREACH and EHOSTUNREACH alike, without the kernel's words.
        if (cause instanceof NoRouteToHostException) {
            return "no route to host";
        }
        String words = kernelWords(cause);
        if (cause instanceof ConnectException && words.contains("Connection refused")) {
            return "connection refused";
        }
        if (errno(innermost(cause)) == EADDRNOTAVAIL) {
            return "no free source port towards " + NetUtil.toSocketAddressString(destination);
        }
        return "cannot connect: " + words;
    }

    /** Ends a run that could not connect. */
    static void endOfConnect(ProbeRun run, Throwable cause) {
        String words = ofConnect(cause, run.probe().destination());
        if (isOwnFault(cause)) {
            run.giveUp(words);
        } else {
            run.fail(words);
        }
    }

    /** Whether an errno says that there is no way. */
    static boolean isUnreachable(int errno) {
        return errno == ENETUNREACH || errno == EHOSTUNREACH;
    }

    /** A packet that may not be fragmented is too long for a link on its way. */
    static boolean isTooLong(Throwable cause) {
        return errno(innermost(cause)) == EMSGSIZE;
    }

    /** A router, or the real, has answered a datagram with an ICMP error (icmp_err_convert in net/ipv4/icmp.c). */
    static String ofIcmp(Throwable cause) {
        Throwable innermost = innermost(cause);
        return switch (errno(innermost)) {
            case ECONNREFUSED -> "port unreachable (ICMP)";
            case EHOSTUNREACH -> "host unreachable (ICMP)";
            case ENETUNREACH -> "network unreachable (ICMP)";
            default ->
                innermost instanceof PortUnreachableException
                        ? "port unreachable (ICMP)"
                        : "cannot send: " + kernelWords(cause);
        };
    }

    /** Before the TLS handshake was done. */
    static String ofHandshake(Throwable cause, TlsEngine tls, boolean connected) {
        if (!tls.verifier().problem().isEmpty()) {
            return tls.verifier().problem();
        }
        Throwable innermost = innermost(cause);
        if (innermost instanceof NotSslRecordException) {
            return "peer does not speak TLS";
        }
        String message = String.valueOf(innermost.getMessage());
        if (message.startsWith(ALERT)) {
            return tls.identity().askedInVain()
                    ? CERTIFICATE_REQUIRED
                    : "TLS handshake failed: " + message.substring(ALERT.length());
        }
        if (isReset(innermost)) {
            return tls.identity().askedInVain() ? CERTIFICATE_REQUIRED : "connection reset amid the TLS handshake";
        }
        if (!connected || innermost instanceof ClosedChannelException) {
            return tls.identity().askedInVain() ? CERTIFICATE_REQUIRED : "connection closed amid the TLS handshake";
        }
        return "TLS handshake failed: " + message;
    }

    /** The response cannot be decoded. */
    static String ofDecoding(Throwable cause) {
        return cause instanceof TooLongFrameException ? "HTTP response header too long" : "malformed HTTP response";
    }

    private static String ofConversation(Throwable cause) {
        Throwable innermost = innermost(cause);
        if (isReset(innermost)) {
            return "connection reset";
        }
        if (innermost instanceof ClosedChannelException) {
            return "connection closed before an answer";
        }
        if (innermost instanceof SSLException) {
            String message = String.valueOf(innermost.getMessage());
            return message.startsWith(ALERT + "certificate_required") ? CERTIFICATE_REQUIRED : "TLS broken: " + message;
        }
        if (innermost instanceof IOException) {
            return "connection broken: " + kernelWords(cause);
        }
        return "probe failed: " + cause;
    }

    private static boolean isReset(Throwable innermost) {
        return innermost instanceof Errors.NativeIoException io
                && (io.expectedErr() == Errors.ERRNO_ECONNRESET_NEGATIVE
                        || io.expectedErr() == Errors.ERRNO_EPIPE_NEGATIVE);
    }

    /** 0 if it is not told. */
    private static int errno(Throwable innermost) {
        if (innermost instanceof Errors.NativeIoException io) {
            return -io.expectedErr();
        }
        Matcher matcher = NETTY_ERROR.matcher(String.valueOf(innermost.getMessage()));
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    private static Throwable innermost(Throwable cause) {
        Throwable innermost = cause;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return innermost;
    }

    /** Netty's exceptions around the innermost one add the address. Only the errno's text is of use to an operator. */
    private static String kernelWords(Throwable cause) {
        String message = String.valueOf(innermost(cause).getMessage());
        Matcher matcher = NETTY_ERROR.matcher(message);
        return matcher.find() ? matcher.group(2) : message;
    }
}
