// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import java.net.InetAddress;

/** A real of one service: the unit of health. */
public record RealKey(String service, InetAddress real) {}
