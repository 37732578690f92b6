// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.model.IpText;
import java.net.InetAddress;

/** One thing of this server's kernel that has a value, the empty one where it is not there. */
public record Item(Kind kind, String name) {
    static final String PRESENT = "present";

    static Item setting(String path) {
        return new Item(Kind.SETTING, path);
    }

    /** An address that stands for itself alone. */
    static Item address(InetAddress address, String device) {
        return new Item(Kind.ADDRESS, Prefix.host(address) + " " + device);
    }

    static Item tunnelEnd(InetAddress address) {
        return new Item(Kind.TUNNEL_END, IpText.of(address));
    }

    static Item openedVip(InetAddress vip) {
        return new Item(Kind.OPENED_VIP, IpText.of(vip));
    }

    static Item tunnelSource(Prefix prefix) {
        return new Item(Kind.TUNNEL_SOURCE, prefix.toString());
    }

    /** In words. */
    @Override
    public String toString() {
        return kind.words(name);
    }
}
