// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "line_profile.h"
#include "vector.h"

/* ---- Names ---- */

/* Returns the size of a name without a suffix such as ".llvm.12345". The suffix is only removed if
 * no other '.' follows it. */
static size_t without_suffix(const char *name, size_t size, const char *suffix)
{
	const size_t suffix_size = strlen(suffix);
	size_t dot = size;

	while (dot && name[dot - 1] != '.')
		dot--;
	return dot >= suffix_size && !memcmp(name + dot - suffix_size, suffix, suffix_size)
		       ? dot - suffix_size
		       : size;
}

const char *line_profile_name(struct line_profile *profile, const char *name)
{
	size_t size = without_suffix(name, strlen(name), ".llvm.");

	size = without_suffix(name, size, ".part.");
	return pk_texts_get(&profile->names, pk_texts_add(&profile->names, name, size), NULL);
}

/* ---- Functions, counts and calls ---- */

static bool is_same_place(struct line_place a, struct line_place b)
{
	return a.line == b.line && a.discriminator == b.discriminator;
}

static uint64_t key_of(struct pk_table *table, uint32_t number, struct line_place place,
		       const char *name)
{
	return pk_mix64(((uint64_t)place.line << 32 | place.discriminator) ^ pk_table_secret(table),
			pk_mix64(number + UINT64_C(0x9e3779b97f4a7c15), (uintptr_t)name));
}

uint32_t line_profile_function(struct line_profile *profile, uint32_t parent,
			       struct line_place place, const char *name)
{
	struct line_functions *functions = &profile->functions;
	const uint64_t key = key_of(&profile->function_numbers, parent, place, name);
	struct pk_probe probe = pk_table_probe(&profile->function_numbers, key);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct line_function *function = &functions->items[number - 1];

		if (function->parent == parent && is_same_place(function->place, place) &&
		    function->name == name)
			return (uint32_t)number;
	}
	if (!name || functions->count >= UINT32_MAX || pk_vector_reserve(functions, 1) != PK_OK ||
	    pk_table_add(&profile->function_numbers, key, functions->count + 1) != PK_OK)
		return 0;
	functions->items[functions->count++] = (struct line_function){parent, place, name, 0, 0};
	return (uint32_t)functions->count;
}

uint32_t line_profile_count(struct line_profile *profile, uint32_t function,
			    struct line_place place)
{
	struct line_counts *counts = &profile->counts;
	const uint64_t key = key_of(&profile->count_numbers, function, place, NULL);
	struct pk_probe probe = pk_table_probe(&profile->count_numbers, key);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct line_count *count = &counts->items[number - 1];

		if (count->function == function && is_same_place(count->place, place))
			return (uint32_t)number;
	}
	if (counts->count >= UINT32_MAX || pk_vector_reserve(counts, 1) != PK_OK ||
	    pk_table_add(&profile->count_numbers, key, counts->count + 1) != PK_OK)
		return 0;
	counts->items[counts->count++] = (struct line_count){function, place, 0};
	return (uint32_t)counts->count;
}

uint32_t line_profile_call(struct line_profile *profile, uint32_t from, const char *name)
{
	struct line_calls *calls = &profile->calls;
	const uint64_t key = key_of(&profile->call_numbers, from, (struct line_place){0, 0}, name);
	struct pk_probe probe = pk_table_probe(&profile->call_numbers, key);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct line_call *call = &calls->items[number - 1];

		if (call->from == from && call->name == name)
			return (uint32_t)number;
	}
	if (!name || calls->count >= UINT32_MAX || pk_vector_reserve(calls, 1) != PK_OK ||
	    pk_table_add(&profile->call_numbers, key, calls->count + 1) != PK_OK)
		return 0;
	calls->items[calls->count++] = (struct line_call){from, name, 0};
	return (uint32_t)calls->count;
}

