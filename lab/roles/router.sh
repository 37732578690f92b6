#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The router: forwards, and spreads flows over equal paths by their 5-tuple. Its routing daemon is started apart.
#   XDP_PEERS    interfaces whose other end runs native XDP on a veth pair; empty elsewhere
#   PASS_OBJECT  the program that passes everything
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
addresses_and_routes
kernel net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
kernel net.ipv4.fib_multipath_hash_policy=1 net.ipv6.fib_multipath_hash_policy=1
# Errors that come back to the reals are told as often as they happen.
kernel net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0
# A next hop whose link is down takes no packet, even before the routing daemon has withdrawn it.
kernel net.ipv4.conf.all.ignore_routes_with_linkdown=1 net.ipv6.conf.all.ignore_routes_with_linkdown=1
for interface in ${XDP_PEERS:-}; do
  kernel "net.ipv4.conf.$interface.ignore_routes_with_linkdown=1" "net.ipv6.conf.$interface.ignore_routes_with_linkdown=1"
  checksums_in_software "$interface"
  # veth counts XDP_TX frames as sent and loses them unless the end that receives them has an XDP program too.
  ip link set dev "$interface" xdpdrv off
  ip link set dev "$interface" xdpdrv object "$PASS_OBJECT" section xdp
done
