// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;

/** An interface that a link of somebody else holds, until closed. */
final class Occupied implements AutoCloseable {
    private final XdpAttachment attachment;

    Occupied(String name) {
        try (BpfObject object =
                        BpfObject.open("foreign", BpfProgram.PASS.object()).load();
                ProgramHandle program = object.program("pass")) {
            attachment = Links.attachXdp(program, Interfaces.index(name).orElseThrow(), XdpMode.NATIVE);
        }
    }

    int program() {
        return attachment.link().programId();
    }

    @Override
    public void close() {
        attachment.close();
    }
}
