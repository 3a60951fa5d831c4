// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "function.h"

static void add_count(struct pk_count *to, const struct pk_count *count)
{
	to->samples += count->samples;
	to->weight += count->weight;
}

static void count_column(struct function *f, unsigned int column,
			 const struct pk_histogram_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t at = cells[i].address - f->is.start;
		const uint32_t row = cells[i].address < f->is.start
					     ? PK_NO_ROW
					     : pk_function_code_row(&f->code, at);

		add_count(&f->totals[column], &cells[i].count);
		if (row == PK_NO_ROW) {
			f->outside += cells[i].count.samples;
			continue;
		}
		f->within += at != f->code.rows[row].at ? cells[i].count.samples : 0;
		add_count(&f->counts[(size_t)row * f->columns + column], &cells[i].count);
	}
}

static bool count_samples(struct function *f, const struct pk_histogram *histogram, uint32_t number)
{
	f->totals = calloc(f->columns, sizeof(*f->totals));
	f->counts = calloc((size_t)f->code.rows_count * f->columns + 1, sizeof(*f->counts));
	if (!f->totals || !f->counts)
		return false;
	for (unsigned int c = 0; c < f->columns; c++) {
		size_t count;
		const struct pk_histogram_cell *cells =
			pk_histogram_cells_of(histogram, f->events[c], number, &count);

		count_column(f, c, cells, count);
	}
	return true;
}

/* The highest address of the function that has samples. */
static uint64_t last_address(const struct function *f, const struct pk_histogram *histogram,
			     uint32_t number)
{
	uint64_t last = f->is.start;

	for (unsigned int c = 0; c < f->columns; c++) {
		size_t count;
		const struct pk_histogram_cell *cells =
			pk_histogram_cells_of(histogram, f->events[c], number, &count);

		if (count && cells[count - 1].address > last)
			last = cells[count - 1].address;
	}
	return last;
}

bool function_load(struct function *f, struct pk_code_objects *objects,
		   const struct pk_histogram *histogram, uint32_t number, const uint32_t *events,
		   unsigned int columns)
{
	const struct pk_code_object *object;

	*f = (struct function){.is = pk_histogram_function(histogram, number),
			       .events = events,
			       .columns = columns};
	f->object = pk_histogram_object(histogram, f->is.object);
	object = pk_code_objects_open(objects, f->is.object, &f->object);
	return object &&
	       pk_function_code_load(&f->code, object, f->is.start,
				     last_address(f, histogram, number)) &&
	       count_samples(f, histogram, number);
}

void function_release(struct function *f)
{
	pk_function_code_release(&f->code);
	free(f->blocks.rows);
	free(f->counts);
	free(f->totals);
	*f = (struct function){0};
}
