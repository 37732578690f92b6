// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static io.l4lb.ipvs.Samples.destination;

import java.util.List;

/** {@link Samples#SERVICES} and destinations of the first of them as ipvsadm 1.31 has them. */
final class IpvsadmRules {
    /** In the order of the kernel's list. */
    static final List<Destination> DESTINATIONS = List.of(
            destination("10.0.0.5", 80, 5, Tunnel.gre(TunnelChecksum.CHECKSUM)),
            destination("10.0.0.4", 80, 4, Tunnel.gue(6080, TunnelChecksum.NONE)),
            destination("10.0.0.3", 80, 3, Tunnel.IPIP),
            destination("10.0.0.2", 80, 2, PlainForwarding.MASQUERADE),
            destination("10.0.0.1", 80, 0, PlainForwarding.DIRECT_ROUTE));

    static final List<String> IN_ORDER = List.of(
            "-A -t 192.0.2.10:80 -s wrr",
            "-a -t 192.0.2.10:80 -r 10.0.0.1:80 -g -w 0",
            "-a -t 192.0.2.10:80 -r 10.0.0.2:80 -m -w 2",
            "-a -t 192.0.2.10:80 -r 10.0.0.3:80 -i -w 3",
            "-a -t 192.0.2.10:80 -r 10.0.0.4:80 -i -w 4 --tun-type gue --tun-port 6080 --tun-nocsum",
            "-a -t 192.0.2.10:80 -r 10.0.0.5:80 -i -w 5 --tun-type gre --tun-csum",
            "-A -t [2001:db8::10]:443 -s mh -b mh-fallback,mh-port",
            "-A -u 192.0.2.11:5060 -s rr -p 300 --pe sip -o",
            "-A --sctp-service 192.0.2.12:0 -s sh -p 60 -M 255.255.248.0 -b flag-3",
            "-A -u [2001:db8::11]:0 -s lc -p 90 -M 64",
            "-A -f 2147483653 -s rr",
            "-A -f 2147483653 -6 -s rr");

    /** What -Sn prints, sorted: it has a sign for marks past 2^31, no name for flag-3 of sh, and names the type IPIP. */
    static final List<String> SORTED = IN_ORDER.stream()
            .map(line -> line.replace("-f 2147483653", "-f -2147483643")
                    .replace("-b flag-3", "-b")
                    .replace("-i -w 3", "-i -w 3 --tun-type ipip"))
            .sorted()
            .toList();

    private IpvsadmRules() {}
}
