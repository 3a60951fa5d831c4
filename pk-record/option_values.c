// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "configure.h"
#include "option_values.h"
#include "output.h"
#include "pkprivate.h"
#include "register_mask.h"
#include "strings_bpf.h"

static bool parse_positive(const char *text, uint64_t most, uint64_t *value)
{
	return pk_parse_u64(text, value) && *value && *value <= most;
}

static bool parse_frequency(struct options *options, const char *text)
{
	if (!strcmp(text, "max")) {
		options->frequency = FREQUENCY_MAX;
		return true;
	}
	return parse_positive(text, 1000000000, &options->frequency);
}

#define RUNNING_TIME (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

#define BRANCH_ANY (UINT64_C(1) << 3)

/* On these architectures, the kernel can split the weight of a sample into several latencies. */
#if defined(__x86_64__) || defined(__i386__) || defined(__powerpc__)
#define SAMPLE_WEIGHTS PERF_SAMPLE_WEIGHT_STRUCT
#else
#define SAMPLE_WEIGHTS PERF_SAMPLE_WEIGHT
#endif

#define STACK_SIZE_MAX 65528

static bool parse_stack_size(struct options *options, const char *text)
{
	uint64_t size;

	if (!pk_parse_size(text, &size) || !size || size > STACK_SIZE_MAX)
		return false;
	options->stack_size = options->probe_stack_size = (uint32_t)(size + 7) & ~7u;
	return true;
}

static bool parse_call_graph(struct options *options, const char *text)
{
	options->stack_size = options->probe_stack_size = STACK_SIZE_DEFAULT;
	if (!strcmp(text, "auto")) {
		options->callchain = CALLCHAIN_AUTO;
		return true;
	}
	if (!strcmp(text, "fp")) {
		options->callchain = CALLCHAIN_FP;
		return true;
	}
	if (!strcmp(text, "fp,defer") || !strcmp(text, "defer")) {
		options->callchain = CALLCHAIN_DEFER;
		return true;
	}
	if (!strcmp(text, "unwind")) {
		options->callchain = CALLCHAIN_UNWIND;
		options->not_unwound = CALLCHAIN_FP;
		return true;
	}
	if (!strcmp(text, "lbr")) {
		options->callchain = CALLCHAIN_LBR;
		return true;
	}
	options->callchain = CALLCHAIN_DWARF;
	return !strcmp(text, "dwarf") ||
	       (!strncmp(text, "dwarf,", 6) && parse_stack_size(options, text + 6));
}

static bool parse_max_stack(struct options *options, const char *text)
{
	uint64_t frames;

	if (!parse_positive(text, UINT16_MAX, &frames))
		return false;
	options->max_stack = (uint16_t)frames;
	return true;
}

static bool parse_duration(struct options *options, const char *text)
{
	return pk_parse_time(text, &options->duration) && options->duration &&
	       options->duration <= INT64_MAX;
}

#define BPF_INTERVAL_LEAST UINT64_C(10000000)

#define RING_SIZE_MAX (UINT64_C(1) << 30)

/* A bare number counts pages, as in perf. The kernel requires a power of two. */
static bool parse_ring_size(struct options *options, const char *text)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t size, power = page;

	if (pk_parse_u64(text, &size)) {
		if (size > RING_SIZE_MAX / page)
			return false;
		size *= page;
	} else if (!pk_parse_size(text, &size)) {
		return false;
	}
	if (!size || size > RING_SIZE_MAX)
		return false;
	while (power < size)
		power *= 2;
	options->ring_size = power;
	return true;
}

static bool parse_clock(struct options *options, const char *text)
{
	static const struct {
		const char *name;
		clockid_t id;
	} clocks[] = {
		{"monotonic", CLOCK_MONOTONIC},
		{"mono", CLOCK_MONOTONIC},
		{"monotonic_raw", CLOCK_MONOTONIC_RAW},
		{"raw", CLOCK_MONOTONIC_RAW},
		{"realtime", CLOCK_REALTIME},
		{"real", CLOCK_REALTIME},
		{"boottime", CLOCK_BOOTTIME},
		{"boot", CLOCK_BOOTTIME},
		{"tai", CLOCK_TAI},
	};

	if (!strncasecmp(text, "CLOCK_", 6))
		text += 6;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (strcasecmp(text, clocks[i].name))
			continue;
		options->use_clockid = true;
		options->clockid = clocks[i].id;
		return true;
	}
	return false;
}

