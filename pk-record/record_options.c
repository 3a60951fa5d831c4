// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "abilities.h"
#include "cli.h"
#include "configure.h"
#include "list_events.h"
#include "lookups.h"
#include "output.h"
#include "pkprivate.h"
#include "event_tables.h"
#include "pmu_json.h"
#include "record_options.h"
#include "register_mask.h"
#include "strings_bpf.h"

#define BPF_INTERVAL_LEAST 10000000
#define SNAPSHOTS_USUAL	   UINT64_C(10000000) /* time between two snapshots in ns */
#define SNAPSHOTS_LEAST	   UINT64_C(1000000)

#define RUNNING_TIME (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

#define BRANCH_ANY (UINT64_C(1) << 3)

/* On these architectures, the kernel can split the weight of a sample into several latencies. */
#if defined(__x86_64__) || defined(__i386__) || defined(__powerpc__)
#define SAMPLE_WEIGHTS PERF_SAMPLE_WEIGHT_STRUCT
#else
#define SAMPLE_WEIGHTS PERF_SAMPLE_WEIGHT
#endif

#define STACK_SIZE_MAX 65528

/* ---- Events ---- */

/* Reads the descriptions of --events-dir. This comes before the events that they describe are
 * parsed. */
static enum pk_status read_descriptions(struct options *options, const char *path)
{
	if (!options->json)
		options->json = pk_pmu_json_new(&options->events.messages, pk_protect_input);
	options->events.json = options->json;
	return pk_printed(options->json ? pk_pmu_json_load(options->json, path) : PK_FAILED,
			  &options->events.messages);
}

/* Uses the descriptions of $PK_EVENTS_DIR, or the tables of share/pk, unless --events-dir was
 * given. */
static enum pk_status read_usual_descriptions(struct options *options)
{
	const char *path = getenv("PK_EVENTS_DIR");

	if (options->json)
		return PK_OK;
	if (path && *path)
		return read_descriptions(options, path);
	options->json = pk_event_tables(&options->events.messages);
	options->events.json = options->json;
	return pk_printed(options->json ? PK_OK : PK_FAILED, &options->events.messages);
}

static int read_events_dir(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	return read_descriptions(at, text) == PK_OK ? PK_CONTINUE : PK_EXIT_USAGE;
}

enum pk_status record_add_events(struct options *options, const char *text)
{
	PK_TRY(read_usual_descriptions(options));
	options->last_events = options->events.count;
	options->events.find_set = pk_event_set;
	options->events.try_sets = pk_event_sets_try;
	options->events.find_arg = &options->presets;
	return pk_printed(pk_event_list_parse(&options->events, text), &options->events.messages);
}

static int add_events(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	(void)option;
	return record_add_events(options, text) == PK_OK ? PK_CONTINUE
	       : options->presets.status		 ? options->presets.status
							 : PK_EXIT_USAGE;
}

static int add_probe(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;
	struct event_list *events = &options->events;

	(void)option;
	options->last_events = events->count;
	return read_usual_descriptions(options) == PK_OK &&
			       pk_printed(pk_event_list_add_probe(events, events->object, text),
					  &events->messages) == PK_OK
		       ? PK_CONTINUE
		       : PK_EXIT_USAGE;
}

static int add_filter(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	(void)option;
	return pk_printed(pk_event_list_add_filter(&options->events, options->last_events, text),
			  &options->events.messages) == PK_OK
		       ? PK_CONTINUE
		       : PK_EXIT_USAGE;
}

static int add_bpf(const struct pk_option *option, void *at, const char *text)
{
	struct user_bpf *bpf = at;

	(void)option;
	return pk_printed(user_bpf_add(bpf, text), &bpf->messages) == PK_OK ? PK_CONTINUE
									    : PK_EXIT_USAGE;
}

static int list_events(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	(void)option;
	if (read_usual_descriptions(options) != PK_OK)
		return PK_EXIT_FAILED;
	return pk_list_events(text, options->argv + optind, options->list_json,
			      options->events.object, options->json, NULL);
}

/* Parses --list-lines and similar options. The function of the option is called after the last
 * option was parsed. */
static int set_listing(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	options->listing = (enum listing)option->set;
	options->listed = text;
	return PK_CONTINUE;
}

static int check_abilities(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	(void)at;
	(void)text;
	return pk_finish(abilities_print());
}

