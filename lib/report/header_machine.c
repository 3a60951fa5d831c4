// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "header_machine.h"

/* ---- CPU_TOPOLOGY ---- */

/* Appends one line for each string of a list. Returns the number of lines. */
static uint64_t add_siblings(struct buffer *out, struct feature_cursor *cursor, const char *before)
{
	uint64_t count = 0;

	for (uint64_t left = read_number(cursor, 4); left > 0 && is_left(cursor); left--, count++) {
		buffer_text(out, before);
		add_text(out, cursor);
		buffer_char(out, '\n');
	}
	return count;
}

/* The feature has the lists of sockets and threads, two numbers (core, socket) for each CPU, the
 * list of dies, and a third number (die) for each CPU. perf prints the dies before the threads. */
void pk_header_add_cpu_topology(struct buffer *out, struct feature_cursor *cursor, uint64_t cpus)
{
	struct buffer threads = {0};
	struct feature_cursor places, dies;
	uint64_t die_lists;

	add_siblings(out, cursor, "# sibling sockets : ");
	add_siblings(&threads, cursor, "# sibling threads : ");
	places = *cursor;
	if ((uint64_t)(cursor->end - cursor->at) < cpus * 8) {
		cpus = 0;
		cursor->at = cursor->end;
	}
	cursor->at += cpus * 8;
	die_lists = add_siblings(out, cursor, "# sibling dies    : ");
	dies = *cursor;
	buffer_add(out, threads.data, threads.size);
	out->failed |= threads.failed;
	free(threads.data);
	for (uint64_t cpu = 0; cpu < cpus; cpu++) {
		buffer_format(out, "# CPU %llu: Core ID %d, ", (unsigned long long)cpu,
			      (int)read_number(&places, 4));
		if (die_lists)
			buffer_format(out, "Die ID %d, ", (int)read_number(&dies, 4));
		buffer_format(out, "Socket ID %d\n", (int)read_number(&places, 4));
	}
	if (!cpus)
		buffer_format(out, "# Core ID%s Socket ID information is not available\n",
			      die_lists ? ", Die ID and" : " and");
}

/* ---- NUMA_TOPOLOGY, HYBRID_TOPOLOGY, CACHE ---- */

void pk_header_add_numa_topology(struct buffer *out, struct feature_cursor *cursor)
{
	for (uint64_t left = read_number(cursor, 4); left > 0 && is_left(cursor); left--) {
		unsigned int node = (unsigned int)read_number(cursor, 4);
		unsigned long long total = read_number(cursor, 8), free = read_number(cursor, 8);

		buffer_format(out, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node,
			      total, free);
		buffer_format(out, "# node%u cpu list : ", node);
		add_text(out, cursor);
		buffer_char(out, '\n');
	}
}

void pk_header_add_hybrid_topology(struct buffer *out, struct feature_cursor *cursor)
{
	buffer_text(out, "# hybrid cpu system:\n");
	for (uint64_t left = read_number(cursor, 4); left > 0 && is_left(cursor); left--) {
		buffer_text(out, "# ");
		add_text(out, cursor);
		buffer_text(out, " cpu list : ");
		add_text(out, cursor);
		buffer_char(out, '\n');
	}
}

/* Appends the next string, padded with blanks to width bytes. right: the blanks come first. */
static void add_column(struct buffer *out, struct feature_cursor *cursor, size_t width, bool right)
{
	struct buffer text = {0};

	add_text(&text, cursor);
	for (size_t i = text.size; right && i < width; i++)
		buffer_char(out, ' ');
	buffer_add(out, text.data, text.size);
	for (size_t i = text.size; !right && i < width; i++)
		buffer_char(out, ' ');
	out->failed |= text.failed;
	free(text.data);
}

void pk_header_add_caches(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t left;

	read_number(cursor, 4); /* version */
	left = read_number(cursor, 4);
	buffer_text(out, "# CPU cache info:\n");
	for (; left > 0 && is_left(cursor); left--) {
		buffer_format(out, "#  L%u ", (unsigned int)read_number(cursor, 4));
		for (int i = 0; i < 3; i++) /* line size, sets, ways */
			read_number(cursor, 4);
		add_column(out, cursor, 15, false);
		buffer_char(out, ' ');
		add_column(out, cursor, 8, true);
		buffer_text(out, " [");
		add_text(out, cursor);
		buffer_text(out, "]\n");
	}
}

/* ---- MEM_TOPOLOGY ---- */

/* A bitmap in words of 64 bits. */
struct bits {
	struct feature_cursor words;
	uint64_t count;
};

static bool is_set(const struct bits *bits, uint64_t bit)
{
	const uint8_t *word = bits->words.at + bit / 64 * 8;

	return bit < bits->count && bits->words.end - word >= 8 &&
	       pk_load_u64(word) >> bit % 64 & 1;
}

/* As in perf, a unit is used for sizes of at least two such units. */
static void add_size(struct buffer *out, uint64_t size)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	for (; size / 1024 > 1 && unit < 3; unit++)
		size /= 1024;
	buffer_format(out, "%llu%c", (unsigned long long)size, units[unit]);
}

/* "0-23,32-199" */
static void add_ranges(struct buffer *out, const struct bits *bits)
{
	const char *before = "";

	for (uint64_t bit = 0; bit < bits->count; bit++) {
		const uint64_t first = bit;

		if (!is_set(bits, bit))
			continue;
		while (is_set(bits, bit + 1))
			bit++;
		buffer_format(out, "%s%llu", before, (unsigned long long)first);
		if (bit > first)
			buffer_format(out, "-%llu", (unsigned long long)bit);
		before = ",";
	}
}

void pk_header_add_memory_nodes(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t block_size, nodes, set;

	read_number(cursor, 8); /* version */
	block_size = read_number(cursor, 8);
	nodes = read_number(cursor, 8);
	buffer_format(out, "# memory nodes (nr %llu, block size 0x%llx):\n",
		      (unsigned long long)nodes, (unsigned long long)block_size);
	for (; nodes > 0 && is_left(cursor); nodes--) {
		const uint64_t node = read_number(cursor, 8), size = read_number(cursor, 8);
		const uint64_t left = (uint64_t)(cursor->end - cursor->at);
		struct bits bits = {.count = size};

		read_number(cursor, 8); /* size again */
		bits.words = *cursor;
		if (size > left * 8)
			bits.count = left * 8;
		cursor->at += (size_t)(cursor->end - cursor->at) < (bits.count + 63) / 64 * 8
				      ? (size_t)(cursor->end - cursor->at)
				      : (bits.count + 63) / 64 * 8;
		set = 0;
		for (uint64_t bit = 0; bit < bits.count; bit++)
			set += is_set(&bits, bit);
		buffer_format(out, "#  %3llu [", (unsigned long long)node);
		add_size(out, set * block_size);
		buffer_text(out, "]: ");
		add_ranges(out, &bits);
		buffer_char(out, '\n');
	}
}
