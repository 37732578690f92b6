// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/**
 * A fresh attachment of an XDP program.
 *
 * @param link what holds it: closed without a pin, the program is detached
 * @param mode {@link XdpMode#NATIVE} or {@link XdpMode#GENERIC}
 * @param whyNotNative what the driver answered to native mode if {@link XdpMode#AUTO} had to fall back; else empty
 */
public record XdpAttachment(Link link, XdpMode mode, String whyNotNative) implements AutoCloseable {
    @Override
    public void close() {
        link.close();
    }
}
