// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Lets BPF_PROG_TEST_RUN time an XDP program that changes its packet: between repeats the kernel gives a program
 * what it left behind, so that the second run of a program that encapsulates would see a tunnel packet.
 *
 * The program to be timed is called by a tail call from a subprogram, and so returns to here (x86-64: Linux 5.10,
 * arm64: 6.0). Then what it put in front is taken off and the first bytes are written anew.
 */
#include <linux/bpf.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define VERDICTS 8
#define RESTORED_WORDS 4   /* Ethernet header, TTL and checksum or hop limit: all that a forwarded packet loses */
#define PORTS_A_SOURCE 14  /* 2 to the power of it, from 1024 on */
#define FIRST_PORT 1024

/* Written before a run and read after it; PacketWrapper has the offsets. */
struct run {
	__u32 length;        /* of the packet, in bytes */
	__u32 flows;         /* a power of two; 1: the packet is always the same */
	__u32 next;          /* number of the next packet's flow */
	__u32 source;        /* flow 0's source address, or its last 32 bits, in the host's byte order */
	__u32 source_offset; /* of these bits in the packet, in bytes */
	__u32 port_offset;   /* of the source port */
	__u64 returned[VERDICTS];
	__u64 restored[RESTORED_WORDS]; /* how the packet begins */
};

struct run run;

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} timed SEC(".maps");

static __attribute__((noinline)) int call_timed(struct xdp_md *ctx)
{
	int verdict = XDP_ABORTED; /* nothing is there to be called */

	bpf_tail_call(ctx, &timed, 0);
	/* Without this the compiler knows what is returned, and makes the call a part of its caller. */
	asm volatile("" : "+r"(verdict));
	return verdict;
}

/* Two fields change and no checksum: that of a balancer's way is not looked at by anybody. */
static __always_inline void next_flow(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;
	__u32 flow = run.next++ & (run.flows - 1);
	__u32 *source = data + (run.source_offset & 63);
	__u16 *port = data + (run.port_offset & 63);

	if ((void *)(source + 1) <= end)
		*source = bpf_htonl(run.source + (flow >> PORTS_A_SOURCE));
	if ((void *)(port + 1) <= end)
		*port = bpf_htons(FIRST_PORT + (flow & ((1 << PORTS_A_SOURCE) - 1)));
}

SEC("xdp")
int wrapper(struct xdp_md *ctx)
{
	__u64 *words;
	int verdict, grown;

	if (run.flows > 1)
		next_flow(ctx);
	verdict = call_timed(ctx);
	run.returned[verdict & (VERDICTS - 1)]++;
	grown = (int)((long)ctx->data_end - (long)ctx->data) - (int)run.length;
	if (grown && bpf_xdp_adjust_head(ctx, grown))
		return XDP_ABORTED;
	words = (void *)(long)ctx->data;
	if ((void *)(words + RESTORED_WORDS) > (void *)(long)ctx->data_end)
		return XDP_ABORTED;
	words[0] = run.restored[0];
	words[1] = run.restored[1];
	words[2] = run.restored[2];
	words[3] = run.restored[3];
	return verdict;
}

char _license[] SEC("license") = "Dual BSD/GPL";
