// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Protocol;
import java.net.InetAddress;
import java.nio.file.Path;

/** Two values of which a configuration can have one. */
record Conflict(Kind kind, Side earlier, Side later) {
    /** What the later value is to the earlier one. */
    enum Kind {
        NAME,
        /** The same VIP, protocol and port. */
        SERVED,
        /** The same address twice in a list. */
        ENTRY,
        REAL_IS_VIP,
        VIP_IS_REAL
    }

    /** A value and its service. */
    record Side(ServiceDraft service, Located<?> value) {
        Path file() {
            return service.origin().file();
        }
    }

    boolean withinFile() {
        return earlier.file().equals(later.file());
    }

    /** Reports it as the fault of one of the two. */
    void blame(Side side, Problems problems) {
        Side other = side.equals(later) ? earlier : later;
        problems.add(
                side.value().line(), side.value().key(), message(side, where(side, other)) + excuse(other.service()));
    }

    private String message(Side side, String where) {
        String value = side.value().value() instanceof InetAddress address
                ? IpText.of(address)
                : Shown.quoted(String.valueOf(side.value().value()));
        return switch (kind) {
            case NAME -> value + " is the name of " + where + " already";
            case SERVED -> value + " " + endpoint(side.service()) + " is served by " + where + " already";
            case ENTRY -> value + " is an address of " + where + " already";
            case REAL_IS_VIP -> value + (side.equals(later) ? " is a VIP of " : " is a real of ") + where;
            case VIP_IS_REAL -> value + (side.equals(later) ? " is a real of " : " is a VIP of ") + where;
        };
    }

    /** {@code tcp port 80}, {@code esp}; both are known where this is asked. */
    private static String endpoint(ServiceDraft service) {
        Protocol protocol = service.endpoint().protocol().orElseThrow();
        int port = service.endpoint().port().orElseThrow();
        if (protocol == Protocol.ANY) {
            return "on any protocol";
        }
        return protocol.key() + (protocol.hasPorts() ? " port " + Frontend.portText(port) : "");
    }

    private static String where(Side side, Side other) {
        ServiceDraft service = other.service();
        String line = " (line " + other.value().line() + ")";
        if (service.isLastGood()) {
            return "a service of " + other.file();
        }
        if (service.origin().equals(side.service().origin())) {
            return "this service" + line;
        }
        String file = other.file().equals(side.file()) ? "" : " of " + other.file();
        return service.origin().path() + file + line;
    }

    private static String excuse(ServiceDraft other) {
        return other.isLastGood() ? "; that file keeps its last good state" : "";
    }
}
