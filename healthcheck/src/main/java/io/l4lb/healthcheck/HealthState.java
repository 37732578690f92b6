// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

/** UNKNOWN until the first verdicts, which an owner treats as DOWN. */
public enum HealthState {
    UNKNOWN,
    UP,
    DOWN
}
