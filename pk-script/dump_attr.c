// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* SPEC 4.1 */
static const char *const types[] = {"hardware", "software", "tracepoint",
				    "hw-cache", "raw",	    "breakpoint"};

static const char *const sample_bits[] = {"IP",
					  "TID",
					  "TIME",
					  "ADDR",
					  "READ",
					  "CALLCHAIN",
					  "ID",
					  "CPU",
					  "PERIOD",
					  "STREAM_ID",
					  "RAW",
					  "BRANCH_STACK",
					  "REGS_USER",
					  "STACK_USER",
					  "WEIGHT",
					  "DATA_SRC",
					  "IDENTIFIER",
					  "TRANSACTION",
					  "REGS_INTR",
					  "PHYS_ADDR",
					  "AUX",
					  "CGROUP",
					  "DATA_PAGE_SIZE",
					  "CODE_PAGE_SIZE",
					  "WEIGHT_STRUCT"};

static const char *const read_bits[] = {"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP",
					"LOST"};

static const char *const branch_bits[] = {
	"user",	    "kernel",	 "hv",	      "any",	  "any_call",	"any_return", "ind_call",
	"abort_tx", "in_tx",	 "no_tx",     "cond",	  "call_stack", "ind_jump",   "call",
	"no_flags", "no_cycles", "type_save", "hw_index", "priv_save",	"counters"};

const char *const dump_attr_flags[DUMP_ATTR_FLAGS] = {"disabled",
						      "inherit",
						      "pinned",
						      "exclusive",
						      "exclude_user",
						      "exclude_kernel",
						      "exclude_hv",
						      "exclude_idle",
						      "mmap",
						      "comm",
						      "freq",
						      "inherit_stat",
						      "enable_on_exec",
						      "task",
						      "watermark",
						      NULL,
						      NULL,
						      "mmap_data",
						      "sample_id_all",
						      "exclude_host",
						      "exclude_guest",
						      "exclude_callchain_kernel",
						      "exclude_callchain_user",
						      "mmap2",
						      "comm_exec",
						      "use_clockid",
						      "context_switch",
						      "write_backward",
						      "namespaces",
						      "ksymbol",
						      "bpf_event",
						      "aux_output",
						      "cgroup",
						      "text_poke",
						      "build_id",
						      "inherit_thread",
						      "remove_on_exec",
						      "sigtrap",
						      "defer_callchain",
						      "defer_output"};

/* Fields that are not 0; those that the attr is too short for are. */
struct field {
	const char *name;
	uint64_t value;
	char letter; /* as for dump_fields; f: flags with the names of bits */
	const char *const *bits;
	size_t count;
};

static void dump_field(const struct field *field)
{
	if (!field->value)
		return;
	switch (field->letter) {
	case 'f': dump_flags(field->name, field->value, field->bits, field->count); break;
	case 'd': dump_hex(field->name, field->value); break;
	case 'j': dump_signed(field->name, (int64_t)field->value); break;
	default: dump_decimal(field->name, field->value); break;
	}
}

static void dump_decoded(const struct perf_attr *attr)
{
	const bool freq = attr->flags & PERF_ATTR_FREQ, mark = attr->flags & PERF_ATTR_WATERMARK;
	const struct field fields[] = {
		{freq ? "sample_freq" : "sample_period", attr->sample_period, '8', NULL, 0},
		{"read_format", attr->read_format, 'f', read_bits, COUNT(read_bits)},
		{"flags", attr->flags, 'f', dump_attr_flags, DUMP_ATTR_FLAGS},
		{"precise_ip",
		 (attr->flags & PERF_ATTR_PRECISE_IP_MASK) >> PERF_ATTR_PRECISE_IP_SHIFT, '8', NULL,
		 0},
		{mark ? "wakeup_watermark" : "wakeup_events", attr->wakeup_events, '8', NULL, 0},
		{"bp_type", attr->bp_type, '8', NULL, 0},
		{"config1", attr->config1, 'd', NULL, 0},
		{"config2", attr->config2, 'd', NULL, 0},
		{"branch_sample_type", attr->branch_sample_type, 'f', branch_bits,
		 COUNT(branch_bits)},
		{"sample_regs_user", attr->sample_regs_user, 'd', NULL, 0},
		{"sample_stack_user", attr->sample_stack_user, '8', NULL, 0},
		{"clockid", (uint64_t)attr->clockid, 'j', NULL, 0},
		{"sample_regs_intr", attr->sample_regs_intr, 'd', NULL, 0},
		{"aux_watermark", attr->aux_watermark, '8', NULL, 0},
		{"sample_max_stack", attr->sample_max_stack, '8', NULL, 0},
		{"aux_sample_size", attr->aux_sample_size, '8', NULL, 0},
		{"aux_action", attr->aux_action, 'd', NULL, 0},
		{"sig_data", attr->sig_data, 'd', NULL, 0},
		{"config3", attr->config3, 'd', NULL, 0},
		{"config4", attr->config4, 'd', NULL, 0},
	};

	DUMP_NAMED("attr_type", attr->type, types);
	dump_decimal("attr_size", attr->size);
	dump_hex("config", attr->config);
	DUMP_FLAGS("sample_type", attr->sample_type, sample_bits);
	for (size_t i = 0; i < COUNT(fields); i++)
		dump_field(&fields[i]);
}

/* The reader has taken the event in before it returned the record. */
void dump_header_attr(struct dump *dump)
{
	const struct pk_events *events = pk_reader_events(dump->reader);
	const struct pk_event *event = pk_events_at(events, pk_events_count(events) - 1);
	size_t size = event->attr.size;

	dump_decimal("event", event->index);
	dump_decoded(&event->attr);
	dump_take_bytes(dump, size);
	if (size > sizeof(event->attr))
		dump_bytes("attr_unknown", dump->at - (size - sizeof(event->attr)),
			   size - sizeof(event->attr));
	dump_items(dump, dump_left(dump) / 8, 8, "id", "8", "");
}