/* ---- Samples ---- */

static int set_frequency(const struct pk_option *option, void *at, const char *text)
{
	uint64_t *frequency = at;

	if (!strcmp(text, "max")) {
		*frequency = FREQUENCY_MAX;
		return PK_CONTINUE;
	}
	return pk_parse_u64(text, frequency) && *frequency && *frequency <= 1000000000
		       ? PK_CONTINUE
		       : pk_option_wrong(option, text);
}

static bool parse_stack_size(struct options *options, const char *text)
{
	uint64_t size;

	if (!pk_parse_size(text, &size) || !size || size > STACK_SIZE_MAX)
		return false;
	options->stacks.stack_size = options->stacks.probe_stack_size = (uint32_t)(size + 7) & ~7u;
	return true;
}

static int set_call_graph(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;
	options->stacks.stack_size = options->stacks.probe_stack_size = STACK_SIZE_DEFAULT;
	if (!strcmp(text, "auto")) {
		options->stacks.mode = CALLCHAIN_AUTO;
		return PK_CONTINUE;
	}
	if (!strcmp(text, "fp")) {
		options->stacks.mode = CALLCHAIN_FP;
		return PK_CONTINUE;
	}
	if (!strcmp(text, "fp,defer") || !strcmp(text, "defer")) {
		options->stacks.mode = CALLCHAIN_DEFER;
		return PK_CONTINUE;
	}
	if (!strcmp(text, "unwind")) {
		options->stacks.mode = CALLCHAIN_UNWIND;
		options->stacks.not_unwound = CALLCHAIN_FP;
		return PK_CONTINUE;
	}
	if (!strcmp(text, "lbr")) {
		options->stacks.mode = CALLCHAIN_LBR;
		return PK_CONTINUE;
	}
	options->stacks.mode = CALLCHAIN_DWARF;
	return !strcmp(text, "dwarf") ||
			       (!strncmp(text, "dwarf,", 6) && parse_stack_size(options, text + 6))
		       ? PK_CONTINUE
		       : pk_option_wrong(option, text);
}

static int set_interpreters(const struct pk_option *option, void *at, const char *text)
{
	enum interpreter_mode *interpreters = at;

	if (!strcmp(text, "replace"))
		*interpreters = INTERPRETER_MODE_REPLACE;
	else if (!strcmp(text, "none"))
		*interpreters = INTERPRETER_MODE_NONE;
	else if (!strcmp(text, "both"))
		*interpreters = INTERPRETER_MODE_BOTH;
	else
		return pk_option_wrong(option, text);
	return PK_CONTINUE;
}

static int set_frame_pointers(const struct pk_option *option, void *at, const char *text)
{
	enum callchain_mode *callchain = at;

	(void)option;
	(void)text;
	if (*callchain <= CALLCHAIN_AUTO)
		*callchain = CALLCHAIN_FP;
	return PK_CONTINUE;
}

static int set_branches(const struct pk_option *option, void *at, const char *text)
{
	return pk_branch_modes_parse(text, at) == PK_OK ? PK_CONTINUE
							: pk_option_wrong(option, text);
}

static int set_registers(const struct pk_option *option, void *at, const char *text)
{
	if (text && !strcmp(text, "?")) {
		registers_print();
		return pk_finish(PK_EXIT_OK);
	}
	return registers_parse(text, at) == PK_OK ? PK_CONTINUE : pk_option_wrong(option, text);
}

/* Selects the fields that samples of memory accesses need, as in perf mem record. */
static void record_data(struct options *options)
{
	options->sampling.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	options->sampling.track_flags |= PERF_ATTR_MMAP_DATA;
}

static int add_data(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	(void)text;
	record_data(at);
	return PK_CONTINUE;
}

/* Parses --mem or --c2c. option->set has additional bits of sample_type. */
static int add_memory(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;
	const bool loads = !text || !strcmp(text, "load") || !strcmp(text, "load,store");
	const bool stores = !text || !strcmp(text, "store") || !strcmp(text, "load,store");

	options->sampling.memory |= (loads ? MEMORY_LOADS : 0) | (stores ? MEMORY_STORES : 0);
	options->sampling.sample_type |= SAMPLE_WEIGHTS | option->set;
	record_data(options);
	return loads || stores ? PK_CONTINUE : pk_option_wrong(option, text);
}

