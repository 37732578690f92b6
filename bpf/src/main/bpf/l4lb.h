/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the programs and the agent share: the layout of every map's key and value.
 *
 * Addresses are 16 bytes in network byte order; an IPv4 address a.b.c.d is stored as the mapped
 * address ::ffff:a.b.c.d (RFC 4291, 2.5.5.2). Ports are in network byte order. All other integers
 * are in the host's byte order. Every structure has explicit padding; padding is zero.
 */
#ifndef L4LB_H
#define L4LB_H

#include <linux/types.h>
#include <stddef.h>

#define L4LB_MAX_SERVICE_KEYS 16384 /* (VIP, protocol, port) triples */
#define L4LB_MAX_TABLES 4096        /* lookup tables, one a service */
#define L4LB_MAX_REALS 65536        /* (service, real) pairs, named by a number */
#define L4LB_MAX_PROBES 65536       /* marks */
#define L4LB_MAX_SERVER_IDS 65536   /* (service, server ID) pairs */
#define L4LB_MAX_SERVER_ID_LENGTH 15
#define L4LB_MAX_VERDICTS 64        /* more than there are: a pinned map of them fits later programs too */
#define L4LB_MAX_EVENTS 16          /* likewise */
#define L4LB_MAX_SERVICE_VERDICTS 16384 /* (service, verdict) pairs that were counted */
#define L4LB_VIP_FILTER_BITS 16     /* the filter has 2 to this power bits */
#define L4LB_SERVICE_CACHE_BITS 11  /* a CPU's cache of services has 2 to this power entries */
#define L4LB_CAPTURE_BYTES 2048     /* of a packet, at most */
#define L4LB_NO_REAL 0xffffffffu    /* a slot that names nobody */

struct address {
	__u8 bytes[16];
};

/*
 * services: hash, service_key -> service. Of what fits a packet the first counts: its VIP, protocol and port;
 * VIP, protocol and port 0, which stands for any port (protocols without ports have only this one); VIP, protocol 0
 * and port 0, which stands for any protocol.
 */
struct service_key {
	struct address vip;
	__be16 port;
	__u8 protocol;
	__u8 pad;
};

/* vips: hash, address -> vip. Every VIP of `services` and no other address; written before its services. */
struct vip {
	__u8 protocols[32]; /* bit protocol % 8 of byte protocol / 8: some service has it. All bits: any protocol */
};

/*
 * vip_filter: array of one. Bit vip_filter_bit(address) % 8 of byte vip_filter_bit(address) / 8 is set for every VIP;
 * where it is not set the address is none, and nothing else is looked up. Written before `vips`.
 */
struct vip_filter {
	__u8 bits[1 << (L4LB_VIP_FILTER_BITS - 3)];
};

/* The four 32-bit words of the address, in the host's byte order as they lie in memory. */
static inline __u32 vip_filter_bit(__u32 word0, __u32 word1, __u32 word2, __u32 word3)
{
	return ((word0 ^ word1 ^ word2 ^ word3) * 0x9e3779b1u) >> (32 - L4LB_VIP_FILTER_BITS);
}

/*
 * The fields that name a flow: what is hashed to find a slot, and the key in flows. A service that was
 * written before there was a choice has zeroes here, which is the 5-tuple.
 */
enum hash_key {
	HASH_KEY_5_TUPLE,  /* source and VIP, their ports, protocol */
	HASH_KEY_3_TUPLE,  /* the same with both ports zero */
	HASH_KEY_QUIC_CID, /* UDP: a server ID in the connection ID names the real; else the 5-tuple */
};

