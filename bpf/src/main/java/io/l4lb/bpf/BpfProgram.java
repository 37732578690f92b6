// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bpf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A BPF object file that travels in this jar, compiled from {@code src/main/bpf}. */
public enum BpfProgram {
    /** XDP: the packet decision, from the service lookup to the encapsulation. */
    BALANCER("balancer"),
    /** tc egress: encapsulates marked probes to the one real that the mark names. */
    PROBE("probe"),
    /** tc ingress, on a real: strips the outer header. */
    DECAPSULATE("decapsulate"),
    /** tc ingress, on a director that forwards by IPVS: marks packets with their real, by the tables of the balancer. */
    MARKER("marker"),
    /** Reads jiffies and CLOCK_MONOTONIC at one moment, for whoever runs it. */
    CLOCK("clock"),
    /** XDP: passes everything; the peer of a veth whose other end answers with XDP_TX needs one. */
    PASS("pass");

    private final String file;

    BpfProgram(String name) {
        this.file = name + ".bpf.o";
    }

    /**
     * The ELF object file.
     *
     * @return a fresh copy of its bytes
     * @throws IllegalStateException if the jar was built without it
     */
    public byte[] object() {
        try (InputStream in = BpfProgram.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
