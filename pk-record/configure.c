// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <string.h>

#include "aux_events.h"
#include "cli.h"
#include "configure.h"
#include "offcpu_wakers.h"
#include "lookups.h"
#include "offcpu.h"
#include "pkprivate.h"
#include "pkstream.h"
#include "register_mask.h"

/* The kinds of branches for LBR call stacks: user, call stack, no cycles, no flags, hardware index.
 */
#define LBR_CALLS UINT64_C(0x2c801)

#define TRACKING                                                                                   \
	(PERF_ATTR_MMAP | PERF_ATTR_MMAP2 | PERF_ATTR_COMM | PERF_ATTR_COMM_EXEC |                 \
	 PERF_ATTR_TASK | PERF_ATTR_KSYMBOL | PERF_ATTR_BPF_EVENT | PERF_ATTR_BUILD_ID)

/* Returns the sampling frequency in Hz. It is the requested frequency or the default, but at most
 * the frequency that the kernel allows. Returns 0 if -c requests a period. */
static uint64_t choose_frequency(const struct options *options)
{
	const uint64_t limit = pk_frequency_limit(pk_lookups());
	char wanted[32], allowed[32];

	if (options->sampling.period)
		return 0;
	if (options->sampling.frequency == FREQUENCY_MAX) {
		pk_info("sampling at %s Hz, the most that this kernel allows",
			pk_number(allowed, limit));
		return limit;
	}
	if (!options->sampling.frequency)
		return limit < options->sampling.usual_frequency
			       ? limit
			       : options->sampling.usual_frequency;
	if (options->sampling.frequency <= limit)
		return options->sampling.frequency;
	pk_warn("-F %s: this kernel allows %s Hz now: see kernel.perf_event_max_sample_rate",
		pk_number(wanted, options->sampling.frequency), pk_number(allowed, limit));
	return limit;
}

static bool is_software(const struct event *event, uint64_t config)
{
	return event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == config;
}

static bool is_dummy(const struct event *event)
{
	return is_software(event, PERF_COUNT_SW_DUMMY);
}

/* How the callchains of one event are recorded. */
struct callchain {
	enum callchain_mode mode;
	enum callchain_mode not_unwound;
	bool also_dump; /* samples also have a stack dump, because the event has the term stack-size
			 */
	uint32_t stack_size;
	uint16_t max_stack;
};

/* Chooses the callchain of an event. set_kind() must have been called for the event. */
static struct callchain choose_callchain(const struct event *event, const struct options *options)
{
	const bool each = event->attr.sample_period == 1 && !options->sampling.frequency &&
			  !options->sampling.period;
	const bool none =
		event->trace || (event->no_dump && options->stacks.mode == CALLCHAIN_DWARF);

	return (struct callchain){
		.mode = none ? CALLCHAIN_NONE : options->stacks.mode,
		.not_unwound = event->no_dump ? CALLCHAIN_FP : options->stacks.not_unwound,
		.stack_size = each ? options->stacks.probe_stack_size : options->stacks.stack_size,
		.max_stack = options->stacks.max_stack,
	};
}

/* Sets the flags that depend on the kind of the event. */
static void set_kind(struct event *event)
{
	struct perf_attr *attr = &event->attr;

	if (event->tracepoint || is_software(event, PERF_COUNT_SW_BPF_OUTPUT)) {
		attr->sample_type |=
			PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
		attr->sample_period = 1;
	}
	if (event->tracking)
		attr->sample_period = 1;
}

static void set_rate(struct event *event, const struct options *options, uint64_t frequency)
{
	struct perf_attr *attr = &event->attr;
	const bool asked = options->sampling.frequency || options->sampling.period;

	if (attr->sample_period && !asked)
		return;
	/* Tracking events get no frequency. Otherwise the kernel would run a timer to adjust the
	 * period of an event that never occurs. */
	if (frequency && !event->tracking) {
		attr->flags |= PERF_ATTR_FREQ;
		attr->sample_period = frequency;
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	} else if (!frequency) {
		attr->sample_period = options->sampling.period;
	}
}

