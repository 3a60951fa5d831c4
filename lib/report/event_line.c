// SPDX-License-Identifier: BSD-2-Clause
#include "event_line.h"
#include "pkprivate.h"

const char *const pk_event_attr_flags[EVENT_ATTR_FLAGS] = {"disabled",
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

/* A line that lists the nonzero fields of an attr by the names that perf uses. */

struct line {
	struct buffer *out;
	const char *equals; /* text between a name and its value */
	const char *before; /* text before the next name */
};

static void add_name(struct line *line, const char *name)
{
	buffer_text(line->out, line->before);
	buffer_text(line->out, name);
	buffer_text(line->out, line->equals);
	line->before = ", ";
}

static void add_bits(struct line *line, const char *name, uint64_t value, const char *const *names,
		     size_t count)
{
	const char *before = "";

	if (!value)
		return;
	add_name(line, name);
	for (size_t i = 0; i < count; i++) {
		if (!(value >> i & 1) || !names[i])
			continue;
		buffer_text(line->out, before);
		buffer_text(line->out, names[i]);
		before = "|";
		value &= ~(UINT64_C(1) << i);
	}
	if (value)
		buffer_format(line->out, "%s0x%llx", before, (unsigned long long)value);
}

#define ADD_BITS(line, name, value, list)                                                          \
	add_bits(line, name, value, list, sizeof(list) / sizeof((list)[0]))

static void add_attr_number(struct line *line, const char *name, uint64_t value)
{
	if (!value)
		return;
	add_name(line, name);
	buffer_format(line->out, "%llu", (unsigned long long)value);
}

static void add_attr_hex(struct line *line, const char *name, uint64_t value)
{
	if (!value)
		return;
	add_name(line, name);
	buffer_format(line->out, "0x%llx", (unsigned long long)value);
}

/* Returns the name of a hardware or software event. Returns NULL for other types of events, because
 * the numbers of these events differ between machines or kernels. */
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

static void add_type(struct line *line, const struct perf_attr *attr)
{
	static const char *const types[] = {"HARDWARE", "SOFTWARE", "TRACEPOINT",
					    "HW_CACHE", "RAW",	    "BREAKPOINT"};
	const char *config = name_of_config(attr);

	add_name(line, "type");
	buffer_format(line->out, "%u", attr->type);
	if (attr->type < sizeof(types) / sizeof(types[0]))
		buffer_format(line->out, " (PERF_TYPE_%s)", types[attr->type]);
	add_attr_number(line, "size", attr->size);
	if (!attr->config && !config)
		return;
	add_name(line, "config");
	buffer_format(line->out, attr->config ? "0x%llx" : "%llu",
		      (unsigned long long)attr->config);
	if (config)
		buffer_format(line->out, " (PERF_COUNT_%s_%s)",
			      attr->type == PERF_TYPE_HARDWARE ? "HW" : "SW", config);
}

static void add_sampling(struct line *line, const struct perf_attr *attr)
{
	/* perf prints bits 0 to 13 of sample_type in ascending order. Then it prints the bits in
	 * the array `rest`, in the order of the array. */
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

	add_attr_number(line, "{ sample_period, sample_freq }", attr->sample_period);
	start = line->out->size;
	ADD_BITS(line, "sample_type", attr->sample_type & 0x3fff, first);
	if (line->out->size == start && attr->sample_type)
		add_name(line, "sample_type");
	else
		before = "|";
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		if (!(attr->sample_type & rest[i].bit))
			continue;
		buffer_text(line->out, before);
		buffer_text(line->out, rest[i].name);
		before = "|";
	}
	ADD_BITS(line, "read_format", attr->read_format, read_format);
}

/* Each flag that is set is printed as 1. The two bits of precise_ip are printed as one number. */
static void add_flags(struct line *line, uint64_t flags)
{
	for (unsigned int i = 0; i < EVENT_ATTR_FLAGS; i++)
		if (i == PERF_ATTR_PRECISE_IP_SHIFT)
			add_attr_number(line, "precise_ip", flags >> i & 3);
		else if (pk_event_attr_flags[i])
			add_attr_number(line, pk_event_attr_flags[i], flags >> i & 1);
}

static void add_rest(struct line *line, const struct perf_attr *attr)
{
	bool watermark = attr->flags & PERF_ATTR_WATERMARK;

	add_attr_number(line, watermark ? "wakeup_watermark" : "wakeup_events",
			attr->wakeup_events);
	add_attr_number(line, "bp_type", attr->bp_type);
	add_attr_hex(line, "{ bp_addr, config1 }", attr->config1);
	add_attr_hex(line, "{ bp_len, config2 }", attr->config2);
	add_attr_hex(line, "branch_sample_type", attr->branch_sample_type);
	add_attr_hex(line, "sample_regs_user", attr->sample_regs_user);
	add_attr_number(line, "sample_stack_user", attr->sample_stack_user);
	if (attr->clockid) {
		add_name(line, "clockid");
		buffer_format(line->out, "%d", attr->clockid);
	}
	add_attr_hex(line, "sample_regs_intr", attr->sample_regs_intr);
	add_attr_number(line, "aux_watermark", attr->aux_watermark);
	add_attr_number(line, "sample_max_stack", attr->sample_max_stack);
	add_attr_number(line, "aux_sample_size", attr->aux_sample_size);
	add_attr_hex(line, "config3", attr->config3);
}

static void add_attr(struct line *line, const struct pk_event *event)
{
	const struct perf_attr attr = pk_event_recorded_attr(event);

	add_type(line, &attr);
	add_sampling(line, &attr);
	add_flags(line, attr.flags);
	add_rest(line, &attr);
	buffer_char(line->out, '\n');
}

void pk_event_header_line(struct buffer *out, const struct pk_event *event)
{
	struct line line = {out, " = ", ", "};

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
	add_attr(&line, event);
}

void pk_event_list_line(struct buffer *out, const struct pk_event *event)
{
	struct line line = {out, ": ", ": "};

	buffer_harmless(out, event->name, strlen(event->name));
	add_attr(&line, event);
}
