// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.ipvs.Statistics.Rates;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.Octets;

/** IPVS_STATS_ATTR_: in the nest STATS connections, packets and all rates have 32 bits, in STATS64 everything has 64. */
final class StatisticsAttributes {
    private static final int CONNS = 1;
    private static final int INPKTS = 2;
    private static final int OUTPKTS = 3;
    private static final int INBYTES = 4;
    private static final int OUTBYTES = 5;
    private static final int CPS = 6;
    private static final int INPPS = 7;
    private static final int OUTPPS = 8;
    private static final int INBPS = 9;
    private static final int OUTBPS = 10;

    private StatisticsAttributes() {}

    /** Of a service or a destination, out of the wider of the two nests that it has. */
    static Statistics decode(AttributeReader of, int stats64, int stats) {
        AttributeReader nest = AttributeReader.of(
                of.find(stats64).or(() -> of.find(stats)).orElseThrow(() -> Endpoint.malformed("no statistics")));
        return new Statistics(
                number(nest, CONNS),
                number(nest, INPKTS),
                number(nest, OUTPKTS),
                number(nest, INBYTES),
                number(nest, OUTBYTES),
                new Rates(
                        number(nest, CPS),
                        number(nest, INPPS),
                        number(nest, OUTPPS),
                        number(nest, INBPS),
                        number(nest, OUTBPS)));
    }

    private static long number(AttributeReader nest, int type) {
        Octets value = nest.require(type, "IPVS_STATS_ATTR_ " + type);
        return value.length() == 4 ? value.u32Host(0) : value.u64Host(0);
    }
}
