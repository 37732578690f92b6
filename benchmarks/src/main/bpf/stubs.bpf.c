// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The floors: what it costs to be called by the wrapper at all, and the least that a balancer can do. */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>

#include <bpf/bpf_helpers.h>

SEC("xdp")
int passing(struct xdp_md *ctx)
{
	(void)ctx;
	return XDP_PASS;
}

/* Room for an IPv4 header in front, and some bytes written over it and over the Ethernet header before it. */
SEC("xdp")
int encapsulating(struct xdp_md *ctx)
{
	const int bytes = sizeof(struct ethhdr) + sizeof(struct iphdr);
	__u64 *words;
	__u16 *last;

	if (bpf_xdp_adjust_head(ctx, -(int)sizeof(struct iphdr)))
		return XDP_DROP;
	words = (void *)(long)ctx->data;
	if ((void *)words + bytes > (void *)(long)ctx->data_end)
		return XDP_DROP;
	words[0] = 1;
	words[1] = 2;
	words[2] = 3;
	words[3] = 4;
	last = (void *)(words + 4);
	*last = 5;
	return XDP_TX;
}

char _license[] SEC("license") = "Dual BSD/GPL";
