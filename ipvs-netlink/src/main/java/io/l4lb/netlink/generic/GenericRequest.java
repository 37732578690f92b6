// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.generic;

import io.l4lb.netlink.Octets;

/**
 * One of the commands of a pipeline.
 *
 * @param operation what is being done, for the exception
 */
public record GenericRequest(String operation, int command, Octets attributes) {}
