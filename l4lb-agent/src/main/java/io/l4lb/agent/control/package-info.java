// SPDX-License-Identifier: Apache-2.0
/** The control socket: HTTP/JSON over a unix socket, server and client. */
@NullMarked
package io.l4lb.agent.control;

import org.jspecify.annotations.NullMarked;