static int add_stat(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	(void)option;
	(void)text;
	options->sampling.flags |= PERF_ATTR_INHERIT_STAT;
	options->sampling.read_format |= RUNNING_TIME;
	return PK_CONTINUE;
}

static int add_cgroups(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	(void)option;
	(void)text;
	options->sampling.sample_type |= PERF_SAMPLE_CGROUP;
	options->sampling.track_flags |= PERF_ATTR_CGROUP;
	return PK_CONTINUE;
}

static int set_off_cpu(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	options->programs.off_cpu = true;
	if (text && !strncmp(text, "wakers", 6) && (!text[6] || text[6] == ',')) {
		options->programs.wakers = true;
		text = text[6] ? text + 7 : NULL;
	}
	return !text || pk_parse_time(text, &options->programs.off_cpu_threshold)
		       ? PK_CONTINUE
		       : pk_option_wrong(option, text);
}

static int set_snapshots(const struct pk_option *option, void *at, const char *text)
{
	struct record_snapshots *snapshots = at;

	snapshots->wanted = true;
	snapshots->interval = SNAPSHOTS_USUAL;
	if (text && !strcmp(text, "once")) {
		snapshots->interval = 0;
		return PK_CONTINUE;
	}
	return !text || (pk_parse_time(text, &snapshots->interval) &&
			 snapshots->interval >= SNAPSHOTS_LEAST)
		       ? PK_CONTINUE
		       : pk_option_wrong(option, text);
}

/* ---- Targets ---- */

/* Checks the syntax of a list of ids or CPUs. The list is evaluated later. */
static int set_list(const struct pk_option *option, void *at, const char *text)
{
	*(const char **)at = text;
	return *text && !text[strspn(text, "0123456789,-")] && (option->set || !strchr(text, '-'))
		       ? PK_CONTINUE
		       : pk_option_wrong(option, text);
}

/* option->set is 1 if children are not recorded. */
static int set_per_task(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	(void)text;
	options->no_inherit = options->target.per_task = option->set;
	return PK_CONTINUE;
}

static int set_tids(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	options->no_inherit = options->target.per_task = true;
	return set_list(&(struct pk_option){.name = option->name, .wants = option->wants},
			&options->target.tids, text);
}

static int set_cgroups(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	options->cgroups = text;
	options->target.system_wide = true;
	return *text ? PK_CONTINUE : pk_option_wrong(option, text);
}

/* ---- Times, buffers and outputs ---- */

static int set_delay(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	options->timing.delay = strcmp(text, "-1") ? DELAY_WINDOWS : DELAY_CONTROL;
	if (options->timing.delay == DELAY_CONTROL)
		return PK_CONTINUE;
	options->timing.windows_count = windows_parse(text, options->timing.windows);
	return options->timing.windows_count ? PK_CONTINUE : pk_option_wrong(option, text);
}

#define RING_SIZE_MAX (UINT64_C(1) << 30)

/* Parses the size of a ring. A number without a unit counts pages, as in perf. The kernel requires
 * a power of two. */
/* Parses a number of pages, or a size with k or M. Sets *size to the next power of two. */
static bool parse_pages(const char *text, uint64_t *size)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t wanted;

	if (pk_parse_u64(text, &wanted)) {
		if (wanted > RING_SIZE_MAX / page)
			return false;
		wanted *= page;
	} else if (!pk_parse_size(text, &wanted)) {
		return false;
	}
	if (!wanted || wanted > RING_SIZE_MAX)
		return false;
	for (*size = page; *size < wanted; *size *= 2)
		;
	return true;
}

/* Parses RINGS, RINGS,AREAS or ,AREAS. */
static int set_ring_size(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;
	char *copy = pk_need(pk_lookups(), strdup(text)), *areas = copy ? strchr(copy, ',') : NULL;
	bool ok = copy;

	if (areas)
		*areas++ = '\0';
	if (areas)
		ok &= parse_pages(areas, &options->traces.area_size);
	if (ok && (!areas || *copy))
		ok &= parse_pages(copy, &options->buffers.ring_size);
	free(copy);
	return ok ? PK_CONTINUE : pk_option_wrong(option, text);
}

/* Parses the argument of --snapshot: [e][SIZE]. With the letter e, perf record takes a snapshot at
 * the end, which pk-record always does. */
