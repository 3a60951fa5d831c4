// SPDX-License-Identifier: BSD-2-Clause
/* The sample profile of LLVM as text, which clang reads with -fprofile-sample-use. The counts of
 * addresses become counts of lines with the debugging information of the program. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "line_profile.h"
#include "lookups.h"
#include "object_debug.h"
#include "pgo_groups.h"
#include "vector.h"

struct autofdo {
	struct pgo pgo;
	uint64_t crossing; /* sum of the counts of ranges with a jump, call or return inside */
};

/* Code that ran `count` times from the instruction at `start` to the instruction at `end`. */
struct span {
	uint32_t start, end;
	uint64_t count;
};

/* A range of a function. `end` is not included. */
struct piece {
	uint32_t start, end;
};

/* An object while its profile is made. */
struct making {
	const struct pgo_target *target;
	struct pgo_code *code;
	struct line_profile profile;
	struct spans {
		struct span *items;
		size_t count, capacity;
	} starts, ends; /* the same spans, sorted by start and sorted by end */
	struct pieces {
		struct piece *items;
		size_t count, capacity;
	} pieces;		   /* the functions of the spans */
	bool whole_discriminators; /* the discriminators of the file have no parts */
	bool failed;		   /* memory was exhausted */
};

/* ---- Places ---- */

/* Clang stores three numbers in a discriminator. Each of them is encoded in 1, 7 or 14 bits. The
 * first number is that of the block of code, and the second is the factor by which the compiler has
 * unrolled a loop. */
static uint32_t first_part(uint32_t discriminator)
{
	const uint32_t number = discriminator >> 1;

	if (discriminator & 1)
		return 0;
	return number & 0x20 ? (number >> 1 & 0xfe0) | (number & 0x1f) : number & 0x1f;
}

static uint32_t without_first_part(uint32_t discriminator)
{
	if (discriminator & 1)
		return discriminator >> 1;
	return discriminator >> (discriminator & 0x40 ? 14 : 7);
}

static uint32_t unrolled(const struct making *making, uint32_t discriminator)
{
	const uint32_t factor =
		making->whole_discriminators ? 0 : first_part(without_first_part(discriminator));

	return factor ? factor : 1;
}

static struct line_place place_of(const struct making *making, const struct pk_source *source)
{
	return (struct line_place){(source->line - source->declared) & 0xffff,
				   making->whole_discriminators
					   ? source->discriminator
					   : first_part(source->discriminator)};
}

/* Returns whether the discriminators are flow-sensitive, which is an option of clang. They are then
 * not encoded. Clang adds a variable to such a file. */
static bool has_whole_discriminators(struct pk_object *object)
{
	struct pk_symbol symbol;

	for (size_t i = 0; pk_object_symbol(object, i, &symbol); i++)
		if (!strcmp(symbol.name, "__llvm_fs_discriminator__"))
			return true;
	return false;
}

/* Finds the number of the innermost function at an address in the profile. Adds `bytes` to the
 * total of this function, and of the functions that contain it. Sets *source to the place in the
 * innermost function. Returns 0 if the function is unknown. */
static uint32_t function_at(struct making *making, uint32_t offset, uint64_t bytes,
			    struct pk_source *source)
{
	const struct pk_source *sources;
	struct line_place place = {0, 0};
	uint32_t function = 0;

	for (size_t i = pk_object_sources(making->target->object, offset, &sources); i--;) {
		if (!sources[i].function)
			break;
		function = line_profile_function(
			&making->profile, function, place,
			line_profile_name(&making->profile, sources[i].function));
		if (!function) {
			making->failed = true;
			return 0;
		}
		making->profile.functions.items[function - 1].total += bytes;
		*source = sources[i];
		place = place_of(making, source);
	}
	return function;
}

/* Returns the count of a place, or NULL if memory is exhausted. */
static struct line_count *count_at(struct making *making, uint32_t function,
				   const struct pk_source *source)
{
	const uint32_t number =
		line_profile_count(&making->profile, function, place_of(making, source));

	making->failed |= !number;
	return number ? &making->profile.counts.items[number - 1] : NULL;
}

/* ---- Code that ran ---- */

