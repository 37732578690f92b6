// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * tc ingress on a director that forwards by IPVS: a packet to a service whose scheduler the kernel lacks gets the mark of its
 * real, by the same tables as the balancer has. An IPVS service for each mark takes it from there, and remembers the flow:
 * an entry of its connection table wins over any mark, so this program need not remember anything.
 *
 * It drops nothing and changes nothing but the mark, and that only where it has found a real. Headers that contradict each
 * other are left to the kernel, which looks at them before IPVS does. So are later fragments: IPVS sees the packet
 * once it is whole again, with the mark of its first fragment.
 */
#define L4LB_TC

#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#include "icmp.h"
#include "l4lb.h"
#include "packet.h"
#include "real.h"
#include "service.h"
#include "tables.h"

#define MAX_IP_HEADER sizeof(struct ipv6hdr)
#define MAX_ICMP_ERROR 1280       /* RFC 4443, 2.4 (c) */
#define MAX_QUIC_START (6 + 20)   /* long header up to the length of the connection ID, and the longest of these */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, L4LB_MAX_REALS);
	__type(key, __u32);
	__type(value, __u32);
} real_marks SEC(".maps");

/* Sees to it that bytes_at() finds the first so many bytes, below 32 KiB, as far as the frame has them. */
static __always_inline void pull(struct __sk_buff *skb, __u32 bytes)
{
	__u32 length = skb->len;

	if (!bytes_at(skb, 0, bytes & 0x7fff) && length)
		bpf_skb_pull_data(skb, bytes < length ? bytes : length);
}

static __always_inline void read_packet(struct __sk_buff *skb, struct packet *packet)
{
	read_transport(skb, packet);
	if (packet->flags & PACKET_WITHOUT_PORTS) {
		packet->flags &= ~PACKET_WITHOUT_PORTS;
		pull(skb, packet->transport_at + sizeof(struct ports));
		read_ports(skb, packet);
	}
}

/* Whether it is an error about a packet that came from its VIP; then it gets that one's flow. IPVS schedules no other ICMP. */
static __always_inline int read_icmp(struct __sk_buff *skb, struct packet *packet)
{
	struct icmp *icmp;

	pull(skb, MAX_ICMP_ERROR);
	icmp = bytes_at(skb, packet->transport_at, sizeof(*icmp));
	return icmp && reports_loss(packet, icmp->type) && read_quoted(skb, packet);
}

/* Whether there is one. Of an error that quotes a QUIC packet the 5-tuple decides, as in the balancer. */
static __always_inline int choose(struct __sk_buff *skb, struct packet *packet, const struct service *service,
				  struct choice *choice)
{
	__u32 zero = 0;
	struct settings *own = bpf_map_lookup_elem(&settings, &zero);

	if (!own)
		return 0;
	if (service->key == HASH_KEY_3_TUPLE) {
		packet->flow.source_port = 0;
		packet->flow.vip_port = 0;
	} else if (service->key == HASH_KEY_QUIC_CID && packet->flow.protocol == IPPROTO_UDP &&
		   !(packet->flags & PACKET_QUOTES)) {
		pull(skb, packet->transport_at + sizeof(struct udphdr) + MAX_QUIC_START);
		if (!udp_is_malformed(skb, packet) && names_real(skb, packet, service, choice))
			return 1;
	}
	return use_real(slot_of(&packet->flow, service, own, choice), service->id, choice);
}

/* The service of a packet whose ports are known, or do not matter to it; NULL: there is none. */
static __always_inline struct service *identify(struct __sk_buff *skb, struct packet *packet)
{
	struct service *found;
	__u32 by_port = 0;

	if (is_icmp(packet) && !read_icmp(skb, packet))
		return NULL;
	if ((packet->flags & (PACKET_INCOMPLETE | PACKET_WITHOUT_PORTS)) ||
	    (packet->flags & (PACKET_LATER | PACKET_QUOTES)) == PACKET_LATER)
		return NULL;
	found = find_service(packet, &by_port);
	if (found && (packet->flags & PACKET_LATER) && found->key != HASH_KEY_3_TUPLE)
		return NULL;
	return found;
}

static __always_inline void mark(struct __sk_buff *skb, struct packet *packet)
{
	struct choice choice = {};
	struct service *found, service;
	__u32 *mark;

	read_packet(skb, packet);
	found = identify(skb, packet);
	if (!found)
		return;
	service = *found;
	mark = choose(skb, packet, &service, &choice) ? bpf_map_lookup_elem(&real_marks, &choice.number) : NULL;
	if (!mark || !*mark) {
		count_for_service(service.id, VERDICT_DROP_NO_REAL, skb->len);
		return;
	}
	skb->mark = *mark;
	count(&real_counters, choice.number, skb->len);
}

SEC("tc")
int marker(struct __sk_buff *skb)
{
	struct packet packet = {};

	pull(skb, MAX_IP_AT + MAX_IP_HEADER);
	if (read_ip(skb, &packet) == UNDECIDED && may_be_vip(&packet.flow.vip))
		mark(skb, &packet);
	return TC_ACT_UNSPEC;
}

char _license[] SEC("license") = "Dual BSD/GPL";
