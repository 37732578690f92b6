/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the balancer reads from a packet, and whether its headers agree with each other. */
#ifndef L4LB_PACKET_H
#define L4LB_PACKET_H

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "outer.h"
#include "parse.h"

/* No verdict yet: the next step decides. */
#define UNDECIDED VERDICT_COUNT

#define MAX_TAGS 2
#define TAG_BYTES 4
#define MAX_IP_AT (ETH_HLEN + MAX_TAGS * TAG_BYTES)
#define MAX_EXTENSION_HEADERS 8
#define EXTENSION_UNIT 8

#define PACKET_FRAGMENT 0x01    /* a part of a packet */
#define PACKET_LATER 0x02       /* a part that is not the first: no transport header */
#define PACKET_INCOMPLETE 0x04  /* its extension headers are cut off, or too many */
#define PACKET_ROUTED 0x08      /* a routing header leads it further */
#define PACKET_WHOLE_ONLY 0x10  /* nobody may cut it into fragments */
#define PACKET_WITHOUT_PORTS 0x20 /* the frame ends before its ports */
#define PACKET_ICMP_ERROR 0x40  /* an error message, which must not be answered by another */
#define PACKET_QUOTES 0x80      /* an error about a packet of the flow that is named here, reversed */
#define PACKET_MALFORMED 0x100  /* its IP header contradicts itself or the frame, or has a mapped source */

struct packet {
	struct flow_key flow;
	struct inner inner;
	__u32 available;   /* bytes of the frame from the IP header on */
	__u32 payload;     /* bytes behind the UDP header, by its own length */
	__u32 fragment_id; /* as it lies in the header */
	__be32 tags[MAX_TAGS];
	__u16 ip_at;        /* offset of the IP header: 14, 18 or 22 */
	__u16 transport_at; /* offset of what follows its options or extension headers */
	__u16 flags; /* PACKET_ */
	__u8 fragment_protocol;
	__u8 ttl;        /* or hop limit */
	__u8 tcp;        /* TCP_ */
	__u8 pad[3];
	__u32 service;   /* id + 1 of its service, or 0 */
	__u32 interface; /* where it leaves, once it is on its way; 0: where it came in */
};

#define TCP_STARTS 1 /* SYN without ACK */
#define TCP_ENDS 2   /* FIN or RST */

static __always_inline int is_extension_header(__u8 protocol)
{
	return protocol == IPPROTO_HOPOPTS || protocol == IPPROTO_ROUTING ||
	       protocol == IPPROTO_FRAGMENT || protocol == IPPROTO_DSTOPTS;
}

/* Where there are none, both stay zero. */
static __always_inline void read_ports(context *ctx, struct packet *packet)
{
	struct ports *ports;

	if ((packet->flags & (PACKET_LATER | PACKET_INCOMPLETE)) || !has_ports(packet->flow.protocol))
		return;
	ports = bytes_at(ctx, packet->transport_at, sizeof(*ports));
	if (!ports) {
		packet->flags |= PACKET_WITHOUT_PORTS;
		return;
	}
	packet->flow.source_port = ports->source;
	packet->flow.vip_port = ports->destination;
}

/* What hop-by-hop options, routing, fragment and destination options headers begin with. */
struct extension_header {
	__u8 next;
	__u8 units; /* of 8 bytes, behind the first; not in a fragment header */
	__be16 offset;
	__u32 id;
};

/*
 * Follows the chain from transport_at on, where a header of the kind flow.protocol is. Its end and the
 * protocol there become the packet's. At most MAX_EXTENSION_HEADERS, whole within `end`, an offset.
 */
static __always_inline void follow_extension_headers(context *ctx, struct packet *packet, __u32 end)
{
	struct extension_header header;
	__u32 at = packet->transport_at;
	__u8 protocol = packet->flow.protocol;

	packet->flags |= PACKET_INCOMPLETE;
	for (int i = 0; i <= MAX_EXTENSION_HEADERS; i++) {
		__u32 length;

		if ((packet->flags & PACKET_LATER) || !is_extension_header(protocol)) {
			packet->flags &= ~PACKET_INCOMPLETE;
			break;
		}
		if (i == MAX_EXTENSION_HEADERS || at + sizeof(header) > end ||
		    load_bytes(ctx, at, &header, sizeof(header)))
			break;
		length = protocol == IPPROTO_FRAGMENT ? EXTENSION_UNIT : (header.units + 1) * EXTENSION_UNIT;
		if (at + length > end)
			break;
		if (protocol == IPPROTO_FRAGMENT && (header.offset & bpf_htons(0xfff9))) {
			packet->flags &= ~PACKET_LATER;
			packet->flags |= PACKET_FRAGMENT;
			if (header.offset & bpf_htons(0xfff8))
				packet->flags |= PACKET_LATER;
			packet->fragment_id = header.id;
			packet->fragment_protocol = header.next;
		}
		if (protocol == IPPROTO_ROUTING)
			packet->flags |= PACKET_ROUTED;
		protocol = header.next;
		at += length;
	}
	packet->flow.protocol = protocol;
	packet->transport_at = at;
}