/* Records the link register. pk-unwind and perf use it to add the caller to the callchain. */
static void set_link_register(struct event *event)
{
	const uint64_t link = registers_link();

	if (!link || is_dummy(event) || event->attr.flags & PERF_ATTR_EXCLUDE_USER)
		return;
	event->attr.sample_type |= PERF_SAMPLE_REGS_USER;
	event->attr.sample_regs_user |= link;
}

/* Records the word at the stack pointer, which pk-unwind uses to add the caller to the callchain.
 * Does not record registers, because perf would then unwind the stack. */
static void set_return_word(struct event *event)
{
	struct perf_attr *attr = &event->attr;

	if (!event->probe.at_entry || !registers_return_on_stack() ||
	    attr->flags & PERF_ATTR_EXCLUDE_USER)
		return;
	attr->sample_type |= PERF_SAMPLE_STACK_USER;
	if (attr->sample_stack_user < PK_RETURN_WORD)
		attr->sample_stack_user = PK_RETURN_WORD;
}

/* Returns true if a BPF program can run for each sample of the event, and if the options allow the
 * user callchains that it adds. */
static bool can_unwind(const struct event *event)
{
	return !event->tracking && !event->bpf.output &&
	       !is_software(event, PERF_COUNT_SW_BPF_OUTPUT) &&
	       !(event->attr.flags & PERF_ATTR_EXCLUDE_CALLCHAIN_USER);
}

static void set_callchain(struct event *event, const struct callchain *chosen)
{
	struct callchain callchain = *chosen;
	struct perf_attr *attr = &event->attr;

	if (callchain.mode == CALLCHAIN_NONE)
		return;
	event->bpf.unwound = callchain.mode == CALLCHAIN_UNWIND && can_unwind(event);
	if (callchain.mode == CALLCHAIN_UNWIND && !event->bpf.unwound)
		callchain.mode = callchain.not_unwound;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = callchain.max_stack;
	if (callchain.mode == CALLCHAIN_DEFER)
		attr->flags |= PERF_ATTR_DEFER_CALLCHAIN;
	if (callchain.mode == CALLCHAIN_LBR && !(attr->flags & PERF_ATTR_EXCLUDE_USER)) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = LBR_CALLS;
	}
	if (callchain.mode == CALLCHAIN_FP || callchain.mode == CALLCHAIN_DEFER) {
		set_link_register(event);
		set_return_word(event);
	}
	if (callchain.mode != CALLCHAIN_DWARF && !callchain.also_dump)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	if (callchain.mode == CALLCHAIN_DWARF)
		attr->flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	attr->sample_regs_user = registers_all();
	attr->sample_stack_user = callchain.stack_size;
}

/* Removes the callchain of an event. Keeps the flags that --kernel-callchains and --user-callchains
 * have set. */
