// SPDX-License-Identifier: Apache-2.0
/** The health thread and its sockets: Netty's native epoll transport drives the pure core and does the probes. */
@NullMarked
package io.l4lb.healthcheck.epoll;

import org.jspecify.annotations.NullMarked;
