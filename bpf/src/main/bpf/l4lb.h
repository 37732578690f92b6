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
#define L4LB_NO_REAL 0xffffffffu    /* a slot that names nobody */

struct address {
	__u8 bytes[16];
};

/* services: hash, service_key -> service */
struct service_key {
	struct address vip;
	__be16 port;
	__u8 protocol; /* IPPROTO_TCP, IPPROTO_UDP */
	__u8 pad;
};

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
	__u32 id;         /* the same for every VIP of one service */
	__u32 table;      /* index into tables */
	__u32 table_size; /* slots of that table, prime */
	__u8 key;         /* enum hash_key */
	/* The connection IDs that its reals choose; all zero unless the key is HASH_KEY_QUIC_CID. */
	__u8 cid_length;       /* octets in all: the first one, the server ID, a nonce */
	__u8 cid_rotation;     /* the upper 3 bits of the first octet, 0 to 6 */
	__u8 server_id_length; /* octets behind the first one, 1 to L4LB_MAX_SERVER_ID_LENGTH */
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

struct real {
	struct address address; /* where the tunnel ends */
	__u32 service;          /* id of its service */
	__u32 flags;
};

/*
 * flows: LRU hash, flow_key -> flow. These 40 bytes are also what the flow hash covers. Of a service
 * whose key is HASH_KEY_3_TUPLE both ports are zero.
 */
struct flow_key {
	struct address source;
	struct address vip;
	__be16 source_port;
	__be16 vip_port;
	__u8 protocol;
	__u8 pad[3];
};

struct flow {
	__u32 real; /* number */
};

/* settings: array of one */
struct settings {
	__u64 seed[2];         /* key of the flow hash (SipHash k0, k1) */
	struct address source4; /* outer source of tunnels to IPv4 reals; all zero: cannot be reached */
	struct address source6; /* outer source of tunnels to IPv6 reals */
	__u8 gateway4[6];       /* MAC of the next hop towards IPv4 reals; all zero: not known yet */
	__u8 gateway6[6];       /* MAC of the next hop towards IPv6 reals */
	__u32 mtu;              /* of the way to the reals: largest outer packet, in bytes from the outer IP header on */
};

/* real_counters: per-CPU array, number of a real -> counter; verdicts: per-CPU array, enum verdict -> counter */
struct counter {
	__u64 packets;
	__u64 bytes; /* of the packets as they came in, Ethernet header included */
};

/* Why the balancer did what it did: the index into verdicts. Only ever append. */
enum verdict {
	VERDICT_PASS_NOT_IP,       /* passed: not IP, or no whole IP header */
	VERDICT_PASS_NO_SERVICE,   /* passed: nobody offers this */
	VERDICT_PASS_FRAGMENT,     /* passed: a fragment, its ports are unknown */
	VERDICT_FORWARD_FLOW,      /* forwarded to the real that the flow table remembers */
	VERDICT_FORWARD_TABLE,     /* forwarded to the real of its slot */
	VERDICT_DROP_MALFORMED,    /* dropped: to a service, but its headers contradict each other */
	VERDICT_DROP_NO_REAL,      /* dropped: the slot names nobody, or the table is missing */
	VERDICT_DROP_TTL,          /* dropped: time to live, or hop limit, is used up */
	VERDICT_DROP_TOO_BIG,      /* dropped: would not fit the MTU once encapsulated */
	VERDICT_DROP_NO_NEXT_HOP,  /* dropped: the gateway's MAC or the outer source is unknown */
	VERDICT_DROP_NO_HEADROOM,  /* dropped: the driver left no room for the outer header */
	VERDICT_FORWARD_SERVER_ID, /* forwarded to the real that the server ID in its connection ID names */
	VERDICT_COUNT,
};

/* probes: hash, mark -> probe_target; read by the tc egress program */
struct probe_target {
	struct address real;    /* where the tunnel ends */
	struct address source4; /* outer source, when the real is IPv4 */
	struct address source6; /* outer source, when the real is IPv6 */
};

_Static_assert(sizeof(struct service_key) == 20, "layout");
_Static_assert(sizeof(struct service) == 16, "layout");
_Static_assert(offsetof(struct service, key) == 12, "layout");
_Static_assert(sizeof(struct server_id_key) == 20, "layout");
_Static_assert(sizeof(struct server_id) == 4, "layout");
_Static_assert(sizeof(struct real) == 24, "layout");
_Static_assert(sizeof(struct flow_key) == 40, "layout");
_Static_assert(sizeof(struct flow) == 4, "layout");
_Static_assert(sizeof(struct settings) == 64, "layout");
_Static_assert(sizeof(struct counter) == 16, "layout");
_Static_assert(sizeof(struct probe_target) == 48, "layout");
_Static_assert(VERDICT_COUNT <= L4LB_MAX_VERDICTS, "room");

#endif