static void unset_callchain(struct event *event, const struct options *options)
{
	struct perf_attr *attr = &event->attr;

	attr->sample_type &=
		~(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	event->bpf.unwound = false;
	attr->flags &= ~(PERF_ATTR_EXCLUDE_CALLCHAIN_USER | PERF_ATTR_DEFER_CALLCHAIN);
	attr->flags |= options->sampling.flags & PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	attr->sample_regs_user = attr->sample_stack_user = attr->sample_max_stack = 0;
	if (attr->branch_sample_type == LBR_CALLS) {
		attr->sample_type &= ~PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = 0;
	}
}

/* Applies the terms call-graph, max-stack and stack-size of an event. They replace the options. */
static void apply_callchain_terms(struct event *event, const struct options *options)
{
	static const enum callchain_mode modes[] = {
		[EVENT_CALLCHAIN_NO] = CALLCHAIN_NONE,
		[EVENT_CALLCHAIN_FP] = CALLCHAIN_FP,
		[EVENT_CALLCHAIN_DWARF] = CALLCHAIN_DWARF,
		[EVENT_CALLCHAIN_LBR] = CALLCHAIN_LBR,
	};
	const struct event_terms *terms = &event->terms;
	struct callchain callchain = {
		.mode = options->stacks.mode,
		.not_unwound = options->stacks.not_unwound,
		.stack_size = terms->stack_size ? terms->stack_size : options->stacks.stack_size,
		.max_stack = terms->max_stack ? terms->max_stack : options->stacks.max_stack,
	};

	if (terms->callchain)
		callchain.mode = modes[terms->callchain];
	else if (terms->max_stack)
		callchain.mode = CALLCHAIN_FP;
	else if (!terms->stack_size)
		return;
	if (!callchain.stack_size)
		callchain.stack_size = STACK_SIZE_DEFAULT;
	callchain.also_dump = callchain.mode == CALLCHAIN_UNWIND && terms->stack_size;
	unset_callchain(event, options);
	set_callchain(event, &callchain);
}

static void set_flag(struct perf_attr *attr, uint64_t flag, enum event_switch wanted)
{
	if (wanted == EVENT_ON)
		attr->flags |= flag;
	else if (wanted == EVENT_OFF)
		attr->flags &= ~flag;
}

static void apply_terms(struct event *event, const struct options *options)
{
	const struct event_terms *terms = &event->terms;
	struct perf_attr *attr = &event->attr;

	if (terms->period) {
		attr->sample_period = terms->period;
		attr->flags &= ~PERF_ATTR_FREQ;
		attr->sample_type &= ~PERF_SAMPLE_PERIOD;
		attr->sample_type |=
			options->sampling.sample_type & PERF_SAMPLE_PERIOD; /* set by -P */
	} else if (terms->frequency) {
		attr->sample_period = terms->frequency;
		attr->flags |= PERF_ATTR_FREQ;
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	}
	if (terms->time == EVENT_OFF)
		attr->sample_type &= ~PERF_SAMPLE_TIME;
	if (terms->branch_type) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = terms->branch_type;
	}
	set_flag(attr, PERF_ATTR_INHERIT, terms->inherit);
	set_flag(attr, PERF_ATTR_WRITE_BACKWARD, terms->overwrite);
	apply_callchain_terms(event, options);
}

static void set_registers(struct event *event, const struct options *options)
{
	struct perf_attr *attr = &event->attr;

	if (is_dummy(event) || event->bpf.own_samples || event->trace)
		return;
	if (options->sampling.interrupt_registers)
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
	if (options->sampling.user_registers)
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
	attr->sample_regs_intr |= options->sampling.interrupt_registers;
	attr->sample_regs_user |= options->sampling.user_registers;
}

/* Records the registers and the part of the stack that contain a probe's arguments. Does not set
 * EXCLUDE_CALLCHAIN_USER, because readers unwind a stack dump only if this flag is set. */
static void set_arguments(struct event *event)
{
	const uint64_t registers =
		event->probe.arguments ? pk_arguments_registers(event->probe.arguments) : 0;
	struct perf_attr *attr = &event->attr;

	if (!registers)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER;
	attr->sample_regs_user |= registers;
	if (!event->probe.stack)
		return;
	attr->sample_type |= PERF_SAMPLE_STACK_USER;
	if (attr->sample_stack_user < event->probe.stack)
		attr->sample_stack_user = event->probe.stack;
}

/* Returns true if switches to recorded tasks can be missing. The reason is that samples of
 * sched_switch are taken in the context of the task that stops running. If only some tasks are
 * recorded, switches from other tasks to them have no sample. */
static bool lacks_switches(const struct event_list *events, const struct targets *targets)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];

		if (event->tracepoint && !strcmp(event->tracepoint, "sched/sched_switch") &&
		    !event->bpf.output && (!targets->system_wide || event->cgroup))
			return true;
	}
	return false;
}

static void set_tracking(struct event *event, const struct options *options, bool switches)
{
	event->attr.flags |= (TRACKING & ~options->sampling.not_tracked) |
			     options->sampling.track_flags |
			     (switches ? PERF_ATTR_CONTEXT_SWITCH : 0);
	if (options->stacks.mode == CALLCHAIN_DEFER)
		event->attr.flags |= PERF_ATTR_DEFER_OUTPUT;
}

