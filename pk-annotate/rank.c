// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "function_name.h"
#include "rank.h"
#include "stream_symbols.h"
#include "vector.h"

/* ---- Names ---- */

/* Returns the size of the name without the suffix of a part. The compiler can split a rarely
 * executed part off from a function. The part of foo is named foo.cold, foo.cold.1 or foo [clone
 * .cold]. */
static size_t base_length(const char *name)
{
	const char *cold = strstr(name, ".cold");

	if (!cold || cold == name || (cold[5] && cold[5] != '.' && cold[5] != ']'))
		return strlen(name);
	if (cold - name < 8 || memcmp(cold - 8, " [clone ", 8))
		return (size_t)(cold - name);
	return (size_t)(cold - name) - 8;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns the colon of OBJECT:FUNCTION, or NULL if there is none. Double colons are ignored,
 * because they belong to names of C++. */
static const char *colon_in(const char *glob)
{
	for (; *glob; glob++) {
		if (*glob != ':')
			continue;
		if (glob[1] != ':')
			return glob;
		glob++;
	}
	return NULL;
}

static bool matches_object(const char *glob, size_t size, const char *path)
{
	char text[512];

	if (size >= sizeof(text))
		return false;
	memcpy(text, glob, size);
	text[size] = '\0';
	return !fnmatch(text, path, 0) || !fnmatch(text, file_name(path), 0) ||
	       !strcmp(text, path) || !strcmp(text, file_name(path));
}

static bool matches(const char *glob, const char *name)
{
	return !strcmp(glob, name) || !fnmatch(glob, name, 0);
}

/* Returns true if the glob matches the name, its base, or the base without parameters. The base is
 * the name without a suffix such as .cold. Removes the parameters from base. */
static bool matches_any(const char *glob, const char *object, const char *name, char *base)
{
	const char *colon = colon_in(glob);
	const size_t size = strlen(base);
	const struct pk_range parameters = pk_parameters(base, size);

	if (colon && matches_object(glob, (size_t)(colon - glob), object))
		glob = colon + 1;
	if (matches(glob, name) || matches(glob, base))
		return true;
	if (parameters.from == size)
		return false;
	memmove(base + parameters.from, base + parameters.to, size + 1 - parameters.to);
	return matches(glob, base);
}

/* Returns true if the glob matches the function. The name of a function of an interpreter is
 * FILE:FUNCTION, and the glob can also match FUNCTION. */
static bool matches_function(const char *glob, const char *object, const char *name, char *base)
{
	const char *colon = pk_interpreted_image(object) ? colon_in(name) : NULL;

	return matches_any(glob, object, name, base) || (colon && matches(glob, colon + 1));
}

enum pk_status rank_matches(const char *glob, const char *object, const char *name, bool *matches)
{
	char *base = strndup(name, base_length(name));

	if (!base)
		return PK_NOMEM;
	*matches = matches_function(glob, object, name, base);
	free(base);
	return PK_OK;
}

static enum pk_status matches_number(const struct code_hits *hits, const char *glob,
				     uint32_t number, bool *matches)
{
	const struct pk_place_function function = code_hits_function(hits, number);
	const struct pk_code_file object = code_hits_object(hits, function.object);

	return rank_matches(glob, object.path, function.name, matches);
}

enum pk_status rank_drop_inlined(struct code_hits *hits, const struct annotate_options *options)
{
	for (uint32_t i = 0; i < options->functions.count; i++) {
		bool known = false;

		for (uint32_t f = 0; !known && f < code_hits_functions(hits); f++)
			PK_TRY(matches_number(hits, options->functions.items[i], f, &known));
		if (known)
			code_hits_forget_inlined(hits, i);
	}
	return PK_OK;
}

enum pk_status rank_is_named(const struct code_hits *hits, const struct annotate_options *options,
			     uint32_t number, bool *met, bool *named)
{
	bool matches;

	*named = !options->functions.count;
	for (uint32_t i = 0; i < options->functions.count; i++) {
		PK_TRY(matches_number(hits, options->functions.items[i], number, &matches));
		if (matches || code_hits_has_inlined(hits, number, i))
			*named = met[i] = true;
	}
	return PK_OK;
}

/* ---- Gathering ---- */

static enum pk_status add_function(struct ranking *ranking, size_t *capacity, uint32_t function)
{
	PK_TRY(pk_reserve(&ranking->list, capacity, ranking->count, 1, sizeof(*ranking->list)));
	ranking->list[ranking->count++] = (struct ranked){.function = function};
	return PK_OK;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_function(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return compare_numbers(a->function, b->function);
}

/* Adds each function that has a cell of at least one of the events. Each function is added once. */
static enum pk_status gather(struct ranking *ranking, const struct code_hits *hits,
			     const uint32_t *events, unsigned int count)
{
	size_t room = 0, n = 0;

	for (unsigned int c = 0; c < count; c++) {
		size_t cells_count;
		const struct hit_cell *cells = code_hits_cells(hits, events[c], &cells_count);

		for (size_t i = 0; i < cells_count; i++)
			if (!i || cells[i].function != cells[i - 1].function)
				PK_TRY(add_function(ranking, &room, cells[i].function));
	}
	if (ranking->count)
		qsort(ranking->list, ranking->count, sizeof(*ranking->list), by_function);
	for (size_t i = 0; i < ranking->count; i++)
		if (!n || ranking->list[n - 1].function != ranking->list[i].function)
			ranking->list[n++] = ranking->list[i];
	ranking->count = n;
	return PK_OK;
}

static void weigh(struct ranking *ranking, const struct code_hits *hits,
		  const struct annotate_options *options, uint32_t event, bool first)
{
	const struct hit_count total = code_hits_total(hits, event);
	const double all = (double)weight_of(options, &total);
	size_t count;
	const struct hit_cell *cells = code_hits_cells(hits, event, &count);
	struct ranked *ranked = ranking->list;
	double share = 0;

	for (size_t i = 0; i < count; i++) {
		if (ranked->function != cells[i].function)
			share = 0;
		while (ranked->function != cells[i].function)
			ranked++;
		share += all > 0 ? (double)weight_of(options, &cells[i].count) / all : 0;
		ranked->share = share > ranked->share ? share : ranked->share;
		if (!first)
			continue;
		ranked->count.samples += cells[i].count.samples;
		ranked->count.weight += cells[i].count.weight;
	}
}

/* ---- Families: functions with their parts ---- */

struct part {
	const char *name;
	size_t base;
	uint32_t object;
	size_t index; /* index in the ranking */
};

static int compare_bases(const struct part *a, const struct part *b)
{
	const size_t size = a->base < b->base ? a->base : b->base;
	int order = compare_numbers(a->object, b->object);

	order = order ? order : memcmp(a->name, b->name, size);
	return order ? order : compare_numbers(a->base, b->base);
}

/* Sorts by name, so that each function comes directly before its parts. */
static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	int order = compare_bases(a, b);

	order = order ? order : strcmp(a->name, b->name);
	return order ? order : compare_numbers(a->index, b->index);
}

/* Returns true if `part` is a part of `first`: its object and base name are the same, and it has a
 * suffix such as .cold. Two functions with equal names, for example static functions, are not parts
 * of each other. */
static bool is_part_of(const struct part *part, const struct part *first)
{
	return !compare_bases(part, first) && part->name[part->base] && part != first;
}

/* A function with its parts. The total weight is the key for sorting. */
struct family {
	uint64_t weight;
	double share;
	size_t first, count; /* range in the sorted array of parts */
};

static int hottest_first(const void *left, const void *right)
{
	const struct family *a = left, *b = right;
	int order = compare_numbers(b->weight, a->weight);

	order = order ? order : (b->share > a->share) - (b->share < a->share);
	return order ? order : compare_numbers(a->first, b->first);
}

static size_t make_families(const struct ranking *ranking, const struct annotate_options *options,
			    const struct part *parts, struct family *families)
{
	size_t count = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		if (!count || !is_part_of(&parts[i], &parts[families[count - 1].first]))
			families[count++] = (struct family){.first = i};
		families[count - 1].count++;
		families[count - 1].weight +=
			weight_of(options, &ranking->list[parts[i].index].count);
		families[count - 1].share += ranking->list[parts[i].index].share;
	}
	qsort(families, count, sizeof(*families), hottest_first);
	return count;
}

