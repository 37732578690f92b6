// SPDX-License-Identifier: Apache-2.0
/**
 * What IPVS needs of the machine, and what the agent keeps of it over a restart: local VIPs, kernel settings, modules, and which
 * services are ours. All for the reconcile thread alone, whose network namespace is meant everywhere.
 */
@NullMarked
package io.l4lb.agent.dataplane.ipvs.host;

import org.jspecify.annotations.NullMarked;