/* Changes as a whole: a packet sees all of the old value or all of the new one. */
struct service {
	__u32 id;         /* of this key of `services` alone, below L4LB_MAX_TABLES */
	__u32 table;      /* index into tables */
	__u32 table_size; /* slots of that table, prime */
	__u8 key;         /* enum hash_key */
	/* The connection IDs that its reals choose; all zero unless the key is HASH_KEY_QUIC_CID. */
	__u8 cid_length;       /* octets in all: the first one, the server ID, a nonce */
	__u8 cid_rotation;     /* the upper 3 bits of the first octet, 0 to 6 */
	__u8 server_id_length; /* octets behind the first one, 1 to L4LB_MAX_SERVER_ID_LENGTH */
};

/*
 * service_generation: array of one __u32: another number after every change of `services`, before anything that they named
 * is given to others. 0: not told, and nothing is looked for in service_cache.
 */

/*
 * service_cache: per-CPU array. What a CPU found in `services` for the VIP, protocol and port of a packet, at the index that
 * they give. It counts while the generation is what it was.
 */
struct cached_service {
	struct service_key key;
	__u32 generation; /* of `services`; 0: nothing yet */
	struct service service;
	__u32 by_port; /* whether it is a service for that port, not for any */
	__u32 fence;   /* orders what is read, and says nothing */
};

/* server_ids: hash, server_id_key -> server_id */
struct server_id_key {
	__u8 length;
	__u8 bytes[L4LB_MAX_SERVER_ID_LENGTH]; /* zero behind the length */
	__u32 service;                         /* id */
};

struct server_id {
	__u32 real; /* number */
};

/*
 * tables: array of maps, table -> array of slots; a slot is the __u32 number of a real, or
 * L4LB_NO_REAL. A new set of slots is a new inner map put in the place of the old one at once.
 * Another size of table is another index, so that (table, table_size) changes at once too.
 */

/* reals: array, number -> real. A number names one (service, address) pair for good. */
#define REAL_ACTIVE 1 /* flows remembered for it may still go to it */
#define REAL_GUE 2    /* its tunnel is generic UDP encapsulation, else IP in IP */

struct real {
	struct address address; /* where the tunnel ends */
	__u32 service;          /* id of its service */
	__u32 flags;
};

/*
 * real_marks: array, number of a real -> __u32, of the marker alone: the mark (SO_MARK) of the packets to it; 0: none. Written
 * before the real becomes active.
 */

/*
 * What the flow hash covers, SipHash-1-3 with the seed: all that names a flow. Of a service whose key is
 * HASH_KEY_3_TUPLE, and of protocols without ports, both ports are zero.
 */
struct flow_key {
	struct address source;
	struct address vip;
	__be16 source_port;
	__be16 vip_port;
	__u8 protocol;
	__u8 pad[3];
};

/* flows: LRU hash, flow_name -> flow. Shorter than flow_key, since the service's id stands for the VIP. */
struct flow_name {
	struct address source;
	__u32 service; /* id << 8 | protocol */
	__be16 source_port;
	__be16 vip_port;
};

/* How long an entry counts after its last packet depends on this. */
enum flow_state {
	FLOW_OTHER,       /* not TCP */
	FLOW_OPENING,     /* TCP: the client's SYN, nothing since */
	FLOW_ESTABLISHED, /* TCP: some other packet */
	FLOW_CLOSING,     /* TCP: the client's FIN or RST */
};

/* A tick is 2^30 ns of CLOCK_MONOTONIC. */
#define L4LB_TICK_SHIFT 30

struct flow {
	__u32 real;    /* number */
	__u32 seen;    /* tick of the last packet */
	__u16 entropy; /* the low bits of the flow hash, by which the outer header varies */
	__u8 state;    /* enum flow_state */
	__u8 pad;
};

/* fragments: LRU hash, fragment_key -> fragment. The first fragment of a packet has the ports, the others follow it. */
struct fragment_key {
	struct address source;
	struct address vip;
	__u32 id;      /* as it lies in the header: 16 bits of IPv4, 32 bits of IPv6 */
	__u8 protocol; /* of IPv6: what the fragment header names */
	__u8 pad[3];
};

struct fragment {
	__u32 real;    /* number */
	__u32 service; /* id */
	__u32 seen;    /* tick of the first fragment */
};

