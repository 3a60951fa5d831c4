// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "pkutil.h"
#include "spe_events.h"
#include "trace_events.h"

/* What the events have in common: the operations that are samples of the event. */
struct kind {
	const char *name;
	uint64_t events;		/* operations with one of these events */
	bool classes[SPE_NO_CLASS + 1]; /* if `events` is 0: operations of these classes */
};

static const struct kind kinds[SPE_EVENTS] = {
	[SPE_EVENT_MEMORY] = {"memory", 0, {[SPE_MEMORY] = true}},
	[SPE_EVENT_BRANCH] = {"branch", 0, {[SPE_BRANCH] = true}},
	[SPE_EVENT_INSTRUCTIONS] = {"instructions", 0, {true, true, true, true}},
	[SPE_EVENT_L1D_MISS] = {"l1d-miss", SPE_L1D_MISS, {false}},
	[SPE_EVENT_L1D_ACCESS] = {"l1d-access", SPE_L1D_ACCESS, {false}},
	[SPE_EVENT_LLC_MISS] = {"llc-miss", SPE_LLC_MISS, {false}},
	[SPE_EVENT_LLC_ACCESS] = {"llc-access", SPE_LLC_ACCESS, {false}},
	[SPE_EVENT_TLB_MISS] = {"tlb-miss", SPE_TLB_MISS, {false}},
	[SPE_EVENT_TLB_ACCESS] = {"tlb-access", SPE_TLB_ACCESS, {false}},
	[SPE_EVENT_REMOTE_ACCESS] = {"remote-access", SPE_REMOTE, {false}},
};

const char *spe_event_name(enum spe_event event)
{
	return kinds[event].name;
}

/* ---- Events ---- */

/* Returns the attr of one of the events. Branches have a branch stack, because only a branch stack
 * can tell whether the branch was predicted. */
static struct perf_attr attr_of(const struct spe_events *made, enum spe_event event)
{
	struct perf_attr attr = made->attr;

	if (event == SPE_EVENT_BRANCH) {
		attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	}
	if (event == SPE_EVENT_INSTRUCTIONS)
		attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	return attr;
}

enum pk_status spe_events_write(struct spe_events *made, const struct pk_events *events,
				uint32_t pmu_type, struct pk_writer *writer)
{
	const uint64_t type =
		PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
	const struct pk_event *recorded = trace_recorded_event(events, pmu_type);

	made->attr = trace_attr(events, recorded,
				type | (recorded->attr.sample_type & PERF_SAMPLE_PHYS_ADDR));
	made->attr.sample_period = made->every;
	trace_choose_ids(events, recorded, made->ids, SPE_EVENTS);
	for (int i = 0; i < SPE_EVENTS; i++) {
		const struct perf_attr attr = attr_of(made, (enum spe_event)i);

		if (made->wanted[i])
			trace_write_event(writer, &attr, made->ids[i], kinds[i].name);
	}
	return pk_writer_status(writer);
}

/* ---- Samples ---- */

/* Bits of the flags of a branch, and its types. */
enum {
	BRANCH_MISPREDICTED = 1 << 0,
	BRANCH_PREDICTED = 1 << 1,
	BRANCH_IN_TRANSACTION = 1 << 2,
	BRANCH_CYCLES_SHIFT = 4,
	BRANCH_CYCLES_MAX = 0xffff,
	BRANCH_TYPE_SHIFT = 20,
	BRANCH_NOT_TAKEN_SHIFT = 33,
};
enum {
	TYPE_UNKNOWN = 0,
	TYPE_COND = 1,
	TYPE_UNCOND = 2,
	TYPE_CALL = 4,
	TYPE_RET = 6,
	TYPE_COND_CALL = 9,
	TYPE_COND_RET = 10,
};

