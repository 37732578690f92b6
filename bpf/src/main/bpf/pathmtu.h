/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A router between the director and a real may find that a tunnel packet is too big for the next link. Its message
 * comes to the outer source, the director, which can do nothing about it; the sender of the packet inside can, and is
 * told by the VIP in the same words (RFC 2003, 4.1; RFC 2473, 8.1). What is quoted of that packet is quoted again;
 * routers quote enough of a tunnel packet for that (RFC 1812, 4.3.2.3; RFC 4443, 3.2).
 *
 * The message is believed like all ICMP: who could forge it could as well forge one to the sender, who looks whether
 * the quoted packet is one of its own. Its checksum is verified, since what leaves has a new one.
 */
#ifndef L4LB_PATHMTU_H
#define L4LB_PATHMTU_H

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "address.h"
#include "icmp.h"
#include "l4lb.h"
#include "maps.h"
#include "outer.h"
#include "packet.h"
#include "service.h"
#include "toobig.h"

#define BYTES_BEHIND_IP 8 /* the ports, and of TCP the sequence number, by which the sender knows its packet */
#define MAX_MESSAGE_BYTES 2048

/* What every link carries (RFC 791, 3.2; RFC 8200, 5), and below which no sender goes (RFC 1191, 3; RFC 8201, 4). */
#define LEAST_MTU4 68
#define LEAST_MTU6 1280

/* Whether the address is an outer source of ours, of which the last bits vary. */
static __always_inline int is_outer_source(const struct address *address, const struct settings *settings)
{
	int ipv4 = address_is_ipv4(address);
	const struct address *source = ipv4 ? &settings->ipv4.source : &settings->ipv6.source;
	__u32 varying = (1u << (ipv4 ? constants.source4_bits : constants.source6_bits)) - 1;

	return address_word(address, 0) == address_word(source, 0) &&
	       address_word(address, 1) == address_word(source, 1) &&
	       address_word(address, 2) == address_word(source, 2) &&
	       ((address_word(address, 3) ^ address_word(source, 3)) & ~bpf_htonl(varying)) == 0 &&
	       !address_is_zero(source);
}

/*
 * Whether it is ICMP to an outer source of ours and not to a VIP. The filter of VIPs is not asked: that it has the
 * address's bit says nothing.
 */
static __always_inline int is_to_outer_source(const struct packet *packet, const struct settings *settings)
{
	return is_icmp(packet) && is_outer_source(&packet->flow.vip, settings) && !is_vip(&packet->flow.vip);
}

static __always_inline __u32 least_mtu(__u8 protocol)
{
	return protocol == IPPROTO_IPIP ? LEAST_MTU4 : LEAST_MTU6;
}

/* The MTU that the message tells; 0 if it is another message, or no link has such an MTU. */
static __always_inline __u32 told_mtu(struct xdp_md *ctx, const struct packet *packet)
{
	struct icmp *icmp = bytes_at(ctx, packet->transport_at, sizeof(*icmp));
	__u32 mtu;

	if (!icmp)
		return 0;
	mtu = bpf_ntohl(icmp->rest);
	if (packet->inner.protocol == IPPROTO_IPIP) {
		mtu &= 0xffff;
		if (icmp->type != ICMP_DEST_UNREACH || icmp->code != ICMP_FRAG_NEEDED)
			return 0;
	} else if (icmp->type != ICMPV6_PKT_TOOBIG) {
		return 0;
	}
	return mtu < least_mtu(packet->inner.protocol) ? 0 : mtu;
}

/*
 * Length of the outer headers that begin at that offset, or 0 if they are none of ours; the protocol of the packet
 * behind them is put into `protocol`.
 */
static __always_inline __u32 read_outer(struct xdp_md *ctx, const struct packet *packet, __u32 at, __u8 *protocol)
{
	__u32 length = packet->inner.protocol == IPPROTO_IPIP ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	struct ipv6hdr *ipv6;
	struct udphdr *udp;
	struct iphdr *ipv4;

	if (packet->inner.protocol == IPPROTO_IPIP) {
		ipv4 = bytes_at(ctx, at, sizeof(*ipv4));
		if (!ipv4 || ipv4->version != 4 || ipv4->ihl * 4 != sizeof(*ipv4) || ipv4_is_fragment(ipv4) ||
		    ipv4->saddr != address_to_ipv4(&packet->flow.vip))
			return 0;
		*protocol = ipv4->protocol;
	} else {
		ipv6 = bytes_at(ctx, at, sizeof(*ipv6));
		if (!ipv6 || ipv6->version != 6 ||
		    !address_equal((const struct address *)&ipv6->saddr, &packet->flow.vip))
			return 0;
		*protocol = ipv6->nexthdr;
	}
	if (*protocol != IPPROTO_UDP)
		return length;
	udp = bytes_at(ctx, at + length, sizeof(*udp) + 1);
	if (!udp || udp->dest != bpf_htons(GUE_PORT))
		return 0;
	*protocol = *(__u8 *)(udp + 1) >> 4 == 6 ? IPPROTO_IPV6 : IPPROTO_IPIP;
	return length + sizeof(*udp);
}

