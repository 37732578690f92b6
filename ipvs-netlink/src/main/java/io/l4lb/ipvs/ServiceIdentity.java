// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;

/** What tells a service from the others; its text is what messages call it. */
public sealed interface ServiceIdentity permits VirtualAddress, FirewallMark {
    AddressFamily family();
}