static void fill_parts(const struct ranking *ranking, const struct code_hits *hits,
		       struct part *parts)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct pk_place_function function =
			code_hits_function(hits, ranking->list[i].function);

		parts[i] = (struct part){function.name, base_length(function.name), function.object,
					 i};
	}
	if (ranking->count)
		qsort(parts, ranking->count, sizeof(*parts), compare_parts);
}

static void leave_out(struct ranking *ranking, const struct family *family)
{
	ranking->left_out += family->count;
	ranking->left_out_weight += family->weight;
}

/* Sorts the functions, and drops functions that are not hot enough. */
static enum pk_status choose(struct ranking *ranking, const struct code_hits *hits,
			     const struct annotate_options *options)
{
	struct part *parts = calloc(ranking->count + 1, sizeof(*parts));
	struct family *families = calloc(ranking->count + 1, sizeof(*families));
	struct ranked *chosen = malloc((ranking->count + 1) * sizeof(*chosen));
	const double least = options->functions.count ? 0 : options->min_percent / 100;
	const bool done = parts && families && chosen;
	size_t families_count, n = 0;
	uint32_t shown = 0;

	if (done) {
		fill_parts(ranking, hits, parts);
		families_count = make_families(ranking, options, parts, families);
		for (size_t k = 0; k < families_count; k++) {
			const struct family *family = &families[k];

			if ((options->hottest && shown >= options->hottest) ||
			    family->share < least) {
				leave_out(ranking, family);
				continue;
			}
			for (size_t i = 0; i < family->count; i++) {
				chosen[n] = ranking->list[parts[family->first + i].index];
				chosen[n++].family = shown;
			}
			shown++;
		}
		free(ranking->list);
		ranking->list = chosen;
		ranking->count = n;
	} else {
		free(chosen);
	}
	free(parts);
	free(families);
	return done ? PK_OK : PK_NOMEM;
}

static enum pk_status keep_named(struct ranking *ranking, const struct code_hits *hits,
				 const struct annotate_options *options, bool *met)
{
	size_t n = 0;
	bool named;

	for (size_t i = 0; i < ranking->count; i++) {
		PK_TRY(rank_is_named(hits, options, ranking->list[i].function, met, &named));
		if (named)
			ranking->list[n++] = ranking->list[i];
	}
	ranking->count = n;
	return PK_OK;
}

enum pk_status rank_functions(struct ranking *ranking, const struct code_hits *hits,
			      const struct annotate_options *options, const uint32_t *events,
			      unsigned int count, bool *met)
{
	*ranking = (struct ranking){0};
	PK_TRY(gather(ranking, hits, events, count));
	for (unsigned int c = 0; c < count; c++)
		weigh(ranking, hits, options, events[c], !c);
	if (options->functions.count)
		PK_TRY(keep_named(ranking, hits, options, met));
	return choose(ranking, hits, options);
}
