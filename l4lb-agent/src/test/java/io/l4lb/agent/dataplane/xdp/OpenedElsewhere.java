// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import java.nio.file.Path;

/** A process of its own that opens the dataplane, and says why it cannot. */
final class OpenedElsewhere {
    private OpenedElsewhere() {}

    /**
     * Opens it.
     *
     * @param arguments interface, directory of pins
     */
    public static void main(String[] arguments) {
        Path pins = Path.of(arguments[1]);
        try (XdpDataplane opened =
                XdpDataplane.open(DirectorLab.section(arguments[0], pins, DirectorLab.FLOWS), Samples.SEED)) {
            System.out.println("opened " + opened.info());
        } catch (DataplaneException e) {
            System.out.println(e.getMessage());
        }
    }
}
