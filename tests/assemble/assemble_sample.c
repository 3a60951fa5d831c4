/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes attrs (SPEC 4.1), and samples, whose layout depends on the attr (SPEC 5). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble_body.h"
#include "dump.h"
#include "event_line.h"
#include "vector.h"

/* ---- Attrs ---- */

struct attr_field {
	const char *name, *other; /* `other`: with `freq` or `watermark` */
	unsigned char at, width;
	const char *const *bits;
	size_t bits_count;
};

#define AT(member, other, ...)                                                                     \
	{                                                                                          \
#member, other, offsetof(struct perf_attr, member),                                \
			sizeof(((struct perf_attr *)0)->member), __VA_ARGS__                       \
	}

static const struct attr_field attr_fields[] = {
	{"attr_type", NULL, 0, 4, NULL, 0},
	{"attr_size", NULL, 4, 4, NULL, 0},
	AT(config, NULL, NULL, 0),
	AT(sample_period, "sample_freq", NULL, 0),
	AT(sample_type, NULL, dump_sample_bits, DUMP_SAMPLE_BITS),
	AT(read_format, NULL, dump_read_bits, DUMP_READ_BITS),
	AT(flags, NULL, pk_event_attr_flags, EVENT_ATTR_FLAGS),
	AT(wakeup_events, "wakeup_watermark", NULL, 0),
	AT(bp_type, NULL, NULL, 0),
	AT(config1, NULL, NULL, 0),
	AT(config2, NULL, NULL, 0),
	AT(branch_sample_type, NULL, dump_branch_bits, DUMP_BRANCH_BITS),
	AT(sample_regs_user, NULL, NULL, 0),
	AT(sample_stack_user, NULL, NULL, 0),
	AT(clockid, NULL, NULL, 0),
	AT(sample_regs_intr, NULL, NULL, 0),
	AT(aux_watermark, NULL, NULL, 0),
	AT(sample_max_stack, NULL, NULL, 0),
	AT(reserved_2, NULL, NULL, 0),
	AT(aux_sample_size, NULL, NULL, 0),
	AT(aux_action, NULL, NULL, 0),
	AT(sig_data, NULL, NULL, 0),
	AT(config3, NULL, NULL, 0),
	AT(config4, NULL, NULL, 0),
};

static uint64_t attr_value(struct assembly *assembly, const struct attr_field *field)
{
	const struct text_field *found = text_find(&assembly->text, field->name);

	if (!found && field->other)
		found = text_find(&assembly->text, field->other);
	if (!found)
		return field->at == 4 ? PERF_ATTR_SIZE_VER0 : 0;
	return text_number(&assembly->text, found, field->bits, field->bits_count);
}

/* Returns the flags in the byte order of the stream (SPEC 8.2). All flags have one bit, except
 * precise_ip, which has two bits. */
static uint64_t flags_in_order(const struct assembly *assembly, uint64_t flags)
{
	unsigned char widths[63];

	memset(widths, 1, sizeof(widths));
	widths[PERF_ATTR_PRECISE_IP_SHIFT] = 2;
	return assembly->big ? mirror_bits(flags, widths, sizeof(widths)) : flags;
}

static void add_event(struct assembly *assembly, const struct perf_attr *attr, uint64_t id)
{
	if (pk_reserve(&assembly->events, &assembly->events_capacity, assembly->events_count, 1,
		       sizeof(*assembly->events)) != PK_OK)
		text_fail(&assembly->text, "out of memory", "");
	assembly->events[assembly->events_count++] = (struct assembled_event){*attr, id};
}

