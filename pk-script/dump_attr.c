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

static const char *const flag_bits[] = {"disabled",
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

/* The attr as the library decodes it: what it is too short for is 0 and not shown. */
static void dump_later_fields(const struct perf_attr *attr, size_t size)
{
	if (size >= 72)
		dump_hex("config2", attr->config2);
	if (size >= 80)
		DUMP_FLAGS("branch_sample_type", attr->branch_sample_type, branch_bits);
	if (size >= 96) {
		dump_hex("sample_regs_user", attr->sample_regs_user);
		dump_decimal("sample_stack_user", attr->sample_stack_user);
		dump_signed("clockid", attr->clockid);
	}
	if (size >= 104)
		dump_hex("sample_regs_intr", attr->sample_regs_intr);
	if (size >= 112) {
		dump_decimal("aux_watermark", attr->aux_watermark);
		dump_decimal("sample_max_stack", attr->sample_max_stack);
	}
	if (size >= 120) {
		dump_decimal("aux_sample_size", attr->aux_sample_size);
		dump_hex("aux_action", attr->aux_action);
	}
	if (size >= 128)
		dump_hex("sig_data", attr->sig_data);
	if (size >= 136)
		dump_hex("config3", attr->config3);
	if (size >= 144)
		dump_hex("config4", attr->config4);
}

static void dump_decoded(const struct perf_attr *attr, size_t size)
{
	DUMP_NAMED("attr_type", attr->type, types);
	dump_decimal("attr_size", size);
	dump_hex("config", attr->config);
	dump_decimal(attr->flags & PERF_ATTR_FREQ ? "sample_freq" : "sample_period",
		     attr->sample_period);
	DUMP_FLAGS("sample_type", attr->sample_type, sample_bits);
	DUMP_FLAGS("read_format", attr->read_format, read_bits);
	DUMP_FLAGS("flags", attr->flags, flag_bits);
	dump_decimal("precise_ip",
		     (attr->flags & PERF_ATTR_PRECISE_IP_MASK) >> PERF_ATTR_PRECISE_IP_SHIFT);
	dump_decimal(attr->flags & PERF_ATTR_WATERMARK ? "wakeup_watermark" : "wakeup_events",
		     attr->wakeup_events);
	dump_decimal("bp_type", attr->bp_type);
	dump_hex("config1", attr->config1);
	dump_later_fields(attr, size);
}

/* The reader has taken the event in before it returned the record. */
void dump_header_attr(struct dump *dump)
{
	const struct pk_events *events = pk_reader_events(dump->reader);
	const struct pk_event *event = pk_events_at(events, pk_events_count(events) - 1);
	size_t size = event->attr.size;

	dump_decimal("event", event->index);
	dump_decoded(&event->attr, size);
	dump_take_bytes(dump, size);
	if (size > sizeof(event->attr))
		dump_bytes("attr_unknown", dump->at - (size - sizeof(event->attr)),
			   size - sizeof(event->attr));
	dump_items(dump, dump_left(dump) / 8, 8, "id", "8", "");
}
