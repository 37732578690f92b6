// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneContract;
import io.l4lb.test.InNamespace;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The kernel does what the fake does. */
@Tag("kernel")
final class XdpDataplaneTest extends DataplaneContract {
    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @Override
    protected Dataplane open() {
        return lab.open();
    }
}
