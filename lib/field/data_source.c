// SPDX-License-Identifier: BSD-2-Clause
#include "data_source.h"

/* ---- Texts ---- */

/* Names of bits, by bit number. */
struct names {
	const char *const *names;
	unsigned int count;
};

#define NAMES(list) (&(const struct names){list, sizeof(list) / sizeof((list)[0])})

/* The bit fields of the value. Each has the number of its first bit, and its size in bits. */
#define PART_OPERATION	  0, 5
#define PART_LEVEL	  5, 14
#define PART_SNOOP	  19, 5
#define PART_LOCK	  24, 2
#define PART_TLB	  26, 7
#define PART_LEVEL_NUMBER 33, 4
#define PART_REMOTE	  37, 1
#define PART_SNOOP_MORE	  38, 2
#define PART_BLOCK	  40, 3
#define PART_HOPS	  43, 3

enum {
	OPERATION_LOAD = 1 << 1,
	OPERATION_STORE = 1 << 2,
	LEVEL_HIT = 1 << 1,
	LEVEL_L3 = 1 << 6,
	LEVEL_REMOTE_CACHE = 3 << 10,
	SNOOP_HITM = 1 << 4,
};

static unsigned int bits_at(uint64_t value, unsigned int at, unsigned int count)
{
	return (unsigned int)(value >> at) & ((1u << count) - 1);
}

/* Appends the names of the bits that are set, separated by " or ". `before` is the number of names
 * that are already in the list. Returns the new number of names. */
static unsigned int add_bits(struct buffer *out, unsigned int bits, const struct names *names,
			     unsigned int before)
{
	for (unsigned int i = 0; i < names->count; i++) {
		if (!(bits >> i & 1))
			continue;
		buffer_text(out, before++ ? " or " : "");
		buffer_text(out, names->names[i]);
	}
	return before;
}

void pk_data_source_operation(struct buffer *out, uint64_t value)
{
	static const char *const names[] = {"N/A", "LOAD", "STORE", "PFETCH", "EXEC"};
	const unsigned int bits = bits_at(value, PART_OPERATION);

	buffer_text(out, bits ? names[__builtin_ctz(bits)] : "No");
}

static const char *hit_or_miss(unsigned int bits)
{
	return bits & 2 ? " hit" : bits & 4 ? " miss" : " ";
}

/* Newer data contains the number of a memory level. Older data contains a bit for each level. */
void pk_data_source_level(struct buffer *out, uint64_t value)
{
	static const char *const bits[] = {"N/A",
					   "HIT",
					   "MISS",
					   "L1",
					   "LFB/MAB",
					   "L2",
					   "L3",
					   "Local RAM",
					   "Remote RAM (1 hop)",
					   "Remote RAM (2 hops)",
					   "Remote Cache (1 hop)",
					   "Remote Cache (2 hops)",
					   "I/O",
					   "Uncached"};
	static const char *const numbers[16] = {
		"",	"L1",	    "L2",  "L3",  "L4",	       "L2 MHB",  "Memory-side Cache",
		"L0",	"Uncached", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM",
		"PMEM", ""};
	static const char *const hops[8] = {"N/A ", "core, same node ", "node, same socket ",
					    "socket, same board ", "board "};
	const unsigned int level = bits_at(value, PART_LEVEL);
	const unsigned int number = bits_at(value, PART_LEVEL_NUMBER);
	const unsigned int distance = bits_at(value, PART_HOPS);

	if (*numbers[number]) {
		buffer_text(out, bits_at(value, PART_REMOTE) ? "Remote " : "");
		buffer_text(out, distance && hops[distance] ? hops[distance] : "");
		buffer_text(out, numbers[number]);
		buffer_text(out, hit_or_miss(level));
	} else if (add_bits(out, level & ~7u, NAMES(bits), 0)) {
		buffer_text(out, hit_or_miss(level));
	} else {
		buffer_text(out, "N/A");
	}
}

void pk_data_source_snoop(struct buffer *out, uint64_t value)
{
	static const char *const bits[] = {"N/A", "None", "Hit", "Miss", "HitM"};
	static const char *const more[] = {"Fwd", "Peer"};
	unsigned int count = add_bits(out, bits_at(value, PART_SNOOP), NAMES(bits), 0);

	if (!add_bits(out, bits_at(value, PART_SNOOP_MORE), NAMES(more), count))
		buffer_text(out, "N/A");
}

void pk_data_source_tlb(struct buffer *out, uint64_t value)
{
	static const char *const names[] = {"N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault"};
	const unsigned int bits = bits_at(value, PART_TLB);

	if (!add_bits(out, bits & ~6u, NAMES(names), 0))
		buffer_text(out, "N/A");
	buffer_text(out, bits & 2 ? " hit" : "");
	buffer_text(out, bits & 4 ? " miss" : "");
}

void pk_data_source_locked(struct buffer *out, uint64_t value)
{
	const unsigned int bits = bits_at(value, PART_LOCK);

	buffer_text(out, bits & 1 ? "N/A" : bits & 2 ? "Yes" : "No");
}

void pk_data_source_blocked(struct buffer *out, uint64_t value)
{
	static const char *const names[] = {"N/A", "Data", "Addr", "Data Addr"};
	const unsigned int bits = bits_at(value, PART_BLOCK);

	buffer_text(out, names[bits & 1 ? 0 : bits >> 1]);
}

void pk_page_size_text(struct buffer *out, uint64_t size)
{
	static const char units[] = {'B', 'K', 'M', 'G', 'T'};
	unsigned int unit = 0;

	while (size > 1024 && unit + 1 < sizeof(units)) {
		size /= 1024;
		unit++;
	}
	if (size)
		buffer_format(out, "%llu%c", (unsigned long long)size, units[unit]);
	else
		buffer_text(out, "N/A");
}

/* ---- Kinds ---- */

unsigned int pk_data_source_kinds(uint64_t value)
{
	const unsigned int level = bits_at(value, PART_LEVEL);
	const bool modified = bits_at(value, PART_SNOOP) & SNOOP_HITM;
	unsigned int kinds = 0;

	if (!(bits_at(value, PART_OPERATION) & OPERATION_LOAD))
		return bits_at(value, PART_OPERATION) & OPERATION_STORE ? DATA_SOURCE_STORE : 0;
	kinds |= DATA_SOURCE_LOAD;
	if (modified && level & LEVEL_HIT && level & LEVEL_L3)
		kinds |= DATA_SOURCE_HITM_LOCAL;
	/* If PART_HOPS is set, perf does not count PART_REMOTE as an access to another node. */
	if (modified && (level & LEVEL_REMOTE_CACHE ||
			 (bits_at(value, PART_REMOTE) && !bits_at(value, PART_HOPS))))
		kinds |= DATA_SOURCE_HITM_REMOTE;
	return kinds;
}
