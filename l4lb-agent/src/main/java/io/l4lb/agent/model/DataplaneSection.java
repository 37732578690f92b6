// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

/** The table of the dataplane that runs. */
public sealed interface DataplaneSection permits XdpSection, IpvsSection {}
