// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "branch_entry.h"
#include "cli.h"
#include "field_table.h"
#include "perf_abi.h"

/* ---- Blocks ---- */

/* How often a block ran. */
struct sum {
	uint64_t count, predicted;
	uint64_t timed, cycles; /* `timed` is the number of times that the block ran with a known
				 * number of cycles; `cycles` is the sum of these cycles */
};

struct block {
	struct pk_place from, to;
	const struct sum *sum;
	bool outside; /* one end of the block is not at the start of an instruction of the function
		       */
};

struct blocks {
	const struct pk_places *places;
	struct pk_table sums; /* struct sum; the key is the number of the first place << 32 | the
			       * number of the last place */
	struct block *list;   /* sorted by function; set by blocks_sort() */
	size_t count;
	/* Numbers of samples and blocks that were not used: */
	uint64_t filtered; /* number of samples whose branch stacks have only some kinds of branches
			    */
	uint64_t unplaced; /* number of blocks that start or end outside of all known functions */
	uint64_t crossing; /* number of blocks that end in another function than the one in which
			    * they start, or before their start */
	bool used;	   /* true if a function with blocks was printed */
};

struct blocks *blocks_new(const struct pk_places *places)
{
	struct blocks *blocks = calloc(1, sizeof(*blocks));

	if (blocks)
		blocks->places = places;
	return blocks;
}

void blocks_free(struct blocks *blocks)
{
	if (!blocks)
		return;
	pk_table_free_all(&blocks->sums);
	free(blocks->list);
	free(blocks);
}

/* ---- Samples ---- */

