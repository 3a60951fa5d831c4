// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "data_source.h"
#include "text.h"

/* Fields of a sample about memory. */

/* ---- PERF_SAMPLE_DATA_SRC ---- */

/* In the format of perf, which cuts it at 99 characters. */
void text_data_src(struct script *script, const struct shown *shown)
{
	uint64_t value = shown->sample.data_src;
	struct buffer *out = &script->out;
	size_t start = out->size, size;

	buffer_hex(out, value, 16);
	buffer_text(out, " |OP ");
	pk_data_source_operation(out, value);
	buffer_text(out, "|LVL ");
	pk_data_source_level(out, value);
	buffer_text(out, "|SNP ");
	pk_data_source_snoop(out, value);
	buffer_text(out, "|TLB ");
	pk_data_source_tlb(out, value);
	buffer_text(out, "|LCK ");
	pk_data_source_locked(out, value);
	buffer_text(out, "|BLK  ");
	pk_data_source_blocked(out, value);
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
	buffer_char(&script->out, ' ');
	pk_page_size_text(&script->out, size);
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