static void set_modes(struct perf_attr *attr, const struct options *options)
{
	if (options->sampling.all_user) {
		attr->flags |= PERF_ATTR_EXCLUDE_KERNEL;
		attr->flags &= ~PERF_ATTR_EXCLUDE_USER;
	}
	if (options->sampling.all_kernel) {
		attr->flags |= PERF_ATTR_EXCLUDE_USER;
		attr->flags &= ~PERF_ATTR_EXCLUDE_KERNEL;
	}
}

static void set_common(struct event *event, const struct options *options,
		       const struct targets *targets)
{
	struct perf_attr *attr = &event->attr;

	attr->flags |= PERF_ATTR_SAMPLE_ID_ALL | options->sampling.flags;
	attr->sample_type |=
		options->sampling.sample_type | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST | options->sampling.read_format;
	attr->wakeup_events = options->buffers.unbuffered;
	if (targets->system_wide)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (!options->no_inherit)
		attr->flags |= PERF_ATTR_INHERIT;
	if (options->sampling.branch_type) {
		attr->branch_sample_type = options->sampling.branch_type;
		if (!is_dummy(event))
			attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	}
	if (options->sampling.use_clockid) {
		attr->flags |= PERF_ATTR_USE_CLOCKID;
		attr->clockid = options->sampling.clockid;
	}
	set_modes(attr, options);
}

/* Adds the dummy event. It tracks tasks and maps from the start of the recording, even if other
 * events are enabled later. */
static bool add_dummy(struct event_list *events)
{
	const bool traced = pk_event_list_trace(events);
	struct event *event = pk_event_list_add(events, traced ? "dummy:u" : "dummy:HG");

	if (!event)
		return false;
	event->tracking = true;
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_DUMMY;
	if (traced)
		event->attr.flags |=
			PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_GUEST;
	return true;
}

/* Returns true if an event is not on all CPUs. Such an event could not track tasks on the other
 * CPUs. */
static bool on_some_cpus(const struct event_list *events, const struct targets *targets)
{
	for (size_t i = 0; i < events->count; i++)
		for (size_t cpu = 0; cpu < targets->cpus_count; cpu++)
			if (!pk_event_has_cpu(&events->items[i], targets->cpus[cpu]))
				return true;
	return false;
}

/* For the modifier S: only the first event of the group takes samples. The samples have the values
 * of all counters of the group. */
static void set_group_sampling(const struct event_list *events, struct event *event, size_t index)
{
	const struct event *leader = &events->items[event->leader];
	struct perf_attr *attr = &event->attr;

	if (event->letters.sample_read) {
		attr->sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_ID;
		if (pk_event_group_size(events, event) > 1) {
			attr->read_format |= PERF_FORMAT_GROUP;
			attr->flags &= ~PERF_ATTR_INHERIT;
		}
	}
	if (event->leader == index || !leader->letters.sample_read)
		return;
	if (!event->terms.period && !event->terms.frequency) {
		attr->flags &= ~PERF_ATTR_FREQ;
		attr->sample_period = 0;
	}
	if (!event->terms.overwrite)
		attr->flags &= ~PERF_ATTR_WRITE_BACKWARD;
	attr->sample_type = leader->attr.sample_type;
}

/* Adds an id to samples if there are several events. ID is sufficient if all samples have the same
 * layout. Otherwise IDENTIFIER is needed, which has the same offset in all samples. An event whose
 * ids do not fit into one HEADER_ATTR is treated like several events, because readers see several.
 */