static int set_snapshot(const struct pk_option *option, void *at, const char *text)
{
	struct record_traces *traces = at;

	traces->snapshot = true;
	text += text && *text == 'e';
	return !text || !*text || pk_parse_size(text, &traces->snapshot_size)
		       ? PK_CONTINUE
		       : pk_option_wrong(option, text);
}

static int set_clock(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;
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
		options->sampling.use_clockid = true;
		options->sampling.clockid = clocks[i].id;
		return PK_CONTINUE;
	}
	return pk_option_wrong(option, text);
}

/* Parses a time such as "10m" or a size such as "100M". A number without a unit is rejected. */
static bool parse_split(struct options *options, const char *text)
{
	const size_t size = strlen(text);
	const char unit = size ? text[size - 1] : 0;

	if (unit && strchr("kKMGTB", unit))
		return pk_parse_size(text, &options->files.split_size) && options->files.split_size;
	return unit && strchr("smhd", unit) && pk_parse_time(text, &options->files.split_time) &&
	       options->files.split_time >= 100000000;
}

static int set_split(const struct pk_option *option, void *at, const char *text)
{
	return parse_split(at, text) ? PK_CONTINUE : pk_option_wrong(option, text);
}

/* The periods of the samples become different, so each sample has its period. The id is at a fixed
 * place, so that pk-record finds the event of a sample. */
static int set_budget(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;

	options->sampling.sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER;
	return budget_parse(text, &options->sampling.budget) ? PK_CONTINUE
							     : pk_option_wrong(option, text);
}

static int set_level(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;
	uint64_t level;

	options->files.compress = true;
	options->files.level = 1;
	if (!text)
		return PK_CONTINUE;
	if (!pk_parse_u64(text, &level) || !level || level > 19)
		return pk_option_wrong(option, text);
	options->files.level = (int)level;
	return PK_CONTINUE;
}

static int set_patience(const struct pk_option *option, void *at, const char *text)
{
	uint64_t *patience = at;

	*patience = PATIENCE_FOREVER;
	return !text || pk_parse_time(text, patience) ? PK_CONTINUE : pk_option_wrong(option, text);
}

/* Adds a label, even if there is a label with the same name. Readers use the first one. */
static int add_label(const struct pk_option *option, void *at, const char *text)
{
	struct options *options = at;
	struct record_label *label = &options->files.labels[options->files.labels_count];
	const char *equals = strchr(text, '=');
	const size_t size = equals ? (size_t)(equals - text) : 0;

	if (!size || size > PK_LABEL_NAME_MAX || options->files.labels_count == RECORD_LABELS_MAX ||
	    strlen(equals + 1) > PK_LABEL_VALUE_MAX)
		return pk_option_wrong(option, text);
	memcpy(label->name, text, size);
	label->name[size] = '\0';
	label->value = equals + 1;
	options->files.labels_count++;
	return pk_label_name_is_valid(label->name) ? PK_CONTINUE : pk_option_wrong(option, text);
}

static int set_output(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	*(const char **)at = strcmp(text, "-") ? text : NULL;
	return PK_CONTINUE;
}

static int set_fail_on(const struct pk_option *option, void *at, const char *text)
{
	return pk_parse_fail_on(text, at) ? PK_CONTINUE : pk_option_wrong(option, text);
}

/* ---- Rows ---- */

#define AT(member)    PK_AT(struct options, member)
#define SAMPLE(bits)  AT(sampling.sample_type), .set = PERF_SAMPLE_##bits
#define TRACK(bits)   AT(sampling.track_flags), .set = PERF_ATTR_##bits
#define FLAGS(bits)   AT(sampling.flags), .set = PERF_ATTR_##bits
#define LISTING(what) .parse = set_listing, .set = (what)
#define IDS	      .wants = "ids, separated by commas"
#define NOT_EMPTY     .least = 1

