// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "texts.h"
#include "type_tally.h"

/* The key of a cell. A cell counts the samples of a member of a type. type and member are numbers
 * in `texts`. */
struct cell_key {
	uint64_t type_size, offset, size;
	uint32_t type, member;
};

struct cell {
	struct cell_key is;
	struct type_counts counts[];
};

struct type_tally {
	unsigned int columns;
	struct pk_texts texts;
	struct pk_texts keys;  /* each key is a struct cell_key */
	struct pk_table cells; /* struct cell by the number of its key in `keys` */
	struct type_reason reasons[TYPE_REASONS];
	size_t reasons_count;
	struct hit_count *typed, *untyped,
		*without; /* for each column, the samples with a type, with an unknown type, and
			   * without a memory access */
	/* type_tally_settle() sets these members: */
	struct type_share *types;
	size_t types_count;
	struct type_member *members;
	struct type_counts *type_counts;
};

struct type_tally *type_tally_new(unsigned int columns)
{
	struct type_tally *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->columns = columns;
	t->typed = calloc(columns, sizeof(*t->typed));
	t->untyped = calloc(columns, sizeof(*t->untyped));
	t->without = calloc(columns, sizeof(*t->without));
	if (t->typed && t->untyped && t->without)
		return t;
	type_tally_free(t);
	return NULL;
}

void type_tally_free(struct type_tally *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->reasons_count; i++)
		free(t->reasons[i].counts);
	pk_table_free_all(&t->cells);
	pk_texts_free(&t->keys);
	pk_texts_free(&t->texts);
	free(t->typed);
	free(t->untyped);
	free(t->without);
	free(t->types);
	free(t->members);
	free(t->type_counts);
	free(t);
}

static void add_count(struct hit_count *to, const struct hit_count *count)
{
	to->samples += count->samples;
	to->weight += count->weight;
}

static void add_counts(struct type_counts *to, const struct type_counts *counts)
{
	add_count(&to->all, &counts->all);
	to->read += counts->read;
	to->written += counts->written;
}

/* ---- Adding ---- */

static struct cell *cell_of(struct type_tally *t, const struct type_place *place)
{
	const size_t size = sizeof(struct cell) + t->columns * sizeof(struct type_counts);
	uint32_t type = pk_texts_add(&t->texts, place->type, strlen(place->type));
	uint32_t member = pk_texts_add(&t->texts, place->member, strlen(place->member));
	struct cell *cell;
	const struct cell_key key = {place->type_size, place->offset, place->size, type, member};
	uint32_t number;

	number = pk_texts_add(&t->keys, (const char *)&key, sizeof(key));
	if (!type || !member || !number)
		return NULL;
	cell = pk_table_get_or_add(&t->cells, number, size);
	if (!cell)
		return NULL;
	cell->is = key;
	return cell;
}

enum pk_status type_tally_add(struct type_tally *t, unsigned int column,
			      const struct hit_count *count, const struct type_place *place)
{
	struct cell *cell = cell_of(t, place);

	if (!cell)
		return PK_NOMEM;
	add_count(&t->typed[column], count);
	add_counts(&cell->counts[column],
		   &(struct type_counts){*count, place->read ? count->samples : 0,
					 place->written ? count->samples : 0});
	return PK_OK;
}

enum pk_status type_tally_unknown(struct type_tally *t, unsigned int column,
				  const struct hit_count *count, const char *reason)
{
	size_t i = 0;

	add_count(&t->untyped[column], count);
	while (i < t->reasons_count && strcmp(t->reasons[i].text, reason))
		i++;
	if (i == TYPE_REASONS)
		return PK_OK;
	if (i == t->reasons_count) {
		struct hit_count *counts = calloc(t->columns, sizeof(*counts));

		if (!counts)
			return PK_NOMEM;
		t->reasons[t->reasons_count++] = (struct type_reason){reason, counts};
	}
	add_count(&t->reasons[i].counts[column], count);
	return PK_OK;
}

void type_tally_no_access(struct type_tally *t, unsigned int column, const struct hit_count *count)
{
	add_count(&t->without[column], count);
}

/* ---- Order ---- */

static int by_type(const void *left, const void *right)
{
	const struct cell_key *a = &(*(struct cell *const *)left)->is;
	const struct cell_key *b = &(*(struct cell *const *)right)->is;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->type_size != b->type_size)
		return a->type_size < b->type_size ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return a->member < b->member ? -1 : a->member > b->member;
}

