// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.check.HttpCheck;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.Set;

/** The request of an HTTP check: a head without a body. */
final class HttpRequestHead {
    static final String PADDING = "X-L4lb-Padding";

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** Servers bound the length of one field: nginx at 8 KiB, Apache at 8190 octets. */
    private static final int LONGEST_FIELD = 4000;

    private static final Set<String> CONTENT_METHODS = Set.of("POST", "PUT", "PATCH");

    private HttpRequestHead() {}

    /** Long enough to fill the packet that the probe's route asks for. */
    static FullHttpRequest of(HttpCheck check, Probe probe) {
        FullHttpRequest head = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(check.request().method()),
                check.request().path(),
                Unpooled.EMPTY_BUFFER);
        int port = check.tls().isPresent() ? HTTPS_PORT : HTTP_PORT;
        HttpHeaders headers = head.headers();
        headers.set(HttpHeaderNames.HOST, check.request().host().orElseGet(() -> hostOf(probe.destination(), port)));
        headers.set(HttpHeaderNames.USER_AGENT, "l4lb-healthcheck");
        headers.set(HttpHeaderNames.ACCEPT, "*/*");
        if (CONTENT_METHODS.contains(check.request().method())) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, 0); // else some servers answer 411 (RFC 9110, section 8.6)
        }
        HttpHeaders configured = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        check.request().headers().forEach(header -> configured.add(header.name(), header.value()));
        headers.setAll(configured);
        headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        for (int left = FullPacket.octets(probe.route()); left > 0; left -= LONGEST_FIELD) {
            headers.add(PADDING, "a".repeat(Math.min(left, LONGEST_FIELD)));
        }
        return head;
    }

    /** The VIP as a URI writes it (RFC 3986, section 3.2.2): a v6 address shortened and in brackets, no port if it is the scheme's. */
    static String hostOf(InetSocketAddress destination, int schemePort) {
        String address = NetUtil.toAddressString(destination.getAddress());
        String host = address.contains(":") ? "[" + address + "]" : address;
        return destination.getPort() == schemePort ? host : host + ":" + destination.getPort();
    }
}
