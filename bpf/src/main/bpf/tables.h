/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The maps by which a packet's real is found, and what was counted of both: of the balancer, and of the marker, which each have
 * their own. The names of maps are part of the contract with the agent, as l4lb.h is.
 */
#ifndef L4LB_TABLES_H
#define L4LB_TABLES_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "l4lb.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, L4LB_MAX_SERVICE_KEYS);
	__type(key, struct service_key);
	__type(value, struct service);
} services SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, L4LB_MAX_SERVICE_KEYS);
	__type(key, struct address);
	__type(value, struct vip);
} vips SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct vip_filter);
} vip_filter SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} service_generation SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1 << L4LB_SERVICE_CACHE_BITS);
	__type(key, __u32);
	__type(value, struct cached_service);
} service_cache SEC(".maps");

/* Only with BPF_F_INNER_MAP may the maps put into `tables` differ in size from this model. */
struct slots {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_INNER_MAP);
	__type(key, __u32);
	__type(value, __u32);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, L4LB_MAX_TABLES);
	__type(key, __u32);
	__array(values, struct slots);
} tables SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, L4LB_MAX_REALS);
	__type(key, __u32);
	__type(value, struct real);
} reals SEC(".maps");

/* Few services have any: memory for those that there are, not for all that there may be. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, L4LB_MAX_SERVER_IDS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct server_id_key);
	__type(value, struct server_id);
} server_ids SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct settings);
} settings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, L4LB_MAX_REALS);
	__type(key, __u32);
	__type(value, struct counter);
} real_counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, L4LB_MAX_SERVICE_VERDICTS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct service_verdict);
	__type(value, struct counter);
} service_verdicts SEC(".maps");

static __always_inline void count(void *counters, __u32 index, __u64 bytes)
{
	struct counter *counter = bpf_map_lookup_elem(counters, &index);

	if (!counter)
		return;
	counter->packets++;
	counter->bytes += bytes;
}

/* Verified apart from its callers. What is forwarded is counted by its real instead. */
__noinline int count_for_service(__u32 service, __u32 verdict, __u64 bytes)
{
	struct service_verdict key = {.service = service, .verdict = verdict};
	struct counter first = {.packets = 1, .bytes = bytes};
	struct counter *counter = bpf_map_lookup_elem(&service_verdicts, &key);

	if (!counter)
		return bpf_map_update_elem(&service_verdicts, &key, &first, BPF_NOEXIST);
	counter->packets++;
	counter->bytes += bytes;
	return 0;
}

#endif