static void add_span(struct making *making, uint32_t start, uint32_t end, uint64_t count)
{
	if (pk_vector_reserve(&making->starts, 1) != PK_OK) {
		making->failed = true;
		return;
	}
	making->starts.items[making->starts.count++] = (struct span){start, end, count};
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_ends(const void *left, const void *right)
{
	const struct span *a = left, *b = right;

	return compare_numbers(a->end, b->end);
}

/* Makes the spans of an object. Without branches, each sample is a span of one instruction. */
static void make_spans(struct making *making)
{
	struct pgo_traces *addresses = &making->target->counts->addresses;
	struct pgo_group group = {0};
	const size_t size = sizeof(*making->ends.items);

	if (making->target->counts->traces.count) {
		while (pgo_group_next(&making->target->counts->traces, PGO_BY_RANGE, &group))
			add_span(making, group.first->to, group.first->end, group.number);
	} else {
		pgo_traces_sort(addresses, PGO_BY_BRANCH);
		for (size_t i = 0; i < addresses->count; i++)
			add_span(making, addresses->items[i].from, addresses->items[i].from,
				 addresses->items[i].count);
	}
	if (!making->starts.count ||
	    pk_vector_reserve(&making->ends, making->starts.count) != PK_OK) {
		making->failed |= making->starts.count > 0;
		return;
	}
	memcpy(making->ends.items, making->starts.items, making->starts.count * size);
	making->ends.count = making->starts.count;
	qsort(making->ends.items, making->ends.count, size, compare_ends);
}

static void add_piece(void *arg, uint64_t start, uint64_t end)
{
	struct making *making = arg;

	if (start > PGO_OFFSET_MAX)
		return;
	if (end > PGO_OFFSET_MAX)
		end = PGO_OFFSET_MAX;
	if (pk_vector_reserve(&making->pieces, 1) != PK_OK) {
		making->failed = true;
		return;
	}
	making->pieces.items[making->pieces.count++] =
		(struct piece){(uint32_t)start, (uint32_t)end};
}

/* Adds the pieces of the function at an offset, if the pieces from index `first` on are not those
 * of this function. Returns the index of the first piece of the function. */
static size_t add_function(struct making *making, uint32_t offset, size_t first)
{
	for (size_t i = first; i < making->pieces.count; i++)
		if (offset >= making->pieces.items[i].start && offset < making->pieces.items[i].end)
			return first;
	first = making->pieces.count;
	pk_object_function_ranges(making->target->object, offset, add_piece, making);
	return first;
}

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	return compare_numbers(a->start, b->start);
}

static void make_pieces(struct making *making)
{
	size_t first = 0;

	for (size_t i = 0; i < making->starts.count; i++) {
		first = add_function(making, making->starts.items[i].start, first);
		first = add_function(making, making->starts.items[i].end, first);
	}
	if (making->pieces.count)
		qsort(making->pieces.items, making->pieces.count, sizeof(*making->pieces.items),
		      compare_pieces);
}

/* Counts an instruction. A line has the count of its most frequent instruction. Instructions that
 * did not run have a count of 0, which tells the compiler that they are cold. */
static void add_instruction(struct making *making, uint32_t offset, uint32_t size, uint64_t number)
{
	struct pk_source source;
	const uint32_t function = function_at(making, offset, number * size, &source);
	struct line_count *count = function ? count_at(making, function, &source) : NULL;

	if (!count)
		return;
	number *= unrolled(making, source.discriminator);
	if (count->count < number)
		count->count = number;
}

/* Counts all instructions of the functions. */
static void add_code(struct making *making)
{
	const struct spans *starts = &making->starts, *ends = &making->ends;
	size_t started = 0, ended = 0;
	uint32_t at = 0, size;
	uint64_t number = 0;

	for (size_t i = 0; i < making->pieces.count && !making->failed; i++) {
		const struct piece *piece = &making->pieces.items[i];

		/* Pieces can overlap, for example if functions of the same code were merged. */
		if (at < piece->start)
			at = piece->start;
		for (; at < piece->end; at += size) {
			for (; started < starts->count && starts->items[started].start <= at;
			     started++)
				number += starts->items[started].count;
			for (; ended < ends->count && ends->items[ended].end < at; ended++)
				number -= ends->items[ended].count;
			if (pgo_code_size(making->code, at, &size))
				add_instruction(making, at, size, number);
			else if (!size)
				break;
		}
	}
}

/* ---- Calls ---- */

/* Returns the name of the function that starts at an offset, or NULL if there is none. */
static const char *called(struct making *making, uint32_t offset)
{
	const struct pk_source *sources;
	const size_t count = pk_object_sources(making->target->object, offset, &sources);
	const char *name;

	if (!count || sources[count - 1].start != offset || !sources[count - 1].function)
		return NULL;
	name = line_profile_name(&making->profile, sources[count - 1].function);
	making->failed |= !name;
	return name;
}

