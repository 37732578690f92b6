// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Reads addresses back as {@link io.l4lb.agent.model.IpText} writes them; nothing is ever resolved. */
final class AddressText {
    private static final Pattern IPV4 = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private AddressText() {}

    /** @throws IllegalArgumentException it is none */
    static InetAddress parse(String text) {
        try {
            if (IPV4.matcher(text).matches()) {
                return InetAddress.getByName(text);
            }
            if (IPV6.matcher(text).matches()) {
                return InetAddress.getByName("[" + text + "]");
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address: " + text, e);
        }
        throw new IllegalArgumentException("no address: " + text);
    }
}
