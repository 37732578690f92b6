// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.netty.channel.unix.Errors;
import io.netty.handler.codec.TooLongFrameException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;

/** Netty's exceptions in an operator's words. */
final class FailureReason {
    private static final String OPERATION_NOT_PERMITTED = "Operation not permitted";

    private FailureReason() {}

    /** Opening, marking or registering the socket failed: nothing was sent. */
    static String ofSocket(Throwable cause) {
        String words = kernelWords(cause);
        if (words.contains(OPERATION_NOT_PERMITTED)) {
            return "the probe's socket may not be marked: operation not permitted (CAP_NET_ADMIN is missing)";
        }
        return "no socket for the probe: " + words;
    }

    static String ofConnect(Throwable cause) {
        // Netty throws this for ENETUNREACH and EHOSTUNREACH alike, without the kernel's words.
        if (cause instanceof NoRouteToHostException) {
            return "no route to host";
        }
        String words = kernelWords(cause);
        if (cause instanceof ConnectException && words.contains("Connection refused")) {
            return "connection refused";
        }
        return "cannot connect: " + words;
    }

    /** The response cannot be decoded. */
    static String ofDecoding(Throwable cause) {
        return cause instanceof TooLongFrameException ? "HTTP response header too long" : "malformed HTTP response";
    }

    /** After the connection stood. */
    static String ofConversation(Throwable cause) {
        if (cause instanceof Errors.NativeIoException io
                && (io.expectedErr() == Errors.ERRNO_ECONNRESET_NEGATIVE
                        || io.expectedErr() == Errors.ERRNO_EPIPE_NEGATIVE)) {
            return "connection reset";
        }
        if (cause instanceof ClosedChannelException) {
            return "connection closed without an HTTP response";
        }
        if (cause instanceof IOException) {
            return "connection broken: " + kernelWords(cause);
        }
        return "probe failed: " + cause;
    }

    /**
     * Netty writes {@code connect(..) failed with error(-22): Invalid argument} in the innermost exception; those around it
     * add the address. Only the errno's text is of use to an operator.
     */
    private static String kernelWords(Throwable cause) {
        Throwable innermost = cause;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = String.valueOf(innermost.getMessage());
        return message.substring(message.indexOf("): ") < 0 ? 0 : message.indexOf("): ") + "): ".length());
    }
}