/* Checks the syntax of a list of ids or CPUs, which is evaluated later; false: malformed. */
static bool parse_list(const char **list, const char *text, const char *letters)
{
	*list = text;
	return *text && text[strspn(text, letters)] == 0;
}

static bool parse_delay(struct options *options, const char *text)
{
	options->delay = strcmp(text, "-1") ? DELAY_WINDOWS : DELAY_CONTROL;
	if (options->delay == DELAY_CONTROL)
		return true;
	options->windows_count = windows_parse(text, options->windows);
	return options->windows_count;
}

/* "10m", or with a unit of size: "100M". A bare number is rejected. */
static bool parse_split(struct options *options, const char *text)
{
	const size_t size = strlen(text);
	const char unit = size ? text[size - 1] : 0;

	if (unit && strchr("kKMGTB", unit))
		return pk_parse_size(text, &options->split_size) && options->split_size;
	return unit && strchr("smhd", unit) && pk_parse_time(text, &options->split_time) &&
	       options->split_time >= 100000000;
}

static bool parse_priority(struct options *options, const char *text)
{
	uint64_t priority;

	if (!parse_positive(text, 99, &priority))
		return false;
	options->priority = (int)priority;
	return true;
}

static bool parse_level(struct options *options, const char *text)
{
	uint64_t level;

	options->compress = true;
	options->level = 1;
	if (!text)
		return true;
	if (!pk_parse_u64(text, &level) || !level || level > 19)
		return false;
	options->level = (int)level;
	return true;
}

static bool parse_buffer(struct options *options, const char *text)
{
	uint64_t size;

	if (!pk_parse_size(text, &size) || size > SIZE_MAX / 4)
		return false;
	options->buffer = (size_t)size;
	return true;
}

static bool parse_keep(struct options *options, const char *text)
{
	uint64_t keep;

	if (!parse_positive(text, 1000000, &keep))
		return false;
	options->keep = (size_t)keep;
	return true;
}

static bool parse_patience(struct options *options, const char *text)
{
	options->patience = PATIENCE_FOREVER;
	return !text || pk_parse_time(text, &options->patience);
}

/* What samples of memory accesses need, as in perf mem record. */
static void record_data(struct options *options)
{
	options->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	options->track_flags |= PERF_ATTR_MMAP_DATA;
}

static bool parse_memory(struct options *options, const char *text)
{
	const bool loads = !text || !strcmp(text, "load") || !strcmp(text, "load,store");
	const bool stores = !text || !strcmp(text, "store") || !strcmp(text, "load,store");

	options->memory |= (loads ? MEMORY_LOADS : 0) | (stores ? MEMORY_STORES : 0);
	options->sample_type |= SAMPLE_WEIGHTS;
	record_data(options);
	return loads || stores;
}

/* The tasks are observed by their ids, so the events are opened on each CPU also with -t and -i. */
static bool parse_strings(struct options *options, const char *text)
{
	uint64_t size = STRINGS_USUAL;

	if (text && !parse_positive(text, STRINGS_MAX, &size))
		return false;
	options->strings = (uint32_t)size;
	return true;
}

/* The first value of a name counts, for all readers, too. */
static bool parse_label(struct options *options, const char *text)
{
	struct record_label *label = &options->labels[options->labels_count];
	const char *equals = strchr(text, '=');
	const size_t size = equals ? (size_t)(equals - text) : 0;

	if (!size || size > PK_LABEL_NAME_MAX || options->labels_count == RECORD_LABELS_MAX ||
	    strlen(equals + 1) > PK_LABEL_VALUE_MAX)
		return false;
	memcpy(label->name, text, size);
	label->name[size] = '\0';
	label->value = equals + 1;
	options->labels_count++;
	return pk_label_name_is_valid(label->name);
}

