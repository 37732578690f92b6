// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

class FakeHostTest extends HostContract {
    @Override
    Host host() {
        return new FakeHost();
    }
}