static const struct pk_option event_rows[] = {
	PK_TITLE("Which events"),
	{'e', "event", "LIST", PK_CALL, "events, tracepoints, sets of events (cycles)",
	 .parse = add_events},
	{0, "filter", "FILTER", PK_CALL, "a filter of the kernel for the events before it",
	 .parse = add_filter},
	{0, "probe", "PLACE [ARG]", PK_CALL, "a probe at a function or line, with its arguments",
	 .parse = add_probe},
	{'x', "object", "FILE", PK_INPUT, "the file of --probe", AT(events.object), NOT_EMPTY,
	 .wants = "a file with code"},
	{0, "go-returns", NULL, PK_FLAG, "allow probes at returns of Go functions",
	 AT(events.go_returns)},
	{0, "mem", "[load|store|load,store]", PK_CALL, "memory accesses", .parse = add_memory,
	 .wants = "load, store, or load,store"},
	{0, "c2c", NULL, PK_CALL, "memory accesses, as perf c2c record", .parse = add_memory,
	 .set = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CPU},
	{0, "ldlat", "CYCLES", PK_NUMBER, "with --mem, only slower loads",
	 AT(sampling.memory_latency), .least = 1, .most = UINT16_MAX,
	 .wants = "a number of cycles from 1 to 65535"},
	{0, "off-cpu", "[wakers,][TIME]", PK_CALL,
	 "the time that threads wait, if it is at least TIME, and who wakes them",
	 .parse = set_off_cpu, .wants = "wakers, a time such as 1ms or 10us, both, or nothing"},
	{0, "snapshots", "[TIME|once]", PK_CALL,
	 "stacks of all threads at each TIME (10ms), without events", AT(snapshots),
	 .parse = set_snapshots, .wants = "a time from 1ms on, such as 10ms, or once"},
	{0, "heap", "[BYTES]", PK_SIZE,
	 "allocations of a command: a sample per BYTES (512k); 1: each of them", AT(heap),
	 .least = 1, .most = (double)(1 << 30), .without = "512k",
	 .wants = "a size from 1 to 1G, such as 64k"},
	{0, "bpf", "FILE", PK_CALL, "events of a BPF object file", AT(programs.user),
	 .parse = add_bpf},
	{0, "bpf-interval", "TIME", PK_TIME, "how often maps of --bpf are read (1s)",
	 AT(programs.user.interval), .least = BPF_INTERVAL_LEAST,
	 .wants = "a time from 10ms on, such as 1s"},
	{0, "strings", "[N]", PK_NUMBER, "texts that system calls get, up to N bytes (256)",
	 AT(programs.strings), .least = 1, .most = STRINGS_MAX, .without = "256",
	 .wants = "a number of bytes from 1 to 1024, or nothing"},
	{0, "events-dir", "PATH", PK_CALL, "descriptions of the events of the processor",
	 .parse = read_events_dir},
	{0, "list", "[GLOB]", PK_CALL, "print the events", .parse = list_events},
	{0, "json", NULL, PK_FLAG, "lines of JSON, for --list", AT(list_json)},
	{0, "list-functions", "GLOB", PK_CALL, "print functions for --probe",
	 LISTING(LIST_FUNCTIONS)},
	{0, "list-lines", "PLACE", PK_CALL, "print lines for --probe", LISTING(LIST_LINES)},
	{0, "list-vars", "PLACE", PK_CALL, "print variables for --probe", LISTING(LIST_VARIABLES)},
	{0, "check", NULL, PK_CALL, "print what this user can record on this machine",
	 .parse = check_abilities},
	{0, "dry-run", NULL, PK_FLAG, "print what would be recorded", AT(dry_run)},
	PK_OPTIONS_END,
};