/* flat switch */
bool parse_argument(struct options *options, int option, const char *text)
{
	switch (option) {
	case 'F': return parse_frequency(options, text);
	case 'c': return parse_positive(text, INT64_MAX, &options->period);
	case OPTION_CALL_GRAPH: return parse_call_graph(options, text);
	case OPTION_MAX_STACK: return parse_max_stack(options, text);
	case OPTION_FOR: return parse_duration(options, text);
	case 'm': return parse_ring_size(options, text);
	case 'k': return parse_clock(options, text);
	case 'p': return parse_list(&options->target.pids, text, "0123456789,");
	case 't':
		options->no_inherit = options->target.per_task = true;
		return parse_list(&options->target.tids, text, "0123456789,");
	case 'u': options->target.uids = text; return *text;
	case 'C': return parse_list(&options->target.cpus, text, "0123456789,-");
	case 'j': return pk_branch_modes_parse(text, &options->branch_type);
	case 'D': return parse_delay(options, text);
	case 'x':
		options->events.object = text;
		pk_protect_input(text);
		return *text;
	case 'G':
		options->cgroups = text;
		options->target.system_wide = true;
		return *text;
	case OPTION_SPLIT: return parse_split(options, text);
	case OPTION_KEEP: return parse_keep(options, text);
	case OPTION_MAX_SIZE: return pk_parse_size(text, &options->max_size) && options->max_size;
	case OPTION_BUFFER: return parse_buffer(options, text);
	case OPTION_BLOCK: return parse_patience(options, text);
	case 'z': return parse_level(options, text);
	case 'I': return registers_parse(text, &options->interrupt_registers);
	case OPTION_USER_REGS: return registers_parse(text, &options->user_registers);
	case 'r': return parse_priority(options, text);
	case OPTION_PID_FILE: options->pid_file = text; return *text;
	case OPTION_CONTROL: options->control = text; return *text;
	case OPTION_OFF_CPU:
		options->off_cpu = true;
		return !text || pk_parse_time(text, &options->off_cpu_threshold);
	case OPTION_STRINGS: return parse_strings(options, text);
	case OPTION_BPF_INTERVAL:
		return pk_parse_time(text, &options->bpf.interval) &&
		       options->bpf.interval >= BPF_INTERVAL_LEAST;
	case OPTION_MEM: return parse_memory(options, text);
	case OPTION_LDLAT: return parse_positive(text, UINT16_MAX, &options->memory_latency);
	case OPTION_LABEL: return parse_label(options, text);
	case OPTION_FAIL_ON: return pk_parse_fail_on(text, &options->fail_on);
	case 'o': options->output = strcmp(text, "-") ? text : NULL; return true;
	default: return false;
	}
}

/* flat switch */
bool parse_switch(struct options *options, int option)
{
	switch (option) {
	case 'g':
		if (options->callchain <= CALLCHAIN_AUTO)
			options->callchain = CALLCHAIN_FP;
		return true;
	case 'a': options->target.system_wide = true; return true;
	case 'i': options->no_inherit = options->target.per_task = true; return true;
	case 'b': options->branch_type |= BRANCH_ANY; return true;
	case 'd': record_data(options); return true;
	case OPTION_C2C:
		options->sample_type |= PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CPU;
		return parse_memory(options, NULL);
	case 'W': options->sample_type |= SAMPLE_WEIGHTS; return true;
	case 'n': options->no_samples = true; return true;
	case 's':
		options->flags |= PERF_ATTR_INHERIT_STAT;
		options->read_format |= RUNNING_TIME;
		return true;
	case 'T': options->sample_type |= PERF_SAMPLE_TIME; return true;
	case 'P': options->sample_type |= PERF_SAMPLE_PERIOD; return true;
	case 'B':
	case 'N':
	case OPTION_NOTHING: return true;
	case OPTION_NO_BPF_EVENT: options->not_tracked |= PERF_ATTR_BPF_EVENT; return true;
	case OPTION_NO_BUFFERING: options->unbuffered = true; return true;
	case OPTION_PER_THREAD: options->no_inherit = options->target.per_task = true; return true;
	case OPTION_RUNNING_TIME: options->read_format |= RUNNING_TIME; return true;
	case OPTION_SAMPLE_IDENTIFIER: options->sample_type |= PERF_SAMPLE_IDENTIFIER; return true;
	case OPTION_STRICT_FREQ: options->strict_frequency = true; return true;
	case 'R': options->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CPU; return true;
	case OPTION_SAMPLE_CPU: options->sample_type |= PERF_SAMPLE_CPU; return true;
	case OPTION_PHYS_DATA: options->sample_type |= PERF_SAMPLE_PHYS_ADDR; return true;
	case OPTION_DATA_PAGE_SIZE: options->sample_type |= PERF_SAMPLE_DATA_PAGE_SIZE; return true;
	case OPTION_CODE_PAGE_SIZE: options->sample_type |= PERF_SAMPLE_CODE_PAGE_SIZE; return true;
	case OPTION_TRANSACTION: options->sample_type |= PERF_SAMPLE_TRANSACTION; return true;
	case OPTION_ALL_CGROUPS:
		options->sample_type |= PERF_SAMPLE_CGROUP;
		options->track_flags |= PERF_ATTR_CGROUP;
		return true;
	case OPTION_NAMESPACES: options->track_flags |= PERF_ATTR_NAMESPACES; return true;
	case OPTION_SWITCH_EVENTS: options->track_flags |= PERF_ATTR_CONTEXT_SWITCH; return true;
	case OPTION_ALL_USER: options->all_user = true; return true;
	case OPTION_ALL_KERNEL: options->all_kernel = true; return true;
	case OPTION_KERNEL_CALLCHAINS:
		options->flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
		return true;
	case OPTION_USER_CALLCHAINS:
		options->flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;
		return true;
	case OPTION_OVERWRITE: options->flags |= PERF_ATTR_WRITE_BACKWARD; return true;
	case OPTION_INHERIT: options->no_inherit = options->target.per_task = false; return true;
	case OPTION_INCLUDE_SELF: options->include_self = true; return true;
	case OPTION_EXCLUDE_SELF: options->include_self = false; return true;
	default: return false;
	}
}