/* Counts a branch to the start of a function as a call. */
static void add_call(struct making *making, uint32_t from, uint32_t to, uint64_t number)
{
	struct line_profile *profile = &making->profile;
	const char *name = called(making, to);
	struct line_count *count = NULL;
	struct pk_source source;
	uint32_t function, call;

	if (!name)
		return;
	function = from == PGO_NONE ? 0 : function_at(making, from, 0, &source);
	if (function)
		count = count_at(making, function, &source);
	if (count) {
		call = line_profile_call(profile, (uint32_t)(count - profile->counts.items) + 1,
					 name);
		making->failed |= !call;
		if (call)
			profile->calls.items[call - 1].count += number;
	}
	function = line_profile_function(profile, 0, (struct line_place){0, 0}, name);
	making->failed |= !function;
	if (function)
		profile->functions.items[function - 1].head += number;
}

/* A line ran at least as often as it has called functions. This is done only for functions that are
 * not inlined, as llvm-profgen does it. */
static enum pk_status raise_counts(struct line_profile *profile)
{
	uint64_t *sums = calloc(profile->counts.count + 1, sizeof(*sums));

	if (!sums)
		return PK_NOMEM;
	for (size_t i = 0; i < profile->calls.count; i++)
		sums[profile->calls.items[i].from - 1] += profile->calls.items[i].count;
	for (size_t i = 0; i < profile->counts.count; i++) {
		struct line_count *count = &profile->counts.items[i];

		if (!profile->functions.items[count->function - 1].parent && count->count < sums[i])
			count->count = sums[i];
	}
	free(sums);
	return PK_OK;
}

static void add_calls(struct making *making)
{
	struct pgo_traces *traces = &making->target->counts->traces;
	struct pgo_group group = {0};

	pgo_traces_sort(traces, PGO_BY_BRANCH);
	while (pgo_group_next(traces, PGO_BY_BRANCH, &group) && !making->failed)
		add_call(making, group.first->from, group.first->to, group.number);
	making->failed |= raise_counts(&making->profile) != PK_OK;
}

/* ---- The format ---- */

static void make_profile(struct making *making)
{
	make_spans(making);
	make_pieces(making);
	add_code(making);
	add_calls(making);
}

static void write_object(struct pgo *pgo, struct pgo_target *target)
{
	struct making making = {.target = target, .code = pgo_code_new(target->object)};
	struct autofdo *autofdo = (struct autofdo *)pgo;

	if (making.code) {
		making.whole_discriminators = has_whole_discriminators(target->object);
		pgo_groups_clean(target, making.code, &autofdo->crossing);
		make_profile(&making);
		making.failed |= line_profile_write(&making.profile, target->output) != PK_OK;
	}
	pgo->base.failed |= making.failed || !making.code;
	if (!pgo->base.failed && !making.profile.functions.count) {
		pk_error("%s: no function of the samples has debugging information, or the code "
			 "cannot be decoded; compile with -g",
			 target->counts->path);
		pgo->base.status = PK_EXIT_FAILED;
	}
	line_profile_free(&making.profile);
	pgo_code_free(making.code);
	free(making.starts.items);
	free(making.ends.items);
	free(making.pieces.items);
}

static int start(void *format)
{
	struct autofdo *autofdo = format;
	struct pk_symbols_options *options = &autofdo->pgo.base.options.tail.symbols;

	options->no_demangle = options->declarations = true;
	return pgo_start(format);
}

static void write_profile(void *format)
{
	struct autofdo *autofdo = format;

	pgo_write(&autofdo->pgo, "prof", write_object);
	pgo_groups_report(autofdo->crossing);
}

#define AT(member) PK_AT(struct autofdo, member)

static const struct pk_option rows[] = {
	PK_TITLE("The profile"),
	{.kind = PK_ROWS, .rows = pgo_rows, AT(pgo)},
	PK_OPTIONS_END,
};

const struct export_format export_autofdo = {
	.name = "autofdo",
	.description = "counts of lines for clang, which optimizes programs",
	.command = {.usage = "Usage: pk-export autofdo [OPTION...] [FILE...]\n\n"
			     "Writes a sample profile for clang. The program needs debugging "
			     "information. If the\n"
			     "output is a folder, writes a file for each program and library.\n",
		    .options = rows,
		    .examples =
			    "  pk-record -b -- ./app | pk-export autofdo --object app -o app.prof\n"
			    "  clang -O2 -g -fprofile-sample-use=app.prof -o app app.c\n"},
	.size = sizeof(struct autofdo),
	PGO_FUNCTIONS,
	.start = start,
	.write = write_profile,
};