void line_profile_free(struct line_profile *profile)
{
	pk_texts_free(&profile->names);
	free(profile->functions.items);
	free(profile->counts.items);
	free(profile->calls.items);
	pk_table_free(&profile->function_numbers);
	pk_table_free(&profile->count_numbers);
	pk_table_free(&profile->call_numbers);
	*profile = (struct line_profile){0};
}

/* ---- Order ---- */

/* The profile in the order of the text. Pointers are sorted, because the items refer to each other
 * by numbers. */
struct sorted {
	const struct line_profile *profile;
	const struct line_function **functions; /* by parent */
	const struct line_count **counts;	/* by function */
	const struct line_call **calls;		/* by count */
	/* For each number of a function: the index of the first function that is inlined into it,
	 * and of its first count. For each number of a count: the index of its first call. */
	size_t *first_functions, *first_counts, *first_calls;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_places(struct line_place a, struct line_place b)
{
	return a.line != b.line ? compare_numbers(a.line, b.line)
				: compare_numbers(a.discriminator, b.discriminator);
}

static int compare_functions(const void *left, const void *right)
{
	const struct line_function *a = *(const struct line_function *const *)left;
	const struct line_function *b = *(const struct line_function *const *)right;
	int order = compare_numbers(a->parent, b->parent);

	if (!order)
		order = a->parent ? compare_places(a->place, b->place)
				  : compare_numbers(b->total, a->total);
	return order ? order : strcmp(a->name, b->name);
}

static int compare_counts(const void *left, const void *right)
{
	const struct line_count *a = *(const struct line_count *const *)left;
	const struct line_count *b = *(const struct line_count *const *)right;
	const int order = compare_numbers(a->function, b->function);

	return order ? order : compare_places(a->place, b->place);
}

static int compare_calls(const void *left, const void *right)
{
	const struct line_call *a = *(const struct line_call *const *)left;
	const struct line_call *b = *(const struct line_call *const *)right;
	int order = compare_numbers(a->from, b->from);

	if (!order)
		order = compare_numbers(b->count, a->count);
	return order ? order : strcmp(a->name, b->name);
}

static void sort_pointers(void *pointers, size_t count, int (*compare)(const void *, const void *))
{
	if (count)
		qsort(pointers, count, sizeof(void *), compare);
}

static void sort(struct sorted *sorted)
{
	const struct line_profile *profile = sorted->profile;
	size_t at = 0;

	for (size_t i = 0; i < profile->functions.count; i++)
		sorted->functions[i] = &profile->functions.items[i];
	for (size_t i = 0; i < profile->counts.count; i++)
		sorted->counts[i] = &profile->counts.items[i];
	for (size_t i = 0; i < profile->calls.count; i++)
		sorted->calls[i] = &profile->calls.items[i];
	sort_pointers(sorted->functions, profile->functions.count, compare_functions);
	sort_pointers(sorted->counts, profile->counts.count, compare_counts);
	sort_pointers(sorted->calls, profile->calls.count, compare_calls);
	for (size_t i = 0; i <= profile->functions.count; i++) {
		while (at < profile->functions.count && sorted->functions[at]->parent < i)
			at++;
		sorted->first_functions[i] = at;
	}
	at = 0;
	for (size_t i = 0; i <= profile->functions.count; i++) {
		while (at < profile->counts.count && sorted->counts[at]->function < i)
			at++;
		sorted->first_counts[i] = at;
	}
	at = 0;
	for (size_t i = 0; i <= profile->counts.count; i++) {
		while (at < profile->calls.count && sorted->calls[at]->from < i)
			at++;
		sorted->first_calls[i] = at;
	}
}

static void free_sorted(struct sorted *sorted)
{
	free(sorted->functions);
	free(sorted->counts);
	free(sorted->calls);
	free(sorted->first_functions);
	free(sorted->first_counts);
	free(sorted->first_calls);
}

static enum pk_status make_sorted(struct sorted *sorted, const struct line_profile *profile)
{
	*sorted = (struct sorted){
		.profile = profile,
		.functions = calloc(profile->functions.count + 1, sizeof(void *)),
		.counts = calloc(profile->counts.count + 1, sizeof(void *)),
		.calls = calloc(profile->calls.count + 1, sizeof(void *)),
		.first_functions = calloc(profile->functions.count + 1, sizeof(size_t)),
		.first_counts = calloc(profile->functions.count + 1, sizeof(size_t)),
		.first_calls = calloc(profile->counts.count + 1, sizeof(size_t)),
	};
	if (!sorted->functions || !sorted->counts || !sorted->calls || !sorted->first_functions ||
	    !sorted->first_counts || !sorted->first_calls) {
		free_sorted(sorted);
		return PK_NOMEM;
	}
	sort(sorted);
	return PK_OK;
}

/* ---- Text ---- */

static void put_indent(struct buffer *out, unsigned int depth)
{
	for (unsigned int i = 0; i < depth; i++)
		buffer_char(out, ' ');
}

/* The name comes from the file, so it is made harmless. A name with a line feed would otherwise add
 * lines to the profile. */
static void put_name(struct buffer *out, const char *name, uint64_t number)
{
	buffer_valid(out, name, strlen(name), SIZE_MAX);
	buffer_char(out, ':');
	buffer_decimal(out, number, 0);
}

static void put_place(struct buffer *out, unsigned int depth, struct line_place place)
{
	put_indent(out, depth);
	buffer_decimal(out, place.line, 0);
	if (place.discriminator) {
		buffer_char(out, '.');
		buffer_decimal(out, place.discriminator, 0);
	}
	buffer_text(out, ": ");
}

static void put_counts(const struct sorted *sorted, uint32_t function, unsigned int depth,
		       struct buffer *out)
{
	const struct line_profile *profile = sorted->profile;