const char *option_wants(int option)
{
	switch (option) {
	case 'F': return "a number of samples per second, or max";
	case 'c': return "a number of events";
	case OPTION_CALL_GRAPH:
		return "auto; fp; fp,defer; lbr; or dwarf[,BYTES] with at most 65528 bytes";
	case OPTION_MAX_STACK: return "a number of frames";
	case OPTION_FOR: return "a time such as 30s, 500ms or 5m";
	case 'm': return "a number of pages, or bytes with k or M, at most 1024M";
	case 'k': return "monotonic, monotonic_raw, realtime, boottime or tai";
	case 'u': return "users, by name or number";
	case 'j': return "kinds of branches: any, any_call, any_ret, ind_call, cond, u, k ...";
	case 'D':
		return "milliseconds, ranges of them such as 10-20,30-40, or -1: until --control "
		       "says enable";
	case 'x': return "a file with code";
	case 'G': return "control groups, by their paths below /sys/fs/cgroup";
	case OPTION_MEM: return "load, store, or load,store";
	case OPTION_LDLAT: return "a number of cycles from 1 to 65535";
	case OPTION_SPLIT: return "a time from 0.1s on, such as 10m, or a size, such as 100M";
	case OPTION_KEEP: return "a number of files";
	case OPTION_MAX_SIZE: return "a size such as 100M";
	case OPTION_BUFFER: return "a size such as 64M";
	case OPTION_BLOCK: return "a time such as 30s, or nothing";
	case 'z': return "a level from 1 to 19";
	case 'r': return "a priority from 1 to 99";
	case 'I':
	case OPTION_USER_REGS: return "registers such as ax,ip; ? lists them";
	case OPTION_PID_FILE: return "a file";
	case OPTION_OFF_CPU: return "a time such as 1ms or 10us, or nothing";
	case OPTION_BPF_INTERVAL: return "a time from 10ms on, such as 1s";
	case OPTION_STRINGS: return "a number of bytes from 1 to 1024, or nothing";
	case OPTION_LABEL:
		return "NAME=VALUE: letters, digits and _ in the name, at most 64 bytes, and at "
		       "most 4096 in "
		       "the value; at most 64 labels";
	case OPTION_FAIL_ON: return "lost, or lost=PERCENT";
	case OPTION_CONTROL: return "fifo:COMMANDS[,ANSWERS] or fd:NUMBER[,NUMBER]";
	case 'C': return "CPUs such as 0-3,8";
	default: return "ids, separated by commas";
	}
}
