#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A real: has the VIPs without saying so on its link, strips the tunnel's header, answers the client directly.
#   real.sh                        all of it
#   real.sh decapsulation on|off   only that
#   VIPS                the addresses of all services
#   TUNNEL_INTERFACE    where encapsulated packets come in
#   DECAPSULATE_OBJECT  the program that strips the header
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

decapsulation() {
  tc qdisc replace dev "$TUNNEL_INTERFACE" clsact
  case $1 in
  on) tc filter replace dev "$TUNNEL_INTERFACE" ingress prio 1 handle 1 bpf direct-action object-file "$DECAPSULATE_OBJECT" section tc ;;
  off) tc filter delete dev "$TUNNEL_INTERFACE" ingress prio 1 ;;
  esac
}

if [ "${1:-}" = decapsulation ]; then
  decapsulation "$2"
  exit
fi
addresses_and_routes
# Only the tunnel brings packets for the VIPs: no answer to an ARP request for them, none sent from them.
kernel net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2
for vip in $VIPS; do
  case $vip in
  *:*) ip address replace "$vip/128" dev lo nodad ;;
  *) ip address replace "$vip/32" dev lo ;;
  esac
done
decapsulation on