/* Verified apart from its callers. */
__noinline int read_extension_headers(context *ctx, struct packet *packet)
{
	if (!packet)
		return 0;
	follow_extension_headers(ctx, packet, frame_length(ctx));
	read_ports(ctx, packet);
	return 0;
}

/*
 * Finds the IP header behind up to two VLAN tags (IEEE 802.1Q, 802.1ad). Returns the type behind them, or 0
 * if the frame ends before.
 */
__noinline int read_tags(context *ctx, struct packet *packet)
{
	struct {
		__be16 type;
		__be16 tag;
	} link;
	__u16 at = ETH_HLEN;

	if (!packet)
		return 0;
	for (int i = 0; i <= MAX_TAGS; i++) {
		if (load_bytes(ctx, at - sizeof(link.type), &link.type, sizeof(link.type)))
			return 0;
		if (i == MAX_TAGS ||
		    (link.type != bpf_htons(ETH_P_8021Q) && link.type != bpf_htons(ETH_P_8021AD)))
			break;
		if (load_bytes(ctx, at - sizeof(link.type), &link, sizeof(link)))
			return 0;
		__builtin_memcpy(&packet->tags[i], &link, sizeof(link));
		at += TAG_BYTES;
	}
	packet->ip_at = at;
	return link.type;
}

static __always_inline enum verdict read_ipv4(context *ctx, struct packet *packet)
{
	struct iphdr *ip = bytes_at(ctx, packet->ip_at, sizeof(*ip));
	__u32 header;

	if (!ip || ip->version != 4 || ip->ihl < 5)
		return VERDICT_PASS_NOT_IP;
	header = ip->ihl * 4;
	packet->available = frame_length(ctx) - packet->ip_at;
	if (header > packet->available)
		return VERDICT_PASS_NOT_IP;
	packet->inner.length = bpf_ntohs(ip->tot_len);
	packet->inner.protocol = IPPROTO_IPIP;
	packet->inner.traffic_class = ip->tos;
	packet->transport_at = packet->ip_at + header;
	packet->ttl = ip->ttl;
	packet->flow.protocol = ip->protocol;
	address_from_ipv4(&packet->flow.source, ip->saddr);
	address_from_ipv4(&packet->flow.vip, ip->daddr);
	if (ip->frag_off & bpf_htons(IPV4_DO_NOT_FRAGMENT))
		packet->flags |= PACKET_WHOLE_ONLY;
	if (ipv4_is_fragment(ip)) {
		packet->flags |= PACKET_FRAGMENT;
		if (ip->frag_off & bpf_htons(IPV4_OFFSET_MASK))
			packet->flags |= PACKET_LATER;
		packet->fragment_id = ip->id;
		packet->fragment_protocol = ip->protocol;
	}
	return UNDECIDED;
}

static __always_inline enum verdict read_ipv6(context *ctx, struct packet *packet)
{
	struct ipv6hdr *ip = bytes_at(ctx, packet->ip_at, sizeof(*ip));

	if (!ip || ip->version != 6)
		return VERDICT_PASS_NOT_IP;
	address_from_ipv6(&packet->flow.source, &ip->saddr);
	address_from_ipv6(&packet->flow.vip, &ip->daddr);
	/* Would be taken for the IPv4 VIP that is stored so; no packet on the wire may have such an address. */
	if (address_is_ipv4(&packet->flow.vip))
		return VERDICT_PASS_NO_SERVICE;
	packet->available = frame_length(ctx) - packet->ip_at;
	packet->inner.length = bpf_ntohs(ip->payload_len) + sizeof(*ip);
	packet->inner.protocol = IPPROTO_IPV6;
	packet->inner.traffic_class = ipv6_traffic_class(ip);
	packet->transport_at = packet->ip_at + sizeof(*ip);
	packet->ttl = ip->hop_limit;
	packet->flow.protocol = ip->nexthdr;
	packet->flags |= PACKET_WHOLE_ONLY;
	return UNDECIDED;
}