/* What is fixed while a program is loaded: what is off is not even there. Times are ticks; 0: for good. */
struct constants {
	__u8 echo_replies;     /* whether echo requests to a VIP are answered */
	__u8 too_big_answers;  /* whether the sender of a packet that is too big is told */
	__u8 fib;              /* whether the kernel is asked for the next hop of each packet */
	__u8 chain;            /* whether passed packets go to the program in `chain` */
	__u16 mss_clamp;       /* to what the MSS option of a SYN is lowered, 0: not at all */
	__u8 source4_bits;     /* how many low bits of the outer source vary with the flow, up to 16 */
	__u8 source6_bits;
	__u32 new_flows;       /* that a CPU remembers in a tick, 0: no limit */
	__u32 opening_timeout; /* of flows by their state */
	__u32 established_timeout;
	__u32 closing_timeout;
	__u32 other_timeout;
	__u32 fragment_timeout;
	__u32 jiffy;           /* ns; 0: not known, then the clock is asked, which takes longer */
	__u32 pad;
	__u64 jiffies_at_zero; /* what jiffies would have been when CLOCK_MONOTONIC was 0 */
};

/* clocks: array of one; read at one moment */
struct clocks {
	__u64 jiffies;
	__u64 monotonic; /* ns, CLOCK_MONOTONIC */
};

/* The way to the reals of one family. */
struct hop {
	struct address source; /* outer source of tunnels; all zero: cannot be reached */
	__u8 gateway[6];       /* MAC of the next hop; all zero: not known yet. Not used with constants.fib */
	__u8 own[6];           /* MAC of that interface; not used if it is 0 */
	__u32 interface;       /* index of the interface that leads there; 0: the one that a packet came in by */
};

/* settings: array of one. What an IPv4 tunnel needs lies in one cache line. */
struct settings {
	struct hop ipv4;
	__u64 seed[2]; /* key of the flow hash (SipHash k0, k1) */
	__u32 mtu;     /* of the way to the reals: largest outer packet, in bytes from the outer IP header on */
	__u32 capture; /* one packet of so many is copied to `captures`; 0: none */
	__u8 pad[8];
	struct hop ipv6;
};

/*
 * real_counters: per-CPU array, number of a real -> counter; verdicts: per-CPU array, enum verdict -> counter;
 * service_verdicts: per-CPU hash, service_verdict -> counter, of all that is not forwarded.
 */
struct counter {
	__u64 packets;
	__u64 bytes; /* of the packets as they came in, Ethernet header included */
};

struct service_verdict {
	__u32 service; /* id */
	__u32 verdict; /* enum verdict */
};

/* new_flows: per-CPU array of one */
struct new_flows {
	__u32 tick;
	__u32 count; /* remembered in that tick */
};

/* events: per-CPU array, enum event -> __u64. What else is worth counting. Only ever append. */
enum event {
	EVENT_FLOW_ADDED,      /* a flow is remembered that was not */
	EVENT_FLOW_EXPIRED,    /* a remembered flow was found, but its time is over */
	EVENT_FLOW_OVER_LIMIT, /* a flow is not remembered: more than constants.new_flows */
	EVENT_FLOW_REFUSED,    /* a flow is not remembered: no room was found */
	EVENT_CAPTURE_LOST,    /* a packet was not copied: `captures` is full */
	EVENT_COUNT,
};

/* captures: ring buffer of these */
enum capture_stage {
	CAPTURE_BEFORE, /* as it came in; the verdict is not known yet */
	CAPTURE_AFTER,  /* as it leaves, is passed on or is dropped */
};

struct capture {
	__u64 time;      /* ns, CLOCK_MONOTONIC */
	__u64 packet;    /* number that both stages of a packet share */
	__u32 interface; /* index: where it came in */
	__u32 length;    /* bytes of the frame */
	__u32 captured;  /* bytes of it that follow */
	__u8 stage;      /* enum capture_stage */
	__u8 verdict;    /* enum verdict, if after */
	__u8 pad[2];
	__u8 bytes[L4LB_CAPTURE_BYTES];
};

