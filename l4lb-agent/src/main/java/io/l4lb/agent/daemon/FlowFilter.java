// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.AddressRange;
import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.ProtocolWord;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.Protocol;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Which entries of the flow table are wanted. */
final class FlowFilter implements Predicate<RememberedFlow> {
    private final List<Predicate<RememberedFlow>> conditions = new ArrayList<>();

    FlowFilter(FlowsRequest request, ServiceNames names) {
        String service = request.selection().service();
        String vip = request.selection().vip();
        String source = request.selection().source();
        if (!service.isEmpty()) {
            conditions.add(flow -> names.of(flow.service()).equals(service));
        }
        if (!vip.isEmpty()) {
            conditions.add(in(vip, flow -> flow.service().vip()));
        }
        if (!source.isEmpty()) {
            conditions.add(in(source, flow -> flow.client().address()));
        }
        if (!request.real().isEmpty()) {
            conditions.add(in(request.real(), RememberedFlow::real));
        }
        if (!request.protocol().isEmpty()) {
            int protocol = ProtocolWord.number(request.protocol());
            conditions.add(flow -> flow.vip().protocol() == protocol);
        }
        if (request.port() != FlowsRequest.NO_PORT) {
            conditions.add(flow -> port(flow) == request.port());
        }
        if (!request.state().isEmpty()) {
            conditions.add(flow -> flow.state().text().equals(request.state()));
        }
    }

    private interface Address {
        InetAddress of(RememberedFlow flow);
    }

    private static Predicate<RememberedFlow> in(String text, Address address) {
        AddressRange range = AddressRange.parse(text);
        return flow -> range.contains(address.of(flow));
    }

    /** As commands show it: its name, or its number. */
    static String protocol(int number) {
        return Protocol.ofNumber(number).map(Protocol::key).orElseGet(() -> Integer.toString(number));
    }

    /** A flow whose ports are not looked at is one of the port at which its service is. */
    private static int port(RememberedFlow flow) {
        return flow.vip().port() == Frontend.ANY_PORT
                ? flow.service().port()
                : flow.vip().port();
    }

    @Override
    public boolean test(RememberedFlow flow) {
        for (Predicate<RememberedFlow> condition : conditions) {
            if (!condition.test(flow)) {
                return false;
            }
        }
        return true;
    }
}