static void set_ids(struct event_list *events, const struct targets *targets)
{
	bool same = true, unwound = events->items[0].bpf.unwound;
	uint64_t bit;

	for (size_t i = 1; i < events->count; i++)
		same &= events->items[i].attr.sample_type == events->items[0].attr.sample_type &&
			!events->items[i].bpf.format;
	for (size_t i = 1; i < events->count; i++)
		unwound |= events->items[i].bpf.unwound;
	if (!unwound && events->count == 1 && event_slots(targets) <= ATTR_IDS_MAX)
		return;
	same &= !unwound && !pk_event_list_trace(events) &&
		!(events->items[0].attr.sample_type & PERF_SAMPLE_IDENTIFIER);
	bit = same && event_slots(targets) <= ATTR_IDS_MAX ? PERF_SAMPLE_ID
							   : PERF_SAMPLE_IDENTIFIER;
	for (size_t i = 0; i < events->count; i++) {
		events->items[i].attr.sample_type &= ~(PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);
		events->items[i].attr.sample_type |= bit;
	}
}

/* Decides when an event starts to count. The tracking event starts at once, so that tasks that
 * start while tasks are listed are recorded. With -D, it only starts at once if it is system-wide.
 * Other events are disabled at first. Members of a group start with their leader. */
static void set_start(struct event *event, const struct options *options, size_t index,
		      const struct targets *targets, bool on_exec)
{
	struct perf_attr *attr = &event->attr;

	if (event->leader != index)
		return;
	if (event->tracking && (!options->timing.delay || targets->system_wide))
		return;

	/* If the exec of the command enables the events, this event is enabled at once. The BPF
	 * program waits for the exec instead. */
	if (event->bpf.output && on_exec && !options->timing.delay)
		return;
	attr->flags |= PERF_ATTR_DISABLED;
	if (on_exec && (!options->timing.delay || event->tracking))
		attr->flags |= PERF_ATTR_ENABLE_ON_EXEC;
}

/* Selects only the fields that offcpu.c writes. RAW is not selected, because with RAW, later
 * versions of perf expect all fields in the raw data. */
static void set_off_cpu(struct event *event, const struct options *options,
			const struct targets *targets)
{
	struct perf_attr *attr = &event->attr;

	set_common(event, options, targets);
	attr->sample_type &= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	attr->sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	attr->branch_sample_type = 0;
	attr->sample_period = 1;
	attr->sample_max_stack = options->stacks.max_stack;
}

/* Selects only the fields that offcpu_wakers.c writes. */
static void set_wakers(struct event *event, const struct options *options,
		       const struct targets *targets)
{
	set_off_cpu(event, options, targets);
	event->attr.sample_type |= PERF_SAMPLE_RAW;
}

/* Selects only the fields that user_bpf_records.c writes. */
static void set_own_samples(struct event *event, const struct options *options,
			    const struct targets *targets)
{
	struct perf_attr *attr = &event->attr;
	const uint64_t period = attr->sample_type & PERF_SAMPLE_PERIOD;

	set_common(event, options, targets);
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			    PERF_SAMPLE_RAW | period;
	attr->branch_sample_type = 0;
	attr->sample_period = 1;
}

static void configure_event(struct event *event, const struct options *options,
			    const struct targets *targets, uint64_t frequency)
{
	struct callchain callchain;

	if (event->bpf.off_cpu) {
		set_off_cpu(event, options, targets);
		return;
	}
	if (event->bpf.own_samples && event->attr.config == OFFCPU_WAKERS_FORMAT) {
		set_wakers(event, options, targets);
		return;
	}
	if (event->bpf.own_samples) {
		set_own_samples(event, options, targets);
		return;
	}
	set_kind(event);
	callchain = choose_callchain(event, options);
	set_common(event, options, targets);
	set_rate(event, options, frequency);
	set_callchain(event, &callchain);
	if (event->bpf.output) { /* the kernel sets no period in these samples */
		event->attr.sample_type &= ~PERF_SAMPLE_PERIOD;
		event->attr.sample_period = 1;
	}
	if (options->sampling.no_samples && !event->tracking)
		event->attr.sample_period = 0;
	if (event->trace)
		aux_event_configure(event, options, targets);
	if (event->tracking) /* reading user memory would fail for this event */
		event->attr.flags &= ~PERF_ATTR_DEFER_CALLCHAIN;
}

