// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"
#include "header.h"

/* The line of an event, with the fields of its attr that are not 0, as perf names them. */

static void add_bits(struct buffer *out, const char *name, uint64_t value, const char *const *names,
		     size_t count)
{
	const char *before = "";

	if (!value)
		return;
	buffer_format(out, ", %s = ", name);
	for (size_t i = 0; i < count; i++) {
		if (!(value >> i & 1) || !names[i])
			continue;
		buffer_text(out, before);
		buffer_text(out, names[i]);
		before = "|";
		value &= ~(UINT64_C(1) << i);
	}
	if (value)
		buffer_format(out, "%s0x%llx", before, (unsigned long long)value);
}

#define ADD_BITS(out, name, value, list)                                                           \
	add_bits(out, name, value, list, sizeof(list) / sizeof((list)[0]))

static void add_number(struct buffer *out, const char *name, uint64_t value)
{
	if (value)
		buffer_format(out, ", %s = %llu", name, (unsigned long long)value);
}

static void add_hex(struct buffer *out, const char *name, uint64_t value)
{
	if (value)
		buffer_format(out, ", %s = 0x%llx", name, (unsigned long long)value);
}

/* What numbers of software and hardware events mean. Those of tracepoints are the recorded
 * kernel's. */
static const char *name_of_config(const struct perf_attr *attr)
{
	static const char *const hardware[] = {"CPU_CYCLES",
					       "INSTRUCTIONS",
					       "CACHE_REFERENCES",
					       "CACHE_MISSES",
					       "BRANCH_INSTRUCTIONS",
					       "BRANCH_MISSES",
					       "BUS_CYCLES",
					       "STALLED_CYCLES_FRONTEND",
					       "STALLED_CYCLES_BACKEND",
					       "REF_CPU_CYCLES"};
	static const char *const software[] = {
		"CPU_CLOCK",	    "TASK_CLOCK",      "PAGE_FAULTS",	  "CONTEXT_SWITCHES",
		"CPU_MIGRATIONS",   "PAGE_FAULTS_MIN", "PAGE_FAULTS_MAJ", "ALIGNMENT_FAULTS",
		"EMULATION_FAULTS", "DUMMY",	       "BPF_OUTPUT",	  "CGROUP_SWITCHES"};

	if (attr->type == PERF_TYPE_HARDWARE && attr->config < 10)
		return hardware[attr->config];
	if (attr->type == PERF_TYPE_SOFTWARE && attr->config < 12)
		return software[attr->config];
	return NULL;
}

static void add_type(struct buffer *out, const struct perf_attr *attr)
{
	static const char *const types[] = {"HARDWARE", "SOFTWARE", "TRACEPOINT",
					    "HW_CACHE", "RAW",	    "BREAKPOINT"};
	const char *config = name_of_config(attr);

	buffer_format(out, ", type = %u", attr->type);
	if (attr->type < sizeof(types) / sizeof(types[0]))
		buffer_format(out, " (PERF_TYPE_%s)", types[attr->type]);
	buffer_format(out, ", size = %u", attr->size);
	if (!attr->config && !config)
		return;
	buffer_format(out, attr->config ? ", config = 0x%llx" : ", config = %llu",
		      (unsigned long long)attr->config);
	if (config)
		buffer_format(out, " (PERF_COUNT_%s_%s)",
			      attr->type == PERF_TYPE_HARDWARE ? "HW" : "SW", config);
}

static void add_sampling(struct buffer *out, const struct perf_attr *attr)
{
	/* In the order of perf's list; NULL: of another place, see below. */
	static const char *const first[] = {
		"IP",  "TID",	 "TIME",      "ADDR", "READ",	      "CALLCHAIN", "ID",
		"CPU", "PERIOD", "STREAM_ID", "RAW",  "BRANCH_STACK", "REGS_USER", "STACK_USER"};
	static const struct {
		uint64_t bit;
		const char *name;
	} rest[] = {{PERF_SAMPLE_IDENTIFIER, "IDENTIFIER"},
		    {PERF_SAMPLE_REGS_INTR, "REGS_INTR"},
		    {PERF_SAMPLE_DATA_SRC, "DATA_SRC"},
		    {PERF_SAMPLE_WEIGHT, "WEIGHT"},
		    {PERF_SAMPLE_TRANSACTION, "TRANSACTION"},
		    {PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR"},
		    {PERF_SAMPLE_AUX, "AUX"},
		    {PERF_SAMPLE_CGROUP, "CGROUP"},
		    {PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE"},
		    {PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE"},
		    {PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT"}};
	static const char *const read_format[] = {"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID",
						  "GROUP", "LOST"};
	const char *before = "";
	size_t start;

	add_number(out, "{ sample_period, sample_freq }", attr->sample_period);
	start = out->size;
	ADD_BITS(out, "sample_type", attr->sample_type & 0x3fff, first);
	if (out->size == start && attr->sample_type)
		buffer_text(out, ", sample_type = ");
	else
		before = "|";
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		if (!(attr->sample_type & rest[i].bit))
			continue;
		buffer_text(out, before);
		buffer_text(out, rest[i].name);
		before = "|";
	}
	ADD_BITS(out, "read_format", attr->read_format, read_format);
}

/* One by one, but for the two bits of precise_ip. */
static void add_flags(struct buffer *out, uint64_t flags)
{
	for (unsigned int i = 0; i < DUMP_ATTR_FLAGS; i++)
		if (i == PERF_ATTR_PRECISE_IP_SHIFT)
			add_number(out, "precise_ip", flags >> i & 3);
		else if (dump_attr_flags[i])
			add_number(out, dump_attr_flags[i], flags >> i & 1);
}

static void add_rest(struct buffer *out, const struct perf_attr *attr)
{
	bool watermark = attr->flags & PERF_ATTR_WATERMARK;

	add_number(out, watermark ? "wakeup_watermark" : "wakeup_events", attr->wakeup_events);
	add_number(out, "bp_type", attr->bp_type);
	add_hex(out, "{ bp_addr, config1 }", attr->config1);
	add_hex(out, "{ bp_len, config2 }", attr->config2);
	add_hex(out, "branch_sample_type", attr->branch_sample_type);
	add_hex(out, "sample_regs_user", attr->sample_regs_user);
	add_number(out, "sample_stack_user", attr->sample_stack_user);
	if (attr->clockid)
		buffer_format(out, ", clockid = %d", attr->clockid);
	add_hex(out, "sample_regs_intr", attr->sample_regs_intr);
	add_number(out, "aux_watermark", attr->aux_watermark);
	add_number(out, "sample_max_stack", attr->sample_max_stack);
	add_number(out, "aux_sample_size", attr->aux_sample_size);
	add_hex(out, "config3", attr->config3);
}

void header_event(struct buffer *out, const struct pk_event *event)
{
	buffer_text(out, "# event : name = ");
	buffer_harmless(out, event->name, strlen(event->name));
	buffer_text(out, ", ");
	if (event->ids_count) {
		buffer_text(out, ", id = {");
		for (size_t i = 0; i < event->ids_count; i++)
			buffer_format(out, "%s %llu", i ? "," : "",
				      (unsigned long long)event->ids[i]);
		buffer_text(out, " }");
	}
	add_type(out, &event->attr);
	add_sampling(out, &event->attr);
	add_flags(out, event->attr.flags);
	add_rest(out, &event->attr);
	buffer_char(out, '\n');
}
