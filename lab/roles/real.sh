#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A real: an address and a way out; all else `l4lb real setup` does: it has the VIPs without saying so on its link, strips the
# tunnel's header, answers the client directly.
#   real.sh                                    all of it
#   real.sh setup|status|teardown [OPTION...]  only `l4lb real ...`
#   real.sh close-tunnels                      takes off what opens them, behind its back
#   VIPS                   the addresses of all services, with commas between them
#   DIRECTOR_SOURCES       networks from which tunnel packets come, likewise
#   TUNNELS                who opens them: bpf, our program; kernel, its devices
#   TUNNEL_INTERFACE       where they come in
#   L4LB                   the program
#   REAL_STATE, REAL_PINS  where it keeps what it did
#   DECAPSULATE_OBJECT     the program that strips the header, where it has to be loaded by hand
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The kernel's devices need modules, which stay, and put devices into all namespaces of the machine. Our program needs none.
# l4lb has it held by a link, which Linux knows from 6.6 on; before that it is loaded by hand, as docs/real-servers.md has it.
has_links() { printf '6.6\n%s\n' "$(uname -r)" | sort -VC; }
by_l4lb() { [ "$TUNNELS" = kernel ] || has_links; }

real() { # setup|status|teardown [option...]
  local command=$1
  shift
  set -- --state "$REAL_STATE" "$@"
  if [ "$command" = setup ]; then
    set -- --method "$TUNNELS" --interface "$TUNNEL_INTERFACE" --vip "$VIPS" --director-source "$DIRECTOR_SOURCES" \
      --pin-dir "$REAL_PINS" "$@"
  fi
  "$L4LB" real "$command" "$@"
}

by_hand() { # setup|status|teardown
  local vip vips action
  case $1 in
  setup)
    kernel "net.ipv4.conf.$TUNNEL_INTERFACE.arp_ignore=1" "net.ipv4.conf.$TUNNEL_INTERFACE.arp_announce=2"
    tc qdisc replace dev "$TUNNEL_INTERFACE" clsact
    tc filter replace dev "$TUNNEL_INTERFACE" ingress prio 1 handle 1 bpf direct-action object-file "$DECAPSULATE_OBJECT" section tc
    action=replace ;;
  status) tc filter show dev "$TUNNEL_INTERFACE" ingress; return ;;
  teardown) close_tunnels 2>/dev/null || true; action=delete ;; # they may be closed already
  esac
  IFS=, read -ra vips <<<"$VIPS"
  for vip in "${vips[@]}"; do
    case $vip in
    *:*) ip address "$action" "$vip/128" dev lo nodad ;;
    *) ip address "$action" "$vip/32" dev lo ;;
    esac
  done
}

close_tunnels() {
  local device
  if [ "$TUNNELS" = kernel ]; then
    for device in tunl0 sit0 ip6tnl0; do
      [ ! -e "/proc/sys/net/ipv4/conf/$device" ] || ip link set "$device" down
    done
  elif has_links; then
    rm "$REAL_PINS/link-$TUNNEL_INTERFACE"
  else
    tc filter delete dev "$TUNNEL_INTERFACE" ingress prio 1
  fi
}

case ${1:-} in
close-tunnels) close_tunnels; exit ;;
'') addresses_and_routes ;;
esac
if by_l4lb; then real "${@:-setup}"; else by_hand "${1:-setup}"; fi