static const struct pk_option sample_rows[] = {
	PK_TITLE("How often samples are taken, and what they have"),
	{'F', "freq", "HZ", PK_CALL, "samples per second (4000), or max", AT(sampling.frequency),
	 .parse = set_frequency, .wants = "a number of samples per second, or max"},
	{'c', "count", "N", PK_NUMBER, "a sample for each N events", AT(sampling.period),
	 .least = 1, .most = (double)INT64_MAX, .wants = "a number of events"},
	{0, "strict-freq", NULL, PK_FLAG, "fail if the kernel does not allow -F",
	 AT(sampling.strict_frequency)},
	{0, "budget", "LIMITS", PK_CALL,
	 "lower -F while the recording costs more than cpu=P%,bytes=S/min", .parse = set_budget,
	 .wants = "cpu=PERCENT%, bytes=SIZE/min (or /s, /h), or both with a comma"},
	{'n', "no-samples", NULL, PK_FLAG, "count, but take no samples", AT(sampling.no_samples)},
	{.letter = 'g',
	 .kind = PK_CALL,
	 .help = "callchains by frame pointers",
	 AT(stacks.mode),
	 .parse = set_frame_pointers},
	{0, "call-graph", "MODE", PK_CALL, "auto|unwind|fp[,defer]|dwarf[,BYTES]|lbr",
	 .parse = set_call_graph,
	 .wants = "auto; unwind; fp; fp,defer; lbr; or dwarf[,BYTES] with at most 65528 bytes"},
	{0, "interpreters", "WHICH", PK_CALL,
	 "frames of Python, Ruby, PHP with --call-graph unwind: replace|none|both",
	 AT(stacks.interpreters), .parse = set_interpreters, .wants = "replace, none or both"},
	{0, "max-stack", "N", PK_NUMBER, "at most N frames", AT(stacks.max_stack), .least = 1,
	 .most = UINT16_MAX, .wants = "a number of frames"},
	{0, "kernel-callchains", NULL, PK_BITS, "callchains of the kernel only",
	 FLAGS(EXCLUDE_CALLCHAIN_USER)},
	{0, "user-callchains", NULL, PK_BITS, "callchains of user mode only",
	 FLAGS(EXCLUDE_CALLCHAIN_KERNEL)},
	{'b', "branch-any", NULL, PK_BITS, "the last branches", AT(sampling.branch_type),
	 .set = BRANCH_ANY},
	{'j', "branch-filter", "KINDS", PK_CALL, "the last branches of these kinds",
	 AT(sampling.branch_type), .parse = set_branches,
	 .wants = "kinds of branches: any, any_call, any_ret, ind_call, cond, u, k ..."},
	{'d', "data", NULL, PK_CALL, "addresses of data", .parse = add_data},
	{0, "phys-data", NULL, PK_BITS, "physical addresses of data", SAMPLE(PHYS_ADDR)},
	{0, "data-page-size", NULL, PK_BITS, "sizes of pages of data", SAMPLE(DATA_PAGE_SIZE)},
	{0, "code-page-size", NULL, PK_BITS, "sizes of pages of code", SAMPLE(CODE_PAGE_SIZE)},
	{0, "aux-sample", "[SIZE]", PK_SIZE,
	 "the end of the hardware trace of the group in each sample (4096 bytes)",
	 AT(traces.sample_size), .least = 8, .most = AUX_SAMPLE_SIZE_MAX, .without = "4096",
	 .wants = "a size from 8 to 61440 bytes"},
	{'W', "weight", NULL, PK_BITS, "latencies", AT(sampling.sample_type),
	 .set = SAMPLE_WEIGHTS},
	{0, "transaction", NULL, PK_BITS, "flags of transactions", SAMPLE(TRANSACTION)},
	{'R', "raw-samples", NULL, PK_BITS, "raw data", AT(sampling.sample_type),
	 .set = PERF_SAMPLE_RAW | PERF_SAMPLE_CPU},
	{'I', "intr-regs", "[REGS]", PK_CALL, "registers at the interrupt; ? lists them",
	 AT(sampling.interrupt_registers), .parse = set_registers,
	 .wants = "registers such as ax,ip; ? lists them"},
	{0, "user-regs", "[REGS]", PK_CALL, "registers of user mode", AT(sampling.user_registers),
	 .parse = set_registers, .wants = "registers such as ax,ip; ? lists them"},
	{'T', "timestamp", NULL, PK_BITS, "times", SAMPLE(TIME)},
	{'P', "period", NULL, PK_BITS, "periods", SAMPLE(PERIOD)},
	{0, "sample-cpu", NULL, PK_BITS, "processors", SAMPLE(CPU)},
	{0, "sample-identifier", NULL, PK_BITS, "ids of events at a fixed place",
	 SAMPLE(IDENTIFIER)},
	{0, "all-cgroups", NULL, PK_CALL, "control groups", .parse = add_cgroups},
	{'s', "stat", NULL, PK_CALL, "counts of each thread", .parse = add_stat},
	{0, "running-time", NULL, PK_BITS, "how long events were enabled and running",
	 AT(sampling.read_format), .set = RUNNING_TIME},
	PK_TITLE("Other records"),
	{0, "switch-events", NULL, PK_BITS, "context switches", TRACK(CONTEXT_SWITCH)},
	{0, "latency", NULL, PK_BITS, "the same, for shares of the wall-clock time",
	 TRACK(CONTEXT_SWITCH)},
	{0, "namespaces", NULL, PK_BITS, "namespaces of tasks", TRACK(NAMESPACES)},
	{0, "no-bpf-event", NULL, PK_BITS, "no records of BPF programs", AT(sampling.not_tracked),
	 .set = PERF_ATTR_BPF_EVENT},
	{0, "label", "NAME=VALUE", PK_CALL, "a label of the recording", .parse = add_label,
	 .wants = "NAME=VALUE: letters, digits and _ in the name, at most 64 bytes, and at most "
		  "4096 in the value; at most 64 labels"},
	PK_OPTIONS_END,
};