/*
 * Reads the packet that was in the tunnel, of which there is a part up to `end`: its sender becomes the packet's
 * source, its VIP the VIP, and inner.length its length. Whether it is of a VIP and its sender can be told: like
 * may_be_told(), but also of a packet that routers may cut, since its tunnel packet is none.
 */
static __always_inline int read_tunnelled(struct xdp_md *ctx, struct packet *packet, __u32 at, __u32 end, __u8 protocol)
{
	__u32 header = sizeof(struct ipv6hdr);
	struct ipv6hdr *ipv6;
	struct iphdr *ipv4;
	__u8 *type;

	packet->inner.protocol = protocol;
	if (protocol == IPPROTO_IPIP) {
		ipv4 = bytes_at(ctx, at, sizeof(*ipv4));
		if (!ipv4 || ipv4->version != 4 || ipv4->ihl < 5 ||
		    (ipv4->frag_off & bpf_htons(IPV4_OFFSET_MASK)))
			return 0;
		header = ipv4->ihl * 4;
		packet->inner.length = bpf_ntohs(ipv4->tot_len);
		packet->flow.protocol = ipv4->protocol;
		address_from_ipv4(&packet->flow.source, ipv4->saddr);
		address_from_ipv4(&packet->flow.vip, ipv4->daddr);
	} else if (protocol == IPPROTO_IPV6) {
		ipv6 = bytes_at(ctx, at, sizeof(*ipv6));
		if (!ipv6 || ipv6->version != 6)
			return 0;
		packet->inner.length = bpf_ntohs(ipv6->payload_len) + sizeof(*ipv6);
		packet->flow.protocol = ipv6->nexthdr;
		address_from_ipv6(&packet->flow.source, &ipv6->saddr);
		address_from_ipv6(&packet->flow.vip, &ipv6->daddr);
		if (address_is_ipv4(&packet->flow.source) || address_is_ipv4(&packet->flow.vip))
			return 0;
	} else {
		return 0;
	}
	type = bytes_at(ctx, at + header, sizeof(*type));
	if (!type || at + header + BYTES_BEHIND_IP > end || (is_icmp(packet) && is_icmp_error(packet, *type)))
		return 0;
	return can_be_answered(&packet->flow.source) && is_vip(&packet->flow.vip);
}

/* Makes the frame an answer that quotes what is between the two offsets. */
static __always_inline int tell_sender(struct xdp_md *ctx, const struct packet *packet, __u32 at, __u32 end, __u32 mtu)
{
	struct ethhdr *ethernet = bytes_at(ctx, 0, sizeof(*ethernet));
	int is_ipv4 = packet->inner.protocol == IPPROTO_IPIP;
	__u32 headers = is_ipv4 ? ERROR4_HEADERS : ERROR6_HEADERS;
	__u32 most = is_ipv4 ? QUOTE4_BYTES : QUOTE6_BYTES;
	__u32 quoted = end - at < most ? end - at : most;
	struct ethhdr asking;

	if (!ethernet)
		return 0;
	asking = *ethernet;
	/* The outer headers and the router's are never shorter than those of the answer. */
	if (bpf_xdp_adjust_head(ctx, (int)at - (int)(packet->ip_at + headers)) ||
	    bpf_xdp_adjust_tail(ctx, (int)(packet->ip_at + headers + quoted) - (int)frame_length(ctx)) ||
	    !write_link(ctx, packet, &asking))
		return 0;
	return is_ipv4 ? write_error4(ctx, packet, quoted, mtu) : write_error6(ctx, packet, quoted, mtu);
}

/* The packet is an ICMP message to an outer source of ours. What is passed is untouched. */
__noinline int relay_too_big(struct xdp_md *ctx, struct packet *packet)
{
	__u32 mtu, at, outer, end;
	int is_ipv4;
	__u8 protocol;

	if (!packet || packet->inner.length > packet->available)
		return VERDICT_PASS_NO_SERVICE;
	is_ipv4 = packet->inner.protocol == IPPROTO_IPIP;
	end = packet->ip_at + packet->inner.length;
	mtu = told_mtu(ctx, packet);
	outer = read_outer(ctx, packet, packet->transport_at + sizeof(struct icmp), &protocol);
	at = packet->transport_at + sizeof(struct icmp) + outer;
	if (!mtu || !outer || !read_tunnelled(ctx, packet, at, end, protocol))
		return VERDICT_PASS_NO_SERVICE;
	mtu = mtu - outer < least_mtu(protocol) ? least_mtu(protocol) : mtu - outer;
	if (packet->inner.length <= mtu || end - packet->transport_at > MAX_MESSAGE_BYTES ||
	    sum_message(ctx, packet->transport_at, end - packet->transport_at, is_ipv4) != 0xffff)
		return VERDICT_PASS_NO_SERVICE;
	return tell_sender(ctx, packet, at, end, mtu) ? VERDICT_ANSWER_PATH_MTU : VERDICT_DROP_NO_HEADROOM;
}

#endif
