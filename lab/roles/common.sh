# SPDX-License-Identifier: Apache-2.0
# What every role has in common. Sourced by the role's own script, which runs as root on the host itself, be it a network
# namespace or a virtual machine, and may be run again at any time. The environment says everything (`lab/lab env HOST`):
#   INTERFACES  lines of "name mtu address4/length address6/length"
#   GATEWAY4, GATEWAY6  default gateways; empty on the router
set -euo pipefail

kernel() { # key=value ...: settings under /proc/sys
  sysctl -qw "$@"
}

addresses_and_routes() {
  kernel net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0
  # No duplicate address detection: an address is usable at once, also after the link went down and up.
  kernel net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.all.accept_ra=0
  # Linux takes the IPv6 addresses off an interface that is set down, unlike the IPv4 ones; here a link may flap.
  kernel net.ipv6.conf.all.keep_addr_on_down=1 net.ipv6.conf.default.keep_addr_on_down=1
  ip link set lo up
  local name mtu address4 address6
  while read -r name mtu address4 address6; do
    [ -n "$name" ] || continue
    kernel "net.ipv4.conf.$name.rp_filter=0" "net.ipv6.conf.$name.accept_dad=0"
    ip link set "$name" mtu "$mtu" up
    ip address replace "$address4" dev "$name"
    ip address replace "$address6" dev "$name" nodad
  done <<<"$INTERFACES"
  [ -z "${GATEWAY4:-}" ] || ip route replace default via "$GATEWAY4"
  [ -z "${GATEWAY6:-}" ] || ip -6 route replace default via "$GATEWAY6"
}

# A veth device hands frames on without a checksum (CHECKSUM_PARTIAL); a native XDP program at the other end loses the note
# that it is missing, and the packet dies. So whoever sends into such a device fills checksums in itself.
checksums_in_software() { # interface ...
  local interface
  for interface; do ethtool -K "$interface" tx off >/dev/null; done
}