static const struct pk_option target_rows[] = {
	PK_TITLE("Whom"),
	{'p', "pid", "PIDS", PK_CALL, "processes", AT(target.pids), .parse = set_list, IDS},
	{'t', "tid", "TIDS", PK_CALL, "threads", .parse = set_tids, IDS},
	{'u', "uid", "USERS", PK_TEXT, "users", AT(target.uids), NOT_EMPTY,
	 .wants = "users, by name or number"},
	{'a', "all-cpus", NULL, PK_FLAG, "all processors", AT(target.system_wide)},
	{'C', "cpu", "CPUS", PK_CALL, "these processors", AT(target.cpus), .parse = set_list,
	 .set = 1, .wants = "CPUs such as 0-3,8"},
	{'G', "cgroup", "CGROUPS", PK_CALL, "control groups", .parse = set_cgroups,
	 .wants = "control groups, by their paths below /sys/fs/cgroup"},
	{'i', "no-inherit", NULL, PK_CALL, "not the children of the tasks", .parse = set_per_task,
	 .set = 1},
	{0, "inherit", NULL, PK_CALL, "with -t, children, too", .parse = set_per_task},
	{0, "per-thread", NULL, PK_CALL, "as -i", .parse = set_per_task, .set = 1},
	{0, "all-user", NULL, PK_FLAG, "only in user mode", AT(sampling.all_user)},
	{0, "all-kernel", NULL, PK_FLAG, "only in the kernel", AT(sampling.all_kernel)},
	{0, "include-self", NULL, PK_FLAG, "pk-record itself, too", AT(include_self)},
	{0, "exclude-perf", NULL, PK_CLEAR, "without pk-record itself (default)", AT(include_self)},
	PK_TITLE("When"),
	{0, "for", "TIME", PK_TIME, "stop after this time", AT(timing.duration), .least = 1,
	 .most = (double)INT64_MAX, .wants = "a time such as 30s, 500ms or 5m"},
	{'D', "delay", "MSECS|FROM-TO", PK_CALL,
	 "start later, record in ranges of time, or wait for --control", .parse = set_delay,
	 .wants = "milliseconds, ranges of them such as 10-20,30-40, or -1: until --control says "
		  "enable"},
	{0, "overwrite", NULL, PK_BITS, "keep the last samples only; a signal writes them",
	 FLAGS(WRITE_BACKWARD)},
	{'S', "snapshot", "[SIZE]", PK_CALL,
	 "keep the last SIZE bytes of hardware traces; a signal writes them", AT(traces),
	 .parse = set_snapshot, .wants = "a size such as 64k, or nothing"},
	{0, "control", "fifo:IN[,OUT]", PK_TEXT, "a FIFO for commands such as enable, snapshot",
	 AT(timing.control), NOT_EMPTY, .wants = "fifo:COMMANDS[,ANSWERS] or fd:NUMBER[,NUMBER]"},
	{'k', "clockid", "CLOCK", PK_CALL, "the clock of times", .parse = set_clock,
	 .wants = "monotonic, monotonic_raw, realtime, boottime or tai"},
	PK_OPTIONS_END,
};

