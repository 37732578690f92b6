#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The router: forwards, and spreads flows over equal paths by their 5-tuple. Its routing daemon is started apart.
#   XDP_PEERS    interfaces whose other end runs native XDP on a veth pair; empty elsewhere
#   PASS_OBJECT  the program that passes everything
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
addresses_and_routes
kernel net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
# Addresses, protocol and ports as they are in the packet. Policy 1 is no router's: it takes the hash of the sender's socket where a
# packet still carries that, as between namespaces, so that a flow goes another way with each new socket.
kernel net.ipv4.fib_multipath_hash_fields=0x37 net.ipv6.fib_multipath_hash_fields=0x37
kernel net.ipv4.fib_multipath_hash_policy=3 net.ipv6.fib_multipath_hash_policy=3
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