void put_attr(struct assembly *assembly)
{
	const size_t start = assembly->out.size;
	const struct text_field *field;
	struct perf_attr attr = {0};
	uint64_t value, id = 0;
	char name[32];

	text_find(&assembly->text, "event");
	text_find(&assembly->text, "precise_ip"); /* `flags` contains these bits, too */
	for (size_t i = 0; i < COUNT(attr_fields); i++) {
		value = attr_value(assembly, &attr_fields[i]);
		if (!strcmp(attr_fields[i].name, "sample_type"))
			attr.sample_type = value;
		else if (!strcmp(attr_fields[i].name, "read_format"))
			attr.read_format = value;
		else if (!strcmp(attr_fields[i].name, "branch_sample_type"))
			attr.branch_sample_type = value;
		else if (!strcmp(attr_fields[i].name, "sample_regs_user"))
			attr.sample_regs_user = value;
		else if (!strcmp(attr_fields[i].name, "sample_regs_intr"))
			attr.sample_regs_intr = value;
		else if (attr_fields[i].at == 4)
			attr.size = (uint32_t)value;
		else if (!strcmp(attr_fields[i].name, "flags"))
			value = flags_in_order(assembly, attr.flags = value);
		if (attr_fields[i].at < attr.size || !attr.size)
			put_number(assembly, value, attr_fields[i].width);
	}
	put_bytes_of(assembly, "attr_unknown");
	if (assembly->out.size - start != attr.size)
		text_fail(&assembly->text, "attr_size", "not that of attrs, or unknown bytes lack");
	for (size_t i = 0;; i++) {
		snprintf(name, sizeof(name), "id[%zu]", i);
		field = text_find(&assembly->text, name);
		field = field ? field : text_find(&assembly->text, "id");
		if (!field)
			break;
		value = text_number(&assembly->text, field, NULL, 0);
		id = i ? id : value;
		put_number(assembly, value, 8);
	}
	add_event(assembly, &attr, id);
}

/* ---- Event of a record ---- */

const struct assembled_event *event_of(struct assembly *assembly)
{
	static const struct assembled_event none;
	const char *const id_name = assembly->type == PERF_RECORD_SAMPLE ? "id" : "trailer.id";
	struct text_field *field = text_find(&assembly->text, "event");
	uint64_t number;

	if (field) {
		number = text_number(&assembly->text, field, NULL, 0);
		if (number >= assembly->events_count)
			text_fail(&assembly->text, "there is no such event", field->value);
		return &assembly->events[number];
	}
	field = text_find(&assembly->text, id_name);
	number = field ? text_number(&assembly->text, field, NULL, 0) : 0;
	if (field)
		field->used = false;
	for (size_t i = 0; field && i < assembly->events_count; i++)
		if (assembly->events[i].id == number)
			return &assembly->events[i];
	return assembly->events_count ? &assembly->events[0] : &none;
}

