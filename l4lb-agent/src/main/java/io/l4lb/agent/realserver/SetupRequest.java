// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the operator wants of this server.
 *
 * @param interfaceName where tunnel packets come in; empty: the one that the default route leaves by
 * @param directorSources outer sources that are believed; none: all
 * @param pinDirectory where our program's maps and link are kept
 */
public record SetupRequest(
        List<InetAddress> vips,
        Optional<String> interfaceName,
        Method method,
        List<Prefix> directorSources,
        Path pinDirectory) {
    public SetupRequest {
        vips = vips.stream().distinct().toList();
        directorSources = directorSources.stream().distinct().toList();
        if (vips.isEmpty()) {
            throw new IllegalArgumentException("no VIP");
        }
    }

    List<InetAddress> vips4() {
        return vips.stream().filter(Inet4Address.class::isInstance).toList();
    }

    boolean hasVip6() {
        return vips4().size() < vips.size();
    }
}