static int compare_functions(const struct pk_place_function *a, const struct pk_place_function *b)
{
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

static bool is_block(const struct blocks *blocks, uint32_t first, uint32_t last)
{
	const struct pk_place from = pk_places_at(blocks->places, first),
			      to = pk_places_at(blocks->places, last);

	return !compare_functions(&from.function, &to.function) && from.address <= to.address;
}

enum pk_status blocks_add_one(struct blocks *blocks, uint32_t first, uint32_t last, uint64_t flags)
{
	const unsigned int cycles = pk_branch_cycles(flags);
	struct sum *sum;

	if (!first || !last) {
		blocks->unplaced++;
		return PK_OK;
	}
	if (!is_block(blocks, first, last)) {
		blocks->crossing++;
		return PK_OK;
	}
	sum = pk_table_get_or_add(&blocks->sums, (uint64_t)first << 32 | last, sizeof(*sum));
	if (!sum)
		return PK_NOMEM;
	sum->count++;
	sum->predicted += !!(flags & PK_BRANCH_PREDICTED);
	sum->timed += cycles > 0;
	sum->cycles += cycles;
	return PK_OK;
}

enum pk_status blocks_add(struct blocks *blocks, struct pk_view *view)
{
	const struct pk_sample *sample = pk_view_sample(view);
	uint64_t i = sample ? sample->branches.count : 0;
	enum pk_status status = PK_OK;

	if (!i)
		return PK_OK;
	if (!pk_has_all_branches(&view->event->attr)) {
		blocks->filtered++;
		return PK_OK;
	}
	for (i--; status == PK_OK && i > 0; i--) {
		const struct pk_branch before = pk_branch_at(&sample->branches, i),
				       end = pk_branch_at(&sample->branches, i - 1);
		const uint32_t first = pk_view_place_of(view, before.to),
			       last = pk_view_place_of(view, end.from);

		status = !view->context->failed ? blocks_add_one(blocks, first, last, end.flags)
						: PK_NOMEM;
	}
	return status;
}

/* ---- Functions ---- */

static int compare_blocks(const void *left, const void *right)
{
	const struct block *a = left, *b = right;

	return compare_functions(&a->from.function, &b->from.function);
}

enum pk_status blocks_sort(struct blocks *blocks)
{
	const struct pk_table_slot *slot;
	size_t cursor = 0;

	blocks->list = malloc((blocks->sums.count + 1) * sizeof(*blocks->list));
	if (!blocks->list)
		return PK_NOMEM;
	while ((slot = pk_table_next(&blocks->sums, &cursor)))
		blocks->list[blocks->count++] = (struct block){
			.from = pk_places_at(blocks->places, (uint32_t)(slot->key >> 32)),
			.to = pk_places_at(blocks->places, (uint32_t)slot->key),
			.sum = (const void *)(uintptr_t)slot->value};
	if (blocks->count)
		qsort(blocks->list, blocks->count, sizeof(*blocks->list), compare_blocks);
	return PK_OK;
}

/* Returns the index of the first block of the function. If the function has no blocks, returns the
 * index of the first block of a later function. */
static size_t find_function(const struct blocks *blocks, const struct pk_place_function *is)
{
	size_t low = 0, high = blocks->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_functions(&blocks->list[middle].from.function, is) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the row of the instruction that starts at the address, or PK_NO_ROW if no instruction
 * starts there. */
static uint32_t row_of(const struct pk_function_code *code, uint64_t start, uint64_t address)
{
	const uint32_t row =
		address < start ? PK_NO_ROW : pk_function_code_row(code, address - start);

	return row != PK_NO_ROW && code->rows[row].at == address - start ? row : PK_NO_ROW;
}

static void count_block(struct function_blocks *of, uint32_t first, uint32_t last,
			const struct sum *sum)
{
	of->rows[first].entered += sum->count;
	of->rows[last].taken += sum->count;
	of->rows[last].predicted += sum->predicted;
	of->count += sum->count;
	of->cycles += sum->cycles;
	of->instructions += sum->timed * (last - first + UINT64_C(1));
}

enum pk_status blocks_of(struct blocks *blocks, const struct pk_place_function *is,
			 const struct pk_function_code *code, struct function_blocks *of)
{
	const uint32_t rows = code->rows_count;
	uint64_t open = 0;

	*of = (struct function_blocks){.rows = calloc(rows + (size_t)1, sizeof(*of->rows))};
	if (!of->rows)
		return PK_NOMEM;
	for (size_t i = find_function(blocks, is); i < blocks->count; i++) {
		struct block *block = &blocks->list[i];
		uint32_t first, last;

		if (compare_functions(&block->from.function, is))
			break;
		first = row_of(code, is->start, block->from.address);
		last = row_of(code, is->start, block->to.address);
		if (first != PK_NO_ROW && last != PK_NO_ROW)
			count_block(of, first, last, block->sum);
		else
			block->outside = !code->reason;
	}
	for (uint32_t r = 0; r < rows; r++) {
		open += of->rows[r].entered;
		of->rows[r].executed = open;
		of->executed_rows += open > 0;
		open -= of->rows[r].taken;
	}
	/* For each row, find the next row where blocks end, and note how often that row ran. So the
	 * loop runs backwards. blocks_put_marks() uses the number. */
	for (uint32_t r = rows; r--;)
		of->rows[r].end_executed = of->rows[r].taken || r + 1 == rows
						   ? of->rows[r].executed
						   : of->rows[r + 1].end_executed;
	blocks->used |= of->count > 0;
	return PK_OK;
}

void blocks_put_marks(const struct function_blocks *of, uint32_t row, struct buffer *out)
{
	const double share_min = 0.1; /* in percent; perf uses the same limit */
	const struct row_blocks *here = &of->rows[row];
	double share;

	if (!here->entered && !here->taken)
		return;
	buffer_text(out, "  #");
	share = 100 * (double)here->entered / (double)here->end_executed;
	if (here->entered && share > share_min)
		buffer_format(out, " +%.2f%%", share);
	share = 100 * (double)here->taken / (double)here->executed;
	if (here->taken && share > share_min)
		buffer_format(out, " -%.2f%% (p:%.2f%%)", share,
			      100 * (double)here->predicted / (double)here->taken);
}

void blocks_report(const struct blocks *blocks)
{
	uint64_t outside = 0;
	char number[32];

	for (size_t i = 0; i < blocks->count; i++)
		outside += blocks->list[i].outside ? blocks->list[i].sum->count : 0;
	if (!blocks->used && !blocks->filtered)
		pk_warn("--blocks: no blocks: pk-record -b records branch stacks");
	if (blocks->filtered)
		pk_warn("%s samples have only branches of some kinds: no blocks",
			pk_number(number, blocks->filtered));
	if (blocks->crossing)
		pk_warn("%s blocks were not counted: they end before their start, or in another "
			"function",
			pk_number(number, blocks->crossing));
	if (blocks->unplaced)
		pk_warn("%s blocks were not counted: they have an end in no known function",
			pk_number(number, blocks->unplaced));
	if (outside)
		pk_warn("%s blocks were not counted: they have an end that is not an instruction "
			"of "
			"their function",
			pk_number(number, outside));
}

/* ---- Functions ---- */

static void add_count(struct hit_count *to, const struct hit_count *count)
{
	to->samples += count->samples;
	to->weight += count->weight;
}

static void count_column(struct function *f, unsigned int column, const struct hit_cell *cells,
			 size_t count)
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

static enum pk_status count_samples(struct function *f, const struct code_hits *hits,
				    uint32_t number)
{
	f->totals = calloc(f->columns, sizeof(*f->totals));
	f->counts = calloc((size_t)f->code.rows_count * f->columns + 1, sizeof(*f->counts));
	if (!f->totals || !f->counts)
		return PK_NOMEM;
	for (unsigned int c = 0; c < f->columns; c++) {
		size_t count;
		const struct hit_cell *cells =
			code_hits_cells_of(hits, f->events[c], number, &count);

		count_column(f, c, cells, count);
	}
	return PK_OK;
}

/* Returns the highest address in the function that has samples. */
static uint64_t last_address(const struct function *f, const struct code_hits *hits,
			     uint32_t number)
{
	uint64_t last = f->is.start;

	for (unsigned int c = 0; c < f->columns; c++) {
		size_t count;
		const struct hit_cell *cells =
			code_hits_cells_of(hits, f->events[c], number, &count);

		if (count && cells[count - 1].address > last)
			last = cells[count - 1].address;
	}
	return last;
}

enum pk_status function_load(struct function *f, struct pk_code_objects *objects,
			     const struct code_hits *hits, uint32_t number, const uint32_t *events,
			     unsigned int columns)
{
	const struct pk_code_object *object;

	*f = (struct function){
		.is = code_hits_function(hits, number), .events = events, .columns = columns};
	f->object = code_hits_object(hits, f->is.object);
	object = pk_code_objects_open(objects, f->is.object, &f->object);
	if (!object)
		return PK_NOMEM;
	PK_TRY(pk_function_code_load(&f->code, object, f->is.start, last_address(f, hits, number)));
	return count_samples(f, hits, number);
}

void function_release(struct function *f)
{
	pk_function_code_release(&f->code);
	free(f->blocks.rows);
	free(f->counts);
	free(f->totals);
	*f = (struct function){0};
}
