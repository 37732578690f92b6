// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kernel setting that IPVS on a director needs.
 *
 * @param path below /proc/sys
 * @param value what it is set to
 * @param rule when it has to be
 */
record WantedSetting(String path, String value, Rule rule) {
    /** In a network namespace they are there as soon as ip_vs is loaded. */
    static final String IPVS = "net/ipv4/vs";

    private static final String CONF = "net/ipv4/conf/";

    enum Rule {
        /** Whatever it is else. */
        EXACTLY,
        /** Unless that of all interfaces has the value: either of both is enough. */
        UNLESS_ALL,
        /** Unless the greater one of it and that of all interfaces, which is what counts, is off (0) or loose (2). */
        UNLESS_LOOSE
    }

    /**
     * All that are needed.
     *
     * @param interfaces by which clients' packets, or the answers to probes, come in
     * @param masquerade whether there are reals to which packets are forwarded with another destination
     */
    static List<WantedSetting> all(Set<String> interfaces, boolean masquerade) {
        Stream<WantedSetting> ipvs = Stream.of(
                        "expire_nodest_conn",
                        "sloppy_tcp",
                        "sloppy_sctp",
                        "schedule_icmp",
                        "conn_reuse_mode",
                        "expire_quiescent_template",
                        "pmtu_disc",
                        "nat_icmp_send",
                        "run_estimation")
                .map(name -> new WantedSetting(IPVS + "/" + name, "1", Rule.EXACTLY));
        Stream<WantedSetting> conf = interfaces.stream()
                .sorted()
                .flatMap(name -> Stream.of(
                        new WantedSetting(CONF + name + "/accept_local", "1", Rule.UNLESS_ALL),
                        new WantedSetting(CONF + name + "/rp_filter", "2", Rule.UNLESS_LOOSE)));
        Stream<WantedSetting> forward =
                masquerade ? Stream.of(new WantedSetting("net/ipv4/ip_forward", "1", Rule.EXACTLY)) : Stream.empty();
        return Stream.of(ipvs, conf, forward).flatMap(each -> each).toList();
    }

    /** What it is now, if that is not what is needed; empty as well if this kernel has not got it. */
    Optional<String> wrong(Sysctls sysctls) {
        return sysctls.read(path).filter(present -> !suffices(present, sysctls));
    }

    private boolean suffices(String present, Sysctls sysctls) {
        return present.equals(value)
                || switch (rule) {
                    case EXACTLY -> false;
                    case UNLESS_ALL -> ofAll(sysctls).equals(value);
                    case UNLESS_LOOSE -> Set.of("0", "2").contains(greater(present, ofAll(sysctls)));
                };
    }

    /** Values of one digit. */
    private static String greater(String one, String other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private String ofAll(Sysctls sysctls) {
        return sysctls.read(CONF + "all" + path.substring(path.lastIndexOf('/')))
                .orElse("");
    }
}
