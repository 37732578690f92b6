// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

/** Which header fields of a packet decide the real of a new flow. Chosen per service. */
public enum HashKey {
    /** Source, source port, VIP, VIP port, protocol. Protocols without ports have ports 0. */
    FIVE_TUPLE("5-tuple") {
        @Override
        public FlowKey hashed(FlowKey fiveTuple) {
            return fiveTuple;
        }
    },

    /** Source, VIP, protocol: all of a client's flows, and all fragments of a packet, go to one real. */
    THREE_TUPLE("3-tuple") {
        @Override
        public FlowKey hashed(FlowKey fiveTuple) {
            return fiveTuple.threeTuple();
        }
    },

    /**
     * The server ID in a QUIC connection ID ({@link io.l4lb.hashing.quic.ConnectionIdLayout}) names the real itself and
     * nothing is hashed; where there is none, the 5-tuple decides.
     */
    QUIC_CID("quic-cid") {
        @Override
        public FlowKey hashed(FlowKey fiveTuple) {
            return fiveTuple;
        }
    };

    private final String key;

    HashKey(String key) {
        this.key = key;
    }

    /** The name in configuration and status. */
    public String key() {
        return key;
    }

    /**
     * What is hashed, and what the flow table remembers, for a flow of that 5-tuple.
     *
     * @param fiveTuple the packet's own key; reversed already, if the packet was quoted
     */
    public abstract FlowKey hashed(FlowKey fiveTuple);
}
