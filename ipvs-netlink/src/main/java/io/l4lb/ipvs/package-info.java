// SPDX-License-Identifier: Apache-2.0
/** IPVS over generic netlink; for now whether it is there and what it says of itself. */
@NullMarked
package io.l4lb.ipvs;

import org.jspecify.annotations.NullMarked;