void put_trailer(struct assembly *assembly, const struct assembled_event *event)
{
	const uint64_t type = event->attr.sample_type,
		       id = number_of(assembly, "trailer.id", event->id);

	if (!(event->attr.flags & PERF_ATTR_SAMPLE_ID_ALL))
		return;
	if (type & PERF_SAMPLE_TID)
		put_fields(assembly, "ii", "trailer.pid trailer.tid");
	if (type & PERF_SAMPLE_TIME)
		put_field(assembly, "trailer.time", 8);
	if (type & PERF_SAMPLE_ID)
		put_number(assembly, id, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_field(assembly, "trailer.stream_id", 8);
	if (type & PERF_SAMPLE_CPU)
		put_fields(assembly, "i....", "trailer.cpu");
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_number(assembly, id, 8);
}

/* ---- Fields of samples ---- */

void put_read(struct assembly *assembly, const struct perf_attr *attr)
{
	const uint64_t format = attr->read_format;
	char letters[4] = "8", names[16] = "value ";

	if (format & PERF_FORMAT_GROUP)
		put_number(assembly, number_of(assembly, "read.nr", count_items(assembly, "read")),
			   8);
	else
		put_field(assembly, "read.value", 8);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_field(assembly, "read.enabled", 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_field(assembly, "read.running", 8);
	if (!(format & PERF_FORMAT_GROUP)) {
		if (format & PERF_FORMAT_ID)
			put_field(assembly, "read.id", 8);
		if (format & PERF_FORMAT_LOST)
			put_field(assembly, "read.lost", 8);
		return;
	}
	strcat(letters, format & PERF_FORMAT_ID ? "8" : "");
	strcat(letters, format & PERF_FORMAT_LOST ? "8" : "");
	strcat(names, format & PERF_FORMAT_ID ? "id " : "");
	strcat(names, format & PERF_FORMAT_LOST ? "lost" : "");
	put_items(assembly, "read", letters, names);
}

/* Writes the callchain "ips[0]=ADDRESS ips[1]=(user) ...". A marker is a number, or a name in
 * parentheses. */
static void put_callchain(struct assembly *assembly)
{
	static const struct {
		const char *name;
		uint64_t value;
	} markers[] = {
		{"(hypervisor)", PERF_CONTEXT_HV},
		{"(kernel)", PERF_CONTEXT_KERNEL},
		{"(user)", PERF_CONTEXT_USER},
		{"(user-deferred)", PERF_CONTEXT_USER_DEFERRED},
		{"(guest)", PERF_CONTEXT_GUEST},
		{"(guest-kernel)", PERF_CONTEXT_GUEST_KERNEL},
		{"(guest-user)", PERF_CONTEXT_GUEST_USER},
	};
	const size_t count = count_items(assembly, "ips");
	char name[32];

	put_number(assembly, number_of(assembly, "nr", count), 8);
	for (size_t i = 0; i < count; i++) {
		const struct text_field *field;
		size_t m = 0;

		snprintf(name, sizeof(name), "ips[%zu]", i);
		field = text_find(&assembly->text, name);
		while (m < COUNT(markers) && strcmp(markers[m].name, field->value) != 0)
			m++;
		put_number(assembly,
			   m < COUNT(markers) ? markers[m].value
					      : text_number(&assembly->text, field, NULL, 0),
			   8);
	}
}

/* Returns the flags of a branch in the byte order of the stream (SPEC 5.4, 8.3). */
static uint64_t branch_flags(struct assembly *assembly)
{
	static const char *const names[] = {"mispred", "predicted", "in_tx", "abort",
					    "cycles",  "type",	    "spec",  "new_type",
					    "priv",    "reserved"};
	static const unsigned char widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3, 31};
	uint64_t flags = 0;
	unsigned int at = 0;

	for (size_t i = 0; i < COUNT(names); i++) {
		flags |= number_of(assembly, names[i], 0) << at;
		at += widths[i];
	}
	return assembly->big ? mirror_bits(flags, widths, COUNT(widths)) : flags;
}

/* Writes the branches "branch[0]=FROM -> TO mispred=1 ...". The fields between a branch and the
 * next branch are flags of the first branch. */
static void put_branches(struct assembly *assembly, const struct perf_attr *attr)
{
	const size_t count = count_items(assembly, "branch");
	struct text_record *text = &assembly->text;
	uint64_t index;
	char name[32];

	put_number(assembly, number_of(assembly, "branch.nr", count), 8);
	/* If there are no branches, a dump prints 0 for the index, even if the record has no index.
	 */
	index = number_of(assembly, "branch.hw_idx", 0);
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX && (count || index))
		put_number(assembly, index, 8);
	for (size_t i = 0; i < count; i++) {
		size_t at = 0, end, all = text->count;

		snprintf(name, sizeof(name), "branch[%zu]", i);
		put_field(assembly, name, 8);
		while (!text->fields[at].used || strcmp(text->fields[at].name, name) != 0)
			at++;
		for (end = at + 1; end < all && strncmp(text->fields[end].name, "branch", 6) != 0;)
			end++;
		text->count = end;
		put_field(assembly, "to", 8);
		put_number(assembly, branch_flags(assembly), 8);
		text->count = all;
	}
	put_items(assembly, "branch_counters", "d", "");
}

static void put_registers(struct assembly *assembly, const char *name, uint64_t mask)
{
	char field[48];
	uint64_t abi;

	snprintf(field, sizeof(field), "%s.abi", name);
	abi = number_of(assembly, field, text_has(&assembly->text, name) ? 2 : 0);
	put_number(assembly, abi, 8);
	for (unsigned int bit = 0; abi && bit < 64; bit++) {
		snprintf(field, sizeof(field), "%s[%u]", name, bit);
		if (mask >> bit & 1)
			put_field(assembly, field, 8);
	}
}

/* Writes the size as a number of `width` bytes, the bytes of the field, and zeros. The size
 * includes the zeros: `slack` zeros, and zeros up to a multiple of `multiple`. Returns the size. */