	for (size_t i = sorted->first_counts[function];
	     i < profile->counts.count && sorted->counts[i]->function == function; i++) {
		const struct line_count *count = sorted->counts[i];
		const uint32_t number = (uint32_t)(count - profile->counts.items) + 1;

		put_place(out, depth, count->place);
		buffer_decimal(out, count->count, 0);
		for (size_t k = sorted->first_calls[number];
		     k < profile->calls.count && sorted->calls[k]->from == number; k++) {
			buffer_char(out, ' ');
			put_name(out, sorted->calls[k]->name, sorted->calls[k]->count);
		}
		buffer_char(out, '\n');
	}
}

/* Returns whether a compiler gives this name to a function of each source file. The counts of these
 * functions cannot be distinguished. */
static bool is_ambiguous(const char *name)
{
	static const char *const prefixes[] = {"__cxx_global_var_init", "__tls_init"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* Writes the functions that are inlined into `parent`, and the functions that are inlined into
 * them. Functions are at most PK_SOURCES_MAX deep. */
static void put_functions(const struct sorted *sorted, uint32_t parent, unsigned int depth,
			  struct export_output *output)
{
	const struct line_profile *profile = sorted->profile;
	struct buffer *out = &output->text;

	for (size_t i = sorted->first_functions[parent];
	     i < profile->functions.count && sorted->functions[i]->parent == parent; i++) {
		const struct line_function *function = sorted->functions[i];
		const uint32_t number = (uint32_t)(function - profile->functions.items) + 1;

		if (is_ambiguous(function->name))
			continue;
		if (parent)
			put_place(out, depth, function->place);
		put_name(out, function->name, function->total);
		if (!parent) {
			buffer_char(out, ':');
			buffer_decimal(out, function->head, 0);
		}
		buffer_char(out, '\n');
		put_counts(sorted, number, depth + 1, out);
		put_functions(sorted, number, depth + 1, output);
		output_part(output);
	}
}

enum pk_status line_profile_write(struct line_profile *profile, struct export_output *output)
{
	struct sorted sorted;

	PK_TRY(make_sorted(&sorted, profile));
	put_functions(&sorted, 0, 0, output);
	free_sorted(&sorted);
	return PK_OK;
}