static const struct pk_option output_rows[] = {
	PK_TITLE("Outputs and buffers"),
	{'o', "output", "FILE", PK_CALL,
	 "write to FILE, not stdout; conversions such as %Y%m%d name each file of --split",
	 AT(files.path), .parse = set_output},
	{'z', "compression-level", "[N]", PK_CALL, "compress with zstd", .parse = set_level,
	 .wants = "a level from 1 to 19"},
	{0, "split", "TIME|SIZE", PK_CALL, "a new file after this time or size", .parse = set_split,
	 .wants = "a time from 0.1s on, such as 10m, or a size, such as 100M"},
	{0, "keep", "N", PK_NUMBER, "keep the last N files", AT(files.keep), .least = 1,
	 .most = 1000000, .wants = "a number of files"},
	{0, "max-size", "SIZE", PK_SIZE, "stop after this size", AT(files.max_size), .least = 1,
	 .wants = "a size such as 100M"},
	{0, "fail-on", "lost[=PCT]", PK_CALL, "exit status 1 if more is lost", AT(files.fail_on),
	 .parse = set_fail_on, .wants = "lost, or lost=PERCENT"},
	{'m', "mmap-pages", "SIZE[,SIZE]", PK_CALL,
	 "the size of each ring of the kernel, and of each buffer of hardware traces",
	 .parse = set_ring_size, .wants = "a number of pages, or bytes with k or M, at most 1024M"},
	{0, "buffer", "SIZE", PK_SIZE, "bytes that wait for the reader (64M)", AT(buffers.queue),
	 .most = (double)(SIZE_MAX / 4), .wants = "a size such as 64M"},
	{0, "block", "[TIME]", PK_CALL, "wait for the reader for TIME (10s), or until it reads",
	 AT(buffers.patience), .parse = set_patience, .wants = "a time such as 30s, or nothing"},
	{0, "no-buffering", NULL, PK_FLAG, "read each sample at once", AT(buffers.unbuffered)},
	{'r', "realtime", "PRIORITY", PK_NUMBER, "a real-time priority", AT(buffers.priority),
	 .least = 1, .most = 99, .wants = "a priority from 1 to 99"},
	{0, "pid-file", "FILE", PK_TEXT, "write the process id to FILE", AT(files.pid_file),
	 NOT_EMPTY, .wants = "a file"},
	{.kind = PK_ROWS, .rows = pk_message_rows},
	PK_OPTIONS_END,
};

#define IGNORED .kind = PK_IGNORED, .help = "accepted as in perf record, without effect"

const struct pk_option record_rows[] = {
	{.kind = PK_ROWS, .rows = event_rows},
	{.kind = PK_ROWS, .rows = sample_rows},
	{.kind = PK_ROWS, .rows = target_rows},
	{.kind = PK_ROWS, .rows = output_rows},
	PK_TITLE("Of perf record"),
	{.letter = 'B', .name = "no-buildid", IGNORED},
	{.letter = 'N', .name = "no-buildid-cache", IGNORED},
	{.name = "buildid-mmap", IGNORED},
	{.name = "buildid-all", IGNORED},
	{.name = "tail-synthesize", IGNORED},
	{.name = "synth", .value = "RECORDS", IGNORED},
	{.name = "threads", .value = "[SPEC]", IGNORED},
	{.name = "num-thread-synthesize", .value = "N", IGNORED},
	{.name = "proc-map-timeout", .value = "MS", IGNORED},
	{.name = "mmap-flush", .value = "SIZE", IGNORED},
	PK_ANSWER('f', "force", "an existing file is overwritten"),
	PK_ANSWER('l', NULL, "use --running-time"),
	PK_ANSWER('A', "append", "-o writes one recording per file"),
	PK_ANSWER(0, "switch-output", "use --split, and SIGUSR2 with --overwrite"),
	PK_ANSWER(0, "switch-max-files", "--keep"),
	PK_ANSWER(0, "switch-output-event", "use --control and its command snapshot"),
	PK_ANSWER(0, "timestamp-filename", "use -o with conversions such as %Y%m%d"),
	PK_ANSWER(0, "group", "-e '{EVENT,EVENT}'"),
	PK_ANSWER(0, "kcore", "use pk-inject"),
	PK_ANSWER(0, "vmlinux", "use pk-symbolize --vmlinux"),
	PK_ANSWER(0, "debuginfod", "use pk-symbolize --debuginfod"),
	PK_ANSWER(0, "aio", "--buffer"),
	PK_ANSWER(0, "affinity", "use taskset(1)"),
	PK_ANSWER(0, "timestamp-boundary", "use pk-script --stats"),
	PK_ANSWER(0, "data-mmap", "maps of data are recorded with -d"),
	PK_ANSWER(
		0, "off-cpu-thresh",
		"blocked times of any length are recorded; use pk-filter --where 'period > 500ms'"),
	PK_ANSWER(0, "sample-mem-info", "--mem"),
	PK_ANSWER(0, "setup-filter", "filters need no setup: --filter"),
	PK_ANSWER(0, "duration", "--for"),
	PK_ANSWER(0, "timeout", "--for"),
	PK_OPTIONS_END,
};
