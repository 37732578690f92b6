#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A director: an address and a way out; all else is the agent's, be it that it holds the VIPs (IPVS) or that it does not (XDP).
#   XDP_INTERFACES  veth devices whose other end runs native XDP; empty elsewhere
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
addresses_and_routes
for interface in ${XDP_INTERFACES:-}; do checksums_in_software "$interface"; done