static size_t put_sized(struct assembly *assembly, const char *name, unsigned int width,
			size_t multiple, size_t slack)
{
	const size_t at = assembly->out.size;
	size_t size, end;

	put_zeros(assembly, width);
	size = put_bytes_of(assembly, name);
	slack += -size % multiple;
	put_zeros(assembly, slack);
	size += slack;
	end = assembly->out.size;
	assembly->out.size = at;
	put_number(assembly, size, width);
	assembly->out.size = end;
	return size;
}

/* ---- Samples ---- */

void put_tagged(struct assembly *assembly, const char *name, uint32_t tag)
{
	if (!text_has(&assembly->text, name))
		return;
	put_number(assembly, tag, 4);
	put_field(assembly, name, 4);
}

static void put_fixed(struct assembly *assembly, uint64_t type, uint64_t id)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_number(assembly, id, 8);
	if (type & PERF_SAMPLE_IP)
		put_field(assembly, "ip", 8);
	if (type & PERF_SAMPLE_TID)
		put_fields(assembly, "ii", "pid tid");
	if (type & PERF_SAMPLE_TIME)
		put_field(assembly, "time", 8);
	if (type & PERF_SAMPLE_ADDR)
		put_field(assembly, "addr", 8);
	if (type & PERF_SAMPLE_ID)
		put_number(assembly, id, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_field(assembly, "stream_id", 8);
	if (type & PERF_SAMPLE_CPU)
		put_fields(assembly, "i....", "cpu");
	if (type & PERF_SAMPLE_PERIOD)
		put_field(assembly, "period", 8);
}

/* Fields such as raw.dc_miss are parts of the raw bytes. */
static void put_raw(struct assembly *assembly)
{
	struct text_record *text = &assembly->text;

	put_sized(assembly, "raw", 4, 1, 0);
	for (size_t i = 0; i < text->count; i++)
		text->fields[i].used |= !strncmp(text->fields[i].name, "raw.", 4);
}

static void put_varying(struct assembly *assembly, const struct perf_attr *attr)
{
	const uint64_t type = attr->sample_type;
	size_t size;

	if (type & PERF_SAMPLE_READ)
		put_read(assembly, attr);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_callchain(assembly);
	if (type & PERF_SAMPLE_RAW)
		put_raw(assembly);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(assembly, attr);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(assembly, "user_regs", attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER) {
		assembly->has_stack = text_has(&assembly->text, "user_stack");
		size = put_sized(assembly, "user_stack", 8, 1, assembly->stack_slack);
		if (size || assembly->stack_again)
			put_number(assembly, size - assembly->stack_slack, 8);
		else
			assembly->stack_head = 8; /* dyn_size, absent if the dump is empty */
	}
}

static void put_last(struct assembly *assembly, const struct perf_attr *attr)
{
	static const struct {
		uint64_t bits;
		const char *name;
	} fields[] = {
		{PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "weight"},
		{PERF_SAMPLE_DATA_SRC, "data_src"},
		{PERF_SAMPLE_TRANSACTION, "transaction"},
		{PERF_SAMPLE_REGS_INTR, NULL},
		{PERF_SAMPLE_PHYS_ADDR, "phys_addr"},
		{PERF_SAMPLE_CGROUP, "cgroup"},
		{PERF_SAMPLE_DATA_PAGE_SIZE, "data_page_size"},
		{PERF_SAMPLE_CODE_PAGE_SIZE, "code_page_size"},
	};

	for (size_t i = 0; i < COUNT(fields); i++) {
		if (!(attr->sample_type & fields[i].bits))
			continue;
		if (fields[i].name)
			put_field(assembly, fields[i].name, 8);
		else
			put_registers(assembly, "intr_regs", attr->sample_regs_intr);
	}
	if (attr->sample_type & PERF_SAMPLE_AUX)
		put_sized(assembly, "aux", 8, 8, 0);
}

void put_sample(struct assembly *assembly)
{
	const struct assembled_event *event = assembly->event;

	put_fixed(assembly, event->attr.sample_type, number_of(assembly, "id", event->id));
	put_varying(assembly, &event->attr);
	put_last(assembly, &event->attr);
	put_tagged(assembly, "chain_flags", PK_CHAIN_TRAILER_TAG);
	put_tagged(assembly, "undeclared_chain_flags", PK_CHAIN_TRAILER_TAG);
}
