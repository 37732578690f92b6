// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Machine;
import io.l4lb.xdp.BpfObject;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The verifier of this kernel accepts the balancer whichever of its features are on: what is off is not even verified,
 * so each set of them is a program of its own. {@code lab/vm/verify} asks other kernels.
 */
@Tag("kernel")
final class VerifierTest {
    private static final int FEATURES = 5;
    private static final int FLOWS = 1024;

    @BeforeEach
    void need() {
        Machine.needBpf();
    }

    private static boolean on(int set, int feature) {
        return (set >> feature & 1) != 0;
    }

    private static Constants constants(int set) {
        Constants.Features features =
                new Constants.Features(on(set, 0), on(set, 1), on(set, 2), on(set, 3), on(set, 4) ? 1400 : 0);
        // All else is on with every second set, also with the last one, and off with the others, also with the first.
        return Integer.bitCount(set) % 2 == 0
                ? new Constants(features, 0, 0, 0, new Constants.Timeouts(0, 0, 0, 0, 0), Jiffies.UNKNOWN)
                : new Constants(
                        features,
                        16,
                        16,
                        1000,
                        new Constants.Timeouts(60, 3600, 60, 60, 30),
                        new Jiffies(4_000_000, 1));
    }

    /** Every set of features. */
    static Stream<Constants> everySet() {
        return IntStream.range(0, 1 << FEATURES).mapToObj(VerifierTest::constants);
    }

    @ParameterizedTest
    @MethodSource("everySet")
    void acceptsTheBalancer(Constants constants) {
        try (BpfObject object =
                BpfObject.open("balancer", BpfProgram.BALANCER.object()).maxEntries("flows", FLOWS)) {
            object.constants(".rodata.constants", constants.encode().array());
            assertDoesNotThrow(object::load);
        }
    }
}
