// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneContract;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.test.InNamespace;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Services that are marked by our program, with an IPVS that is played. */
@Tag("kernel")
final class FakeIpvsDataplaneTest extends DataplaneContract {
    @AutoClose
    private final IpvsLab lab = new IpvsLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @Override
    protected Dataplane open() {
        return lab.open(new FakeIpvs());
    }

    @Override
    @Test
    protected void copiesNothingUnlessTold() {
        try (Dataplane dataplane = lab.open(new FakeIpvs())) {
            dataplane.sample(0);
            assertThrows(DataplaneException.class, () -> dataplane.sample(1));
            assertThrows(DataplaneException.class, dataplane::captures);
        }
    }
}
