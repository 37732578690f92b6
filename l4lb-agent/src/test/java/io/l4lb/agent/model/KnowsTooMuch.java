// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.l4lb.agent.dataplane.Dataplane;
import jnr.ffi.Platform;

/** Breaks the rules of its room in both ways, so that a test can see the rules notice. */
interface KnowsTooMuch {
    Dataplane whatIsMadeOfTheModel();

    Platform nativeCode();
}
