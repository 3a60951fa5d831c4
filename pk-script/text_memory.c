// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "text.h"

/* Fields of a sample about memory. */

/* ---- PERF_SAMPLE_DATA_SRC ---- */

/* Names of bits, by bit number. */
struct names {
	const char *const *names;
	unsigned int count;
};

#define NAMES(list) (&(const struct names){list, sizeof(list) / sizeof((list)[0])})

static unsigned int bits_at(uint64_t value, unsigned int at, unsigned int count)
{
	return (unsigned int)(value >> at) & ((1u << count) - 1);
}

/* Appends the names of the bits that are set, separated by " or ". before: the number of names that
 * were appended before. Returns the new number. */
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

static void add_operation(struct buffer *out, unsigned int bits)
{
	static const char *const names[] = {"N/A", "LOAD", "STORE", "PFETCH", "EXEC"};

	buffer_text(out, bits ? names[__builtin_ctz(bits)] : "No");
}

static const char *hit_or_miss(unsigned int bits)
{
	return bits & 2 ? " hit" : bits & 4 ? " miss" : " ";
}

/* Newer data contains the number of a memory level. Older data contains a bit for each level. */
static void add_level(struct buffer *out, uint64_t value)
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
	unsigned int level = bits_at(value, 5, 14), number = bits_at(value, 33, 4);
	unsigned int distance = bits_at(value, 43, 3);

	if (*numbers[number]) {
		buffer_text(out, bits_at(value, 37, 1) ? "Remote " : "");
		buffer_text(out, distance && hops[distance] ? hops[distance] : "");
		buffer_text(out, numbers[number]);
		buffer_text(out, hit_or_miss(level));
	} else if (add_bits(out, level & ~7u, NAMES(bits), 0)) {
		buffer_text(out, hit_or_miss(level));
	} else {
		buffer_text(out, "N/A");
	}
}

static void add_snoop(struct buffer *out, uint64_t value)
{
	static const char *const bits[] = {"N/A", "None", "Hit", "Miss", "HitM"};
	static const char *const more[] = {"Fwd", "Peer"};
	unsigned int count = add_bits(out, bits_at(value, 19, 5), NAMES(bits), 0);

	if (!add_bits(out, bits_at(value, 38, 2), NAMES(more), count))
		buffer_text(out, "N/A");
}

static void add_tlb(struct buffer *out, unsigned int bits)
{
	static const char *const names[] = {"N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault"};

	if (!add_bits(out, bits & ~6u, NAMES(names), 0))
		buffer_text(out, "N/A");
	buffer_text(out, bits & 2 ? " hit" : "");
	buffer_text(out, bits & 4 ? " miss" : "");
}

static void add_lock(struct buffer *out, unsigned int bits)
{
	buffer_text(out, bits & 1 ? "N/A" : bits & 2 ? "Yes" : "No");
}

static void add_blocks(struct buffer *out, unsigned int bits)
{
	if (!bits || bits & 1) {
		buffer_text(out, " N/A");
		return;
	}
	buffer_text(out, bits & 2 ? " Data" : "");
	buffer_text(out, bits & 4 ? " Addr" : "");
}

/* In the format of perf, which cuts it at 99 characters. */
void text_data_src(struct script *script, const struct shown *shown)
{
	uint64_t value = shown->sample.data_src;
	struct buffer *out = &script->out;
	size_t start = out->size, size;

	buffer_hex(out, value, 16);
	buffer_text(out, " |OP ");
	add_operation(out, bits_at(value, 0, 5));
	buffer_text(out, "|LVL ");
	add_level(out, value);
	buffer_text(out, "|SNP ");
	add_snoop(out, value);
	buffer_text(out, "|TLB ");
	add_tlb(out, bits_at(value, 26, 7));
	buffer_text(out, "|LCK ");
	add_lock(out, bits_at(value, 24, 2));
	buffer_text(out, "|BLK ");
	add_blocks(out, bits_at(value, 40, 3));
	size = out->size - start;
	if (size > 99)
		out->size = start + (size = 99);
	if (size > script->data_src_width)
		script->data_src_width = (uint32_t)size;
	for (; size < script->data_src_width; size++)
		buffer_char(out, ' ');
}

/* ---- Addresses and pages ---- */

void text_phys_addr(struct script *script, const struct shown *shown)
{
	buffer_hex(&script->out, shown->sample.phys_addr, 16);
}

static void add_page_size(struct script *script, uint64_t size)
{
	static const char units[] = {'\0', 'K', 'M', 'G', 'T'};
	unsigned int unit = 0;

	while (size >= 1024 && size % 1024 == 0 && unit + 1 < sizeof(units)) {
		size /= 1024;
		unit++;
	}
	if (!size)
		buffer_text(&script->out, " N/A");
	else if (!unit)
		buffer_format(&script->out, " %lluB", (unsigned long long)size);
	else
		buffer_format(&script->out, " %llu%c", (unsigned long long)size, units[unit]);
}

void text_data_page_size(struct script *script, const struct shown *shown)
{
	add_page_size(script, shown->sample.data_page_size);
}

void text_code_page_size(struct script *script, const struct shown *shown)
{
	add_page_size(script, shown->sample.code_page_size);
}

/* ---- Output of BPF programs ---- */

static bool is_printable(uint8_t byte)
{
	return byte >= ' ' && byte <= '~';
}

static void add_bpf_line(struct buffer *out, const uint8_t *data, size_t at, size_t count)
{
	buffer_format(out, "%17s %04x:", at ? "" : "BPF output:", (unsigned int)at);
	for (size_t i = 0; i < 8; i++)
		if (i < count)
			buffer_format(out, " %02x", data[i]);
		else
			buffer_text(out, "   ");
	buffer_text(out, "  ");
	for (size_t i = 0; i < 8; i++)
		buffer_char(out, (char)(i >= count ? ' ' : is_printable(data[i]) ? data[i] : '.'));
	buffer_char(out, '\n');
}

void text_bpf_output(struct script *script, const struct shown *shown)
{
	const struct perf_attr *attr = &shown->view->event->attr;
	const struct pk_bytes *raw = &shown->sample.raw;
	struct buffer *out = &script->out;
	size_t length = 0;

	if (attr->type != PERF_TYPE_SOFTWARE || attr->config != PERF_COUNT_SW_BPF_OUTPUT)
		return;
	buffer_char(out, '\n');
	for (size_t at = 0; at < raw->size; at += 8)
		add_bpf_line(out, raw->data + at, at, raw->size - at < 8 ? raw->size - at : 8);
	while (length < raw->size && is_printable(raw->data[length]))
		length++;
	if (length < raw->size && !raw->data[length]) {
		buffer_format(out, "%17s \"", "BPF string:");
		buffer_add(out, raw->data, length);
		buffer_text(out, "\"\n");
	}
}