/* Why the balancer did what it did: the index into verdicts. Only ever append. */
enum verdict {
	VERDICT_PASS_NOT_IP,       /* passed: not IP, or no whole IP header */
	VERDICT_PASS_NO_SERVICE,   /* passed: nobody offers this */
	VERDICT_PASS_FRAGMENT,     /* passed: a fragment without ports, no service of its VIP has its protocol */
	VERDICT_FORWARD_FLOW,      /* forwarded to the real that the flow table remembers */
	VERDICT_FORWARD_TABLE,     /* forwarded to the real of its slot */
	VERDICT_DROP_MALFORMED,    /* dropped: to a service, but its headers contradict each other */
	VERDICT_DROP_NO_REAL,      /* dropped: the slot names nobody, or the table is missing */
	VERDICT_DROP_TTL,          /* dropped: time to live, or hop limit, is used up */
	VERDICT_DROP_TOO_BIG,      /* dropped: would not fit the MTU once encapsulated */
	VERDICT_DROP_NO_NEXT_HOP,  /* dropped: the gateway's MAC or the outer source is unknown */
	VERDICT_DROP_NO_HEADROOM,  /* dropped: the driver left no room for the outer header */
	VERDICT_FORWARD_SERVER_ID, /* forwarded to the real that the server ID in its connection ID names */
	VERDICT_FORWARD_FRAGMENT,  /* forwarded to the real of the first fragment */
	VERDICT_DROP_FRAGMENT,     /* dropped: a fragment without ports, its first was not seen */
	VERDICT_ANSWER_ECHO,       /* answered: an echo request to a VIP */
	VERDICT_ANSWER_TOO_BIG,    /* answered: would not fit the MTU once encapsulated, its sender is told */
	VERDICT_ANSWER_PATH_MTU,   /* answered: a router found a tunnel packet too big, the sender of what was in it is told */
	VERDICT_COUNT,
};

/* probes: hash, mark -> probe_target; read by the tc egress program */
struct probe_target {
	struct address real;    /* where the tunnel ends */
	struct address source4; /* outer source, when the real is IPv4 */
	struct address source6; /* outer source, when the real is IPv6 */
	__u32 flags;            /* REAL_GUE */
	__u32 interface;        /* index of the one that leads to the real; 0: where the probe leaves, to the same next hop */
};

_Static_assert(sizeof(struct service_key) == 20, "layout");
_Static_assert(sizeof(struct service) == 16, "layout");
_Static_assert(offsetof(struct service, key) == 12, "layout");
_Static_assert(sizeof(struct server_id_key) == 20, "layout");
_Static_assert(sizeof(struct server_id) == 4, "layout");
_Static_assert(sizeof(struct real) == 24, "layout");
_Static_assert(sizeof(struct flow_key) == 40, "layout");
_Static_assert(sizeof(struct flow_name) == 24, "layout");
_Static_assert(sizeof(struct flow) == 12, "layout");
_Static_assert(sizeof(struct fragment_key) == 40, "layout");
_Static_assert(sizeof(struct fragment) == 12, "layout");
_Static_assert(sizeof(struct constants) == 48, "layout");
_Static_assert(sizeof(struct hop) == 32, "layout");
_Static_assert(sizeof(struct settings) == 96, "layout");
_Static_assert(offsetof(struct settings, ipv6) == 64, "layout");
_Static_assert(sizeof(struct counter) == 16, "layout");
_Static_assert(sizeof(struct capture) == 32 + L4LB_CAPTURE_BYTES, "layout");
_Static_assert(sizeof(struct probe_target) == 56, "layout");
_Static_assert(VERDICT_COUNT <= L4LB_MAX_VERDICTS && EVENT_COUNT <= L4LB_MAX_EVENTS, "room");

#endif
