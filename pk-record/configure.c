// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "cli.h"
#include "configure.h"
#include "pkstream.h"

#define DEFAULT_FREQUENCY 4000 /* Hz, as perf's */

/* The registers that an unwinder wants, by architecture: all that stand in perf's own mask. */
#if defined(__x86_64__)
#define USER_REGISTERS UINT64_C(0xff0fff)
#elif defined(__aarch64__)
#define USER_REGISTERS UINT64_C(0x1ffffffff)
#elif defined(__arm__)
#define USER_REGISTERS UINT64_C(0xffff)
#elif defined(__riscv)
#define USER_REGISTERS UINT64_C(0xffffffff)
#elif defined(__s390x__)
#define USER_REGISTERS UINT64_C(0x3ffffffff)
#else
#define USER_REGISTERS UINT64_C(0)
#endif

#define TRACKING                                                                                   \
	(PERF_ATTR_MMAP | PERF_ATTR_MMAP2 | PERF_ATTR_COMM | PERF_ATTR_COMM_EXEC |                 \
	 PERF_ATTR_TASK | PERF_ATTR_KSYMBOL | PERF_ATTR_BPF_EVENT | PERF_ATTR_BUILD_ID)

/* What was asked for, as far as the kernel lets it be; 0 if periods were asked for. */
static uint64_t choose_frequency(const struct options *options)
{
	const uint64_t limit = frequency_limit();
	char wanted[32], allowed[32];

	if (options->period)
		return 0;
	if (options->frequency == FREQUENCY_MAX) {
		pk_info("sampling at %s Hz, the most that this kernel allows",
			pk_number(allowed, limit));
		return limit;
	}
	if (options->frequency <= limit)
		return options->frequency	   ? options->frequency
		       : limit < DEFAULT_FREQUENCY ? limit
						   : DEFAULT_FREQUENCY;
	pk_warn("-F %s: this kernel allows %s Hz now: see kernel.perf_event_max_sample_rate",
		pk_number(wanted, options->frequency), pk_number(allowed, limit));
	return limit;
}

static void set_rate(struct event *event, const struct options *options, uint64_t frequency)
{
	struct perf_attr *attr = &event->attr;
	const bool asked = options->frequency || options->period;

	if (event->tracepoint) {
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD;
		if (!asked) {
			attr->sample_period = 1;
			return;
		}
	}
	if (frequency) {
		attr->flags |= PERF_ATTR_FREQ;
		attr->sample_type |= PERF_SAMPLE_PERIOD;
		attr->sample_period = frequency;
	} else {
		attr->sample_period = options->period;
	}
}

static void set_callchain(struct event *event, const struct options *options)
{
	struct perf_attr *attr = &event->attr;

	if (options->callchain == CALLCHAIN_NONE)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = options->max_stack;
	if (options->callchain == CALLCHAIN_DEFER)
		attr->flags |= PERF_ATTR_DEFER_CALLCHAIN;
	if (options->callchain != CALLCHAIN_DWARF)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	attr->sample_regs_user = USER_REGISTERS;
	attr->sample_stack_user = options->stack_size;
}

static void set_tracking(struct event *event, const struct options *options)
{
	event->attr.flags |= TRACKING;
	if (options->callchain == CALLCHAIN_DEFER)
		event->attr.flags |= PERF_ATTR_DEFER_OUTPUT;
}

/* What all events have in common, so that all their records have the same trailer. */
static void set_common(struct event *event, const struct options *options,
		       const struct targets *targets, uint64_t sample_type)
{
	struct perf_attr *attr = &event->attr;

	attr->flags |= PERF_ATTR_SAMPLE_ID_ALL;
	attr->sample_type |= sample_type | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	/* Before Linux 6.12, counter values and inheritance exclude each other. */
	if (event->sample_read)
		attr->sample_type |= PERF_SAMPLE_READ;
	else if (!targets->system_wide && !options->no_inherit)
		attr->flags |= PERF_ATTR_INHERIT;
	if (options->use_clockid) {
		attr->flags |= PERF_ATTR_USE_CLOCKID;
		attr->clockid = options->clockid;
	}
}

static bool add_dummy(struct event_list *events)
{
	struct event *event = events_add(events, "dummy:u");

	if (!event)
		return false;
	event->tracking = true;
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_DUMMY;
	event->attr.flags =
		PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_GUEST;
	return true;
}

/* IDENTIFIER is for telling events apart; an event whose ids do not fit into one HEADER_ATTR is
 * several for a reader. */
static uint64_t common_sample_type(const struct event_list *events, const struct targets *targets)
{
	const size_t ids = targets->cpus_count * targets->tids_count;
	uint64_t type = 0;

	if (events->count > 1 || ids > ATTR_IDS_MAX)
		type |= PERF_SAMPLE_IDENTIFIER;
	if (targets->system_wide)
		type |= PERF_SAMPLE_CPU;
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].tracepoint)
			type |= PERF_SAMPLE_CPU;
	return type;
}

bool configure_events(struct event_list *events, const struct options *options,
		      const struct targets *targets, bool on_exec)
{
	uint64_t frequency, sample_type;

	if (options->callchain == CALLCHAIN_DWARF && !USER_REGISTERS) {
		pk_error("--call-graph dwarf: not supported on this architecture: use fp");
		return false;
	}
	if ((!events->count && !events_parse(events, "cycles:P")) ||
	    (targets->system_wide && !add_dummy(events)))
		return false;
	frequency = choose_frequency(options);
	sample_type = common_sample_type(events, targets);
	for (size_t i = 0; i < events->count; i++) {
		struct event *event = &events->items[i];

		set_common(event, options, targets, sample_type);
		if (event->tracking || (i == 0 && !targets->system_wide))
			set_tracking(event, options);
		/* The dummy runs from the start: what happens while existing tasks are being
		 * listed must not be missed. */
		if (event->tracking)
			continue;
		event->attr.flags |= PERF_ATTR_DISABLED;
		if (on_exec)
			event->attr.flags |= PERF_ATTR_ENABLE_ON_EXEC;
		set_rate(event, options, frequency);
		set_callchain(event, options);
	}
	return true;
}

size_t trailer_size(const struct perf_attr *attr)
{
	return 8 * (size_t)__builtin_popcountll(attr->sample_type & PERF_SAMPLE_ID_ALL);
}

/* The order is pid and tid, time, id, stream id, cpu, identifier (SPEC 5.5). */
void trailer_fill(const struct perf_attr *attr, uint8_t *end, uint64_t id, uint32_t cpu)
{
	const uint64_t type = attr->sample_type;

	memset(end - trailer_size(attr), 0, trailer_size(attr));
	if (type & PERF_SAMPLE_IDENTIFIER) {
		end -= 8;
		pk_store_u64(end, id);
	}
	if (type & PERF_SAMPLE_CPU)
		pk_store_u32(end - 8, cpu);
}
