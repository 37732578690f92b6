// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

/** The kinds of things that a real needs. A thing that is not there has the empty value. */
public enum Kind {
    /** Its name: the module. Value: loaded. */
    MODULE("kernel module %s"),
    /** Its name: a directory. Value: mounted. */
    BPF_FILE_SYSTEM("bpffs at %s"),
    /** Its name: the network device. Value: up or down. */
    DEVICE("device %s"),
    /** Its name: an IPv6 tunnel device. Value: inner and outer protocol as ip(8) writes them. */
    TUNNEL_MODE("tunnel mode of %s"),
    /** Its name: the file below /proc/sys. Value: its content. */
    SETTING("%s"),
    /** Its name: address/length, a blank, the device. Value: present. */
    ADDRESS("address %s"),
    /** Its name: ipv4 or ipv6. Value: the UDP port. */
    GUE_PORT("port of GUE over %s"),
    /** Its name: the interface. Value: which build of the program. */
    PROGRAM("decapsulating program on %s"),
    /** Its name: a prefix of outer sources. Value: present. */
    TUNNEL_SOURCE("tunnels from %s"),
    /** Its name: an outer destination. Value: present. */
    TUNNEL_END("tunnels to %s"),
    /** Its name: an inner destination. Value: present. */
    OPENED_VIP("tunnels for %s");

    private final String words;

    Kind(String words) {
        this.words = words;
    }

    /** Others may have come to need it since: it is not taken away again. */
    boolean staysForOthers() {
        return this == MODULE || this == BPF_FILE_SYSTEM;
    }

    /** Nobody else makes such things: whatever its value, it is to be undone. */
    boolean isOursAlone() {
        return this == PROGRAM;
    }

    String words(String name) {
        return String.format(
                words,
                switch (this) {
                    case SETTING -> dotted(name);
                    case ADDRESS -> name.replace(" ", " on ");
                    default -> name;
                });
    }

    /** As sysctl(8) writes it, dots within the names of interfaces being slashes. */
    private static String dotted(String path) {
        return path.replace('.', '\0').replace('/', '.').replace('\0', '/');
    }
}