static struct cell **sorted_cells(const struct type_tally *t)
{
	struct cell **cells = malloc((t->cells.count + 1) * sizeof(struct cell *));
	struct cell *cell;
	size_t n = 0, cursor = 0;

	while (cells && (cell = pk_table_next_value(&t->cells, &cursor)))
		cells[n++] = cell;
	if (n)
		qsort(cells, n, sizeof(struct cell *), by_type);
	return cells;
}

static const char *text_of(const struct type_tally *t, uint32_t number)
{
	const char *text = pk_texts_get(&t->texts, number, NULL);

	return text ? text : "";
}

/* Creates the members of each type from the sorted cells. */
static void gather(struct type_tally *t, struct cell *const *cells)
{
	const struct cell *last = NULL;

	for (size_t i = 0; i < t->cells.count; i++) {
		struct cell *c = cells[i];
		struct type_share *type;

		t->members[i] = (struct type_member){text_of(t, c->is.member), c->is.offset,
						     c->is.size, c->counts};
		if (!last || last->is.type != c->is.type || last->is.type_size != c->is.type_size) {
			t->types[t->types_count] = (struct type_share){
				.name = text_of(t, c->is.type),
				.size = c->is.type_size,
				.counts = &t->type_counts[t->types_count * t->columns],
				.members = &t->members[i],
			};
			t->types_count++;
		}
		last = c;
		type = &t->types[t->types_count - 1];
		type->members_count++;
		for (unsigned int k = 0; k < t->columns; k++)
			add_counts(&type->counts[k], &c->counts[k]);
	}
}

static int compare_texts(const struct type_share *a, const struct type_share *b)
{
	const int order = strcmp(a->name, b->name);

	return order ? order : a->size < b->size ? -1 : a->size > b->size;
}

static int by_samples(const void *left, const void *right)
{
	const struct type_share *a = left, *b = right;

	if (a->counts->all.samples != b->counts->all.samples)
		return a->counts->all.samples > b->counts->all.samples ? -1 : 1;
	return compare_texts(a, b);
}

static int by_weight(const void *left, const void *right)
{
	const struct type_share *a = left, *b = right;

	if (a->counts->all.weight != b->counts->all.weight)
		return a->counts->all.weight > b->counts->all.weight ? -1 : 1;
	return compare_texts(a, b);
}

static int by_reason(const void *left, const void *right)
{
	const struct type_reason *a = left, *b = right;

	if (a->counts->samples != b->counts->samples)
		return a->counts->samples > b->counts->samples ? -1 : 1;
	return strcmp(a->text, b->text);
}

enum pk_status type_tally_settle(struct type_tally *t, bool samples)
{
	struct cell **cells = sorted_cells(t);
	const size_t count = t->cells.count;

	t->members = malloc((count + 1) * sizeof(*t->members));
	t->types = malloc((count + 1) * sizeof(*t->types));
	t->type_counts = calloc(count * t->columns + 1, sizeof(*t->type_counts));
	if (cells && t->members && t->types && t->type_counts)
		gather(t, cells);
	if (t->types_count)
		qsort(t->types, t->types_count, sizeof(*t->types),
		      samples ? by_samples : by_weight);
	if (t->reasons_count)
		qsort(t->reasons, t->reasons_count, sizeof(*t->reasons), by_reason);
	free(cells);
	if (!cells)
		return PK_NOMEM;
	if (!t->members)
		return PK_NOMEM;
	if (!t->types)
		return PK_NOMEM;
	return t->type_counts ? PK_OK : PK_NOMEM;
}

/* ---- Results ---- */

const struct type_share *type_tally_types(const struct type_tally *t, size_t *count)
{
	*count = t->types_count;
	return t->types;
}

const struct type_reason *type_tally_reasons(const struct type_tally *t, size_t *count)
{
	*count = t->reasons_count;
	return t->reasons;
}

struct hit_count type_tally_typed(const struct type_tally *t, unsigned int column)
{
	return t->typed[column];
}

struct hit_count type_tally_untyped(const struct type_tally *t, unsigned int column)
{
	return t->untyped[column];
}

struct hit_count type_tally_without(const struct type_tally *t, unsigned int column)
{
	return t->without[column];
}