/* If all other events use overwritten rings, the tracking event does so, too. */
static void overwrite_tracking(struct event_list *events)
{
	uint64_t common = PERF_ATTR_WRITE_BACKWARD;
	struct event *last = &events->items[events->count - 1];

	for (size_t i = 0; i < events->count; i++)
		if (!events->items[i].tracking)
			common &= events->items[i].attr.flags;
	if (last->tracking)
		last->attr.flags |= common;
}

static bool add_offcpu_event(struct event_list *events)
{
	struct event *event = pk_event_list_add(events, OFFCPU_EVENT);

	if (!event)
		return false;
	event->bpf.off_cpu = true;
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	return true;
}

enum pk_status configure_events(struct event_list *events, const struct options *options,
				const struct targets *targets, bool on_exec)
{
	uint64_t frequency;
	bool dummy, switches;

	if (options->stacks.mode == CALLCHAIN_DWARF && !registers_all()) {
		pk_error("--call-graph dwarf: not supported on this architecture: use fp");
		return PK_FAILED;
	}
	if (options->sampling.strict_frequency && options->sampling.frequency != FREQUENCY_MAX &&
	    options->sampling.frequency > pk_frequency_limit(pk_lookups())) {
		pk_error("-F %" PRIu64 ": more than kernel.perf_event_max_sample_rate, %" PRIu64,
			 options->sampling.frequency, pk_frequency_limit(pk_lookups()));
		return PK_FAILED;
	}
	if (!events->count)
		PK_TRY(pk_printed(pk_event_list_parse(events, "cycles:P"), &events->messages));
	if (options->programs.off_cpu) {
		if (!add_offcpu_event(events))
			return PK_FAILED;
		if (options->programs.wakers)
			PK_TRY(pk_printed(offcpu_wakers_add_event(events), &events->messages));
		if (options->cgroups)
			PK_TRY(pk_event_list_set_cgroups(events, options->cgroups));
	}
	dummy = targets->system_wide || options->timing.delay || on_some_cpus(events, targets) ||
		events->items[0].bpf.output || pk_event_list_trace(events);
	if (dummy && !add_dummy(events))
		return PK_FAILED;
	frequency = choose_frequency(options);
	switches = lacks_switches(events, targets);
	for (size_t i = 0; i < events->count; i++) {
		struct event *event = &events->items[i];

		configure_event(event, options, targets, frequency);
		if (event->tracking || (i == 0 && !dummy))
			set_tracking(event, options, switches);
		if (event->tracking && pk_event_list_trace(events))
			aux_tracking_configure(event, targets);
		set_start(event, options, i, targets, on_exec);
		apply_terms(event, options);
		set_registers(event, options);
		set_arguments(event);
		aux_member_configure(event, &events->items[event->leader], options);
	}
	overwrite_tracking(events);
	for (size_t i = 0; i < events->count; i++)
		set_group_sampling(events, &events->items[i], i);
	set_ids(events, targets);
	return PK_OK;
}

size_t trailer_size(const struct perf_attr *attr)
{
	return 8 * (size_t)__builtin_popcountll(attr->sample_type & PERF_SAMPLE_ID_ALL);
}

size_t tracking_trailer(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].attr.flags & (PERF_ATTR_KSYMBOL | PERF_ATTR_BPF_EVENT))
			return trailer_size(&events->items[i].attr);
	return 0; /* the event takes no samples */
}

/* The order of the fields is: pid and tid, time, id, stream id, cpu, identifier (SPEC 5.5). */
void trailer_fill(const struct perf_attr *attr, uint8_t *end, uint64_t id, uint32_t cpu)
{
	const uint64_t type = attr->sample_type;

	memset(end - trailer_size(attr), 0, trailer_size(attr));
	if (type & PERF_SAMPLE_IDENTIFIER) {
		end -= 8;
		pk_store_u64(end, id);
	}
	if (type & PERF_SAMPLE_CPU) {
		end -= 8;
		pk_store_u32(end, cpu);
	}
	if (type & PERF_SAMPLE_STREAM_ID)
		end -= 8;
	if (type & PERF_SAMPLE_ID)
		pk_store_u64(end - 8, id);
}
