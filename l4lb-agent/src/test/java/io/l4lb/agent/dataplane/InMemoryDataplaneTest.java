// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

/** The fake does what the kernel does. */
final class InMemoryDataplaneTest extends DataplaneContract {
    @Override
    protected Dataplane open() {
        return new InMemoryDataplane();
    }
}
