// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "aux_events.h"
#include "lookups.h"
#include "pmu.h"
#include "trace_pmu.h"
#include "traces.h"

/* The number of operations between two samples of Arm SPE if the kernel does not tell the least
 * number. perf record has the same default. */
#define SPE_INTERVAL_USUAL 4096

static bool samples_trace(const struct event *event, const struct options *options)
{
	return event->terms.aux_sample_size ||
	       (options->traces.sample_size && !event->terms.no_aux_sample);
}

/* Returns true if the trace has the data of the event, or a part of the trace is in its samples. */
static bool needs_trace(const struct event *event)
{
	return event->terms.aux_sample_size || event->terms.aux_output ||
	       event->terms.aux_action & ~PERF_AUX_START_PAUSED;
}

static int check_groups(const struct options *options)
{
	const struct event_list *events = &options->events;
	size_t sampled = 0;

	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];
		const bool member = !event->trace && events->items[event->leader].trace;

		if (needs_trace(event) && !member)
			return pk_usage_error("%s: must be in the group of a hardware trace: "
					      "-e '{intel_pt//u,EVENT/aux-sample-size=4096/u}'",
					      event->name);
		sampled += member && samples_trace(event, options);
	}
	if (options->traces.sample_size && !sampled)
		return pk_usage_error("--aux-sample needs an event in the group of a hardware "
				      "trace: -e '{intel_pt//u,EVENT:u}'");
	if (sampled && options->traces.snapshot)
		return pk_usage_error("--snapshot and samples with parts of the trace exclude each "
				      "other");
	return PK_EXIT_OK;
}

static int check_single(const struct event_list *events, const struct event *first)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];

		if (event->trace && event != first &&
		    (event->trace != first->trace || event->attr.type == first->attr.type))
			return pk_usage_error("%s and %s: a recording can have one hardware trace",
					      first->name, event->name);
	}
	return PK_EXIT_OK;
}

int aux_events_check(const struct options *options)
{
	const struct event *trace = pk_event_list_trace(&options->events);
	const struct record_traces *traces = &options->traces;
	const int status = check_groups(options);

	if (status || !trace)
		return status ? status
		       : traces->snapshot || traces->area_size
			       ? pk_usage_error("%s needs an event that writes a hardware trace, "
						"such as -e intel_pt//",
						traces->snapshot ? "--snapshot"
								 : "-m with two sizes")
			       : PK_EXIT_OK;
	if (options->sampling.use_clockid)
		return pk_usage_error("-k and --bpf exclude hardware traces, whose times are those "
				      "of the default clock");
	if (options->sampling.flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--overwrite excludes hardware traces: use --snapshot");
	if (traces->area_size && traces->snapshot_size > traces->area_size)
		return pk_usage_error("--snapshot: larger than the AUX area of -m");
	return check_single(&options->events, trace);
}

/* ---- Attrs ---- */

/* Arm SPE samples one operation of each interval. */
static uint64_t spe_interval(const struct event *event, const struct options *options)
{
	if (options->sampling.period)
		return options->sampling.period;
	return pk_trace_pmu_number(pk_pmu_sysfs(options->events.sysfs), event->pmu,
				   "caps/min_interval", 10, SPE_INTERVAL_USUAL, pk_lookups());
}

bool aux_events_sampled(const struct options *options)
{
	for (size_t i = 0; i < options->events.count; i++)
		if (options->events.items[i].terms.aux_sample_size)
			return true;
	return options->traces.sample_size;
}

/* The part of the trace in a sample must have a PSB packet, at which decoders start. So these
 * packets come as often as possible, unless the user has chosen another period. */
static void shorten_period(struct event *event, const struct options *options, const char *sysfs)
{
	if (aux_events_sampled(options))
		event->attr.config &=
			~(event->default_config &
			  pk_trace_pmu_bits(sysfs, event->pmu, "psb_period", pk_lookups()));
}

void aux_event_configure(struct event *event, const struct options *options,
			 const struct targets *targets)
{
	const char *sysfs = pk_pmu_sysfs(options->events.sysfs);
	struct perf_attr *attr = &event->attr;

	attr->flags &= ~PERF_ATTR_FREQ;
	if (!event->letters.sides)
		attr->flags &= ~PERF_ATTR_EXCLUDE_GUEST;
	attr->sample_period = 1;
	attr->sample_type &= ~(PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK);
	attr->branch_sample_type = 0;
	if (targets->cpus[0] >= 0)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (event->trace == PK_TRACE_INTEL_PT)
		shorten_period(event, options, sysfs);
	if (event->trace != PK_TRACE_ARM_SPE)
		return;
	/* These bits have no effect in the kernel. They tell readers which data are in the trace.
	 */
	attr->sample_period = spe_interval(event, options);
	attr->sample_type |= PERF_SAMPLE_DATA_SRC;
	if (attr->config & pk_trace_pmu_bits(sysfs, event->pmu, "pa_enable", pk_lookups()))
		attr->sample_type |= PERF_SAMPLE_PHYS_ADDR;
}

void aux_tracking_configure(struct event *event, const struct targets *targets)
{
	event->attr.flags |= PERF_ATTR_CONTEXT_SWITCH;
	if (targets->cpus[0] >= 0)
		event->attr.sample_type |= PERF_SAMPLE_CPU;
}

void aux_member_configure(struct event *event, const struct event *leader,
			  const struct options *options)
{
	struct perf_attr *attr = &event->attr;

	attr->aux_action = event->terms.aux_action;
	if (event->terms.aux_output)
		attr->flags |= PERF_ATTR_AUX_OUTPUT;
	if (event->trace || !leader->trace || !samples_trace(event, options))
		return;
	attr->sample_type |= PERF_SAMPLE_AUX;
	attr->aux_sample_size = event->terms.aux_sample_size ? event->terms.aux_sample_size
							     : options->traces.sample_size;
}

/* ---- The end ---- */

void aux_events_report(const struct ring_counts *counts, pk_message_fn print)
{
	char pieces[32], all[32];

	pk_number(all, counts->pieces);
	if (counts->full_pieces)
		print("%s of %s pieces of the trace are cut: the AUX area was full: use a larger "
		      "second size of -m, a --filter, or a faster reader",
		      pk_number(pieces, counts->full_pieces), all);
	if (counts->partial_pieces)
		print("%s of %s pieces of the trace have gaps: the trace unit was stopped, for "
		      "example by a virtual machine: trace with :u, or without virtual machines",
		      pk_number(pieces, counts->partial_pieces), all);
	if (counts->collisions)
		print("in %s of %s pieces of the trace, operations are not sampled because the one "
		      "before was not finished: use a larger -c",
		      pk_number(pieces, counts->collisions), all);
}