/*
 * The IP header. Nothing is judged yet, the packet may be none of ours; nor are extension headers and ports
 * read, see read_transport().
 */
static __always_inline enum verdict read_ip(context *ctx, struct packet *packet)
{
	struct ethhdr *ethernet = bytes_at(ctx, 0, sizeof(*ethernet));
	__u16 type;

	if (!ethernet)
		return VERDICT_PASS_NOT_IP;
	packet->ip_at = sizeof(*ethernet);
	type = ethernet->h_proto;
	if (type == bpf_htons(ETH_P_8021Q) || type == bpf_htons(ETH_P_8021AD))
		type = read_tags(ctx, packet);
	if (type == bpf_htons(ETH_P_IP))
		return read_ipv4(ctx, packet);
	if (type == bpf_htons(ETH_P_IPV6))
		return read_ipv6(ctx, packet);
	return VERDICT_PASS_NOT_IP;
}

/* The protocol, where its header begins, and its ports. */
static __always_inline void read_transport(context *ctx, struct packet *packet)
{
	if (packet->inner.protocol == IPPROTO_IPV6 && is_extension_header(packet->flow.protocol))
		read_extension_headers(ctx, packet);
	else
		read_ports(ctx, packet);
}

/* Bytes that the IP header leaves to the transport protocol. */
static __always_inline int transport_length(const struct packet *packet)
{
	return (int)packet->inner.length - (packet->transport_at - packet->ip_at);
}

static __always_inline void judge_ip(struct packet *packet)
{
	if ((packet->inner.protocol == IPPROTO_IPV6 && address_is_ipv4(&packet->flow.source)) ||
	    (packet->flags & PACKET_INCOMPLETE) || packet->inner.length > packet->available ||
	    transport_length(packet) < 0)
		packet->flags |= PACKET_MALFORMED;
}

static __always_inline int tcp_is_malformed(context *ctx, struct packet *packet)
{
	struct tcphdr *tcp = bytes_at(ctx, packet->transport_at, sizeof(*tcp));
	int length = transport_length(packet);

	if (!tcp || length < (int)sizeof(*tcp))
		return 1;
	if (tcp->syn && !tcp->ack)
		packet->tcp = TCP_STARTS;
	else if (tcp->fin || tcp->rst)
		packet->tcp = TCP_ENDS;
	return tcp->doff < 5 || tcp->doff * 4 > length;
}

/* The first fragment of a datagram gives the length of all of it. */
static __always_inline int udp_is_malformed(context *ctx, struct packet *packet)
{
	struct udphdr *udp = bytes_at(ctx, packet->transport_at, sizeof(*udp));
	int length = transport_length(packet);
	int said;

	if (!udp || length < (int)sizeof(*udp))
		return 1;
	said = bpf_ntohs(udp->len);
	if (said < (int)sizeof(*udp))
		return 1;
	if (said > length) {
		if (!(packet->flags & PACKET_FRAGMENT))
			return 1;
		said = length;
	}
	packet->payload = said - sizeof(*udp);
	return 0;
}

/* Of a packet with a transport header, or of a protocol without a known one. */
static __always_inline int transport_is_malformed(context *ctx, struct packet *packet)
{
	switch (packet->flow.protocol) {
	case IPPROTO_TCP:
		return tcp_is_malformed(ctx, packet);
	case IPPROTO_UDP:
		return udp_is_malformed(ctx, packet);
	case IPPROTO_UDPLITE:
		return transport_length(packet) < (int)sizeof(struct udphdr);
	case IPPROTO_SCTP: /* the common header, RFC 9260, 3.1 */
	case IPPROTO_DCCP: /* the shortest header, RFC 4340, 5.1 */
		return transport_length(packet) < 12;
	default:
		return 0;
	}
}

/*
 * Whether an answer may be sent to that address: it names one host (RFC 1122, 3.2.2; RFC 4443, 2.4 (e)).
 * IPv4: not 0.0.0.0, 127/8, 224/4, 240/4. IPv6: not ::, ::1, ff00::/8.
 */
static __always_inline int can_be_answered(const struct address *source)
{
	__u32 last = address_word(source, 3);

	if (address_is_ipv4(source))
		return last && (last & bpf_htonl(0xff000000)) != bpf_htonl(0x7f000000) &&
		       (last & bpf_htonl(0xe0000000)) != bpf_htonl(0xe0000000);
	if (source->bytes[0] == 0xff)
		return 0;
	return (address_word(source, 0) | address_word(source, 1) | address_word(source, 2)) ||
	       (last & ~bpf_htonl(1));
}

#endif
