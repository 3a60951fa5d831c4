// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "data_source.h"
#include "pkprivate.h"
#include "text.h"

/* Returns true if addr is printed with its symbol. This is only done for the software events of
 * page faults. */
static bool addr_is_a_place(const struct pk_event *event)
{
	uint64_t config = event->attr.config;

	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (config == PERF_COUNT_SW_PAGE_FAULTS || config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

void text_addr(struct script *script, const struct shown *shown)
{
	struct shown_text text;

	buffer_hex(&script->out, shown->sample.addr, 16);
	if (!addr_is_a_place(shown->view->event))
		return;
	text = script_address(script, shown, shown->sample.addr,
			      shown->view->parts & ~(unsigned int)PART_SRCLINE);
	frame_texts_add(script->texts, &text, 0, &script->out);
}

static bool is_struct(const struct shown *shown)
{
	return shown->view->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT;
}

void text_weight(struct script *script, const struct shown *shown)
{
	uint64_t weight = shown->sample.weight;

	buffer_decimal(&script->out, is_struct(shown) ? (uint32_t)weight : weight, 16);
}

void text_ins_lat(struct script *script, const struct shown *shown)
{
	buffer_decimal(&script->out, shown->sample.weight >> 32 & 0xffff, 16);
}

void text_retire_lat(struct script *script, const struct shown *shown)
{
	buffer_decimal(&script->out, shown->sample.weight >> 48, 16);
}

/* Prints the path of the control group. The path comes from CGROUP records. */
void text_cgroup(struct script *script, const struct shown *shown)
{
	const char *path =
		pk_session_cgroup(pk_context_session(script->context), shown->sample.cgroup);

	if (!path)
		path = "unknown";
	buffer_char(&script->out, ' ');
	buffer_harmless(&script->out, path, strlen(path));
}

/* ---- Registers ---- */

static void add_register_name(struct script *script, unsigned int number)
{
	const char *name = pk_register_name(pk_context_machine(script->context), number);

	if (name)
		buffer_format(&script->out, "%5s", name);
	else
		buffer_format(&script->out, "reg%u", number);
}

static void add_registers(struct script *script, const struct pk_registers *registers,
			  uint64_t mask)
{
	if (!registers->values.count)
		return;
	buffer_format(&script->out, " ABI:%llu ", (unsigned long long)registers->abi);
	for (uint64_t i = 0; i < registers->values.count && mask; i++, mask &= mask - 1) {
		add_register_name(script, (unsigned int)__builtin_ctzll(mask));
		buffer_text(&script->out, ":0x");
		buffer_hex(&script->out, pk_u64s_at(&registers->values, i), 0);
		buffer_char(&script->out, ' ');
	}
}

void text_iregs(struct script *script, const struct shown *shown)
{
	add_registers(script, &shown->sample.interrupt_registers,
		      shown->record->event->attr.sample_regs_intr);
}

void text_uregs(struct script *script, const struct shown *shown)
{
	add_registers(script, &shown->sample.user_registers,
		      shown->record->event->attr.sample_regs_user);
}

/* Fields of a sample that describe a memory access. */

/* ---- PERF_SAMPLE_DATA_SRC ---- */

/* Prints data_src in the format of perf, which cuts the text at 99 characters. */
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
