/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The maps that the balancer alone has: what it remembers, what it counts. */
#ifndef L4LB_MAPS_H
#define L4LB_MAPS_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "l4lb.h"
#include "tables.h"

/* The agent may choose other numbers before it loads, and a flow table whose CPUs share one list of old entries. */
#define DEFAULT_FLOWS 1048576
#define DEFAULT_FRAGMENTS 65536
#define CAPTURE_RING_BYTES (1 << 22)

/* One table, so that every CPU finds every flow; what is forgotten first is a matter of each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, DEFAULT_FLOWS);
	__uint(map_flags, BPF_F_NO_COMMON_LRU);
	__type(key, struct flow_name);
	__type(value, struct flow);
} flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, DEFAULT_FRAGMENTS);
	__type(key, struct fragment_key);
	__type(value, struct fragment);
} fragments SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct new_flows);
} new_flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, L4LB_MAX_VERDICTS);
	__type(key, __u32);
	__type(value, struct counter);
} verdicts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, L4LB_MAX_EVENTS);
	__type(key, __u32);
	__type(value, __u64);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, CAPTURE_RING_BYTES);
} captures SEC(".maps");

/* The program that was on the interface before, if the agent was told to keep it. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} chain SEC(".maps");

/* The agent writes it before it loads; then it is read-only, and the verifier removes what is off. */
const volatile struct constants constants SEC(".rodata.constants") = {
	.echo_replies = 1,
	.too_big_answers = 1,
};

static __always_inline void count_event(enum event event)
{
	__u32 index = event;
	__u64 *counter = bpf_map_lookup_elem(&events, &index);

	if (counter)
		++*counter;
}

#endif