/* An indirect branch that is not known to be a call counts as a return, as in perf. */
static uint64_t branch_type(const struct spe_record *record)
{
	const bool conditional = record->conditional;

	if (record->kind == SPE_BRANCH_CALL)
		return conditional ? TYPE_COND_CALL : TYPE_CALL;
	if (record->kind == SPE_BRANCH_RETURN || record->indirect)
		return conditional ? TYPE_COND_RET : TYPE_RET;
	if (conditional)
		return TYPE_COND;
	return record->kind == SPE_BRANCH_OTHER ? TYPE_UNCOND : TYPE_UNKNOWN;
}

static uint64_t branch_flags(const struct spe_record *record)
{
	const uint64_t events = record->events;
	const uint64_t cycles =
		record->latency < BRANCH_CYCLES_MAX ? record->latency : BRANCH_CYCLES_MAX;

	return (events & SPE_MISPREDICTED ? BRANCH_MISPREDICTED : BRANCH_PREDICTED) |
	       (events & SPE_IN_TRANSACTION ? BRANCH_IN_TRANSACTION : 0) |
	       cycles << BRANCH_CYCLES_SHIFT | branch_type(record) << BRANCH_TYPE_SHIFT |
	       (uint64_t) !!(events & SPE_NOT_TAKEN) << BRANCH_NOT_TAKEN_SHIFT;
}

/* Writes a branch stack of one branch. */
static uint8_t *put_branch(uint8_t *at, const struct spe_record *record)
{
	at = pk_put_u64(at, 1);
	at = pk_put_u64(at, record->ip);
	at = pk_put_u64(at, record->target);
	return pk_put_u64(at, branch_flags(record));
}

/* The size of a sample, for its sample_type. */
static size_t size_of(uint64_t type, const struct spe_sample *sample)
{
	const size_t words =
		1 + (size_t)__builtin_popcountll(type) + (type & PERF_SAMPLE_BRANCH_STACK ? 3 : 0);

	return 8 * words + (sample->trailer ? PK_STACK_TRAILER_SIZE : 0);
}

/* Samples of operations of memory have the address of the data, other samples have the target of
 * the branch. */
static uint64_t address_of(enum spe_event event, const struct spe_record *record)
{
	if (event == SPE_EVENT_BRANCH || event == SPE_EVENT_INSTRUCTIONS)
		return record->class == SPE_MEMORY ? record->address : record->target;
	return record->address;
}

static enum pk_status write_sample(const struct spe_events *made, enum spe_event event,
				   const struct spe_sample *sample, struct pk_writer *writer)
{
	const struct spe_record *record = sample->record;
	const uint64_t type = attr_of(made, event).sample_type;
	const uint16_t misc = record->ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	uint8_t *at = pk_writer_append(writer, PERF_RECORD_SAMPLE, misc, size_of(type, sample));

	if (!at)
		return pk_writer_status(writer);
	at = pk_put_u64(at + sizeof(struct perf_header), made->ids[event]);
	at = pk_put_u64(at, record->ip);
	at = pk_put_two_u32(at, sample->pid, sample->tid);
	if (type & PERF_SAMPLE_TIME)
		at = pk_put_u64(at, sample->time);
	at = pk_put_u64(at, address_of(event, record));
	at = pk_put_two_u32(at, sample->cpu, 0);
	at = pk_put_u64(at, made->every);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		at = put_branch(at, record);
	at = pk_put_u64(at, record->latency);
	at = pk_put_u64(at, sample->data_source);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		at = pk_put_u64(at, record->physical);
	if (sample->trailer)
		pk_trailer_put(at, PK_STACK_TRAILER_TAG, 0);
	return PK_OK;
}

static bool is_of_kind(const struct kind *kind, const struct spe_record *record)
{
	return kind->events ? record->events & kind->events : kind->classes[record->class];
}

enum pk_status spe_events_sample(struct spe_events *made, const struct spe_sample *sample,
				 struct pk_writer *writer)
{
	for (int i = 0; i < SPE_EVENTS; i++) {
		if (!made->wanted[i] || !is_of_kind(&kinds[i], sample->record))
			continue;
		made->samples[i]++;
		PK_TRY(write_sample(made, (enum spe_event)i, sample, writer));
	}
	return PK_OK;
}
