// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "cfi_table.h"
#include "dwarf_constants.h"
#include "hash.h"
#include "table.h"
#include "unwind_table.h"
#include "vector.h"

/* ---- Rows to rules ---- */

static const struct pk_unwind_rule none = {.cfa = PK_UNWIND_NONE}, bad = {.cfa = PK_UNWIND_BAD},
				   end = {.cfa = PK_UNWIND_END};

/* Numbers of x86-64 registers. */
enum { RBX = 3, RDI = 5 };

static bool is_of_x86(const struct pk_cfi_machine *machine)
{
	return machine->elf_machine == EM_X86_64;
}

/* A register plus a number. */
struct sum {
	uint64_t reg;
	int64_t n;
};

static bool is_short(int64_t n)
{
	return n == (int16_t)n;
}

/* Returns the operations of an expression. The length of the expression is at this offset in the
 * section of the row. */
static struct pk_cursor expression(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
				   int32_t offset)
{
	const struct pk_cfi_section *section = &cfi->tables[row->in_debug_frame].frame.section;
	struct pk_cursor bytes = {section->data + (uint32_t)offset, section->data + section->size,
				  cfi->machine->swapped, false};

	return pk_cursor_block(&bytes, pk_cursor_uleb(&bytes));
}

/* Reads the operation DW_OP_bregX n, which is a register plus a number. */
static bool read_sum(struct pk_cursor *bytes, struct sum *sum)
{
	const uint8_t op = pk_cursor_u8(bytes);

	if (op < DW_OP_breg0 || op > DW_OP_breg31)
		return false;
	*sum = (struct sum){op - DW_OP_breg0, (int64_t)pk_cursor_sleb(bytes)};
	return !bytes->bad;
}

/* Reads the end of the expression for the linkage table. The start of the expression is sp + 8. For
 * x86-64, all linkers write the end as: plus ((pc & 15) >= N) << 3. Returns N, or 0 if it is
 * another expression. */
static uint8_t read_plt(struct pk_cursor bytes)
{
	const uint8_t start[] = {DW_OP_breg0 + 16, 0, DW_OP_lit0 + 15, DW_OP_and},
		      rest[] = {DW_OP_ge, DW_OP_lit0 + 3, DW_OP_shl, DW_OP_plus};
	const size_t size = sizeof(start) + 1 + sizeof(rest);
	uint8_t number;

	if (bytes.bad || (size_t)(bytes.end - bytes.p) != size)
		return 0;
	number = bytes.p[sizeof(start)];
	if (memcmp(bytes.p, start, sizeof(start)) != 0 ||
	    memcmp(bytes.p + sizeof(start) + 1, rest, sizeof(rest)) != 0 || number <= DW_OP_lit0 ||
	    number > DW_OP_lit0 + 15)
		return 0;
	return number - DW_OP_lit0;
}

/* Reads the operations after the dereference. There must be no operation, or one that adds a
 * number. */
static bool read_more(struct pk_cursor *bytes, struct pk_unwind_rule *rule)
{
	uint64_t n = 0;

	if (bytes->p < bytes->end) {
		if (pk_cursor_u8(bytes) != DW_OP_plus_uconst)
			return false;
		n = pk_cursor_uleb(bytes);
	}
	rule->cfa_more = (int16_t)n;
	return !bytes->bad && bytes->p == bytes->end && n <= INT16_MAX;
}

/* Sets the CFA of the rule. Returns false if the CFA has an unsupported form. */
static bool convert_cfa(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			struct pk_unwind_rule *rule)
{
	const struct pk_cfi_machine *machine = cfi->machine;
	struct sum sum = {row->cfa.reg, row->cfa.n};
	bool content = row->cfa.kind == PK_CFI_OFFSET;
	struct pk_cursor bytes;
	uint8_t plt = 0;

	if (row->cfa.kind == PK_CFI_VAL_EXPRESSION) {
		bytes = expression(cfi, row, row->cfa.n);
		if (!read_sum(&bytes, &sum) || sum.n != (int32_t)sum.n)
			return false;
		plt = is_of_x86(machine) ? read_plt(bytes) : 0;
		content = !plt && bytes.p < bytes.end;
		if (content && (pk_cursor_u8(&bytes) != DW_OP_deref || !read_more(&bytes, rule)))
			return false;
	}
	rule->cfa_offset = (int32_t)sum.n;
	if (plt)
		rule->cfa_more = plt;
	if (sum.reg == machine->stack)
		rule->cfa = plt ? PK_UNWIND_PLT : content ? PK_UNWIND_AT_SP : PK_UNWIND_SP;
	else if (sum.reg == machine->frame && !plt)
		rule->cfa = content ? PK_UNWIND_AT_FP : PK_UNWIND_FP;
	else if (sum.reg == RBX && is_of_x86(machine) && !plt && !content)
		rule->cfa = PK_UNWIND_BASE;
	else
		return false;
	return true;
}

/* Sets the place where a register is saved in memory. Returns false if the register is not in
 * memory, or if the place is not supported. */
static bool convert_place(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			  const struct pk_cfi_rule *from, uint8_t *place, int16_t *offset)
{
	struct sum sum = {0, from->n};
	struct pk_cursor bytes;

	if (from->kind == PK_CFI_EXPRESSION) {
		bytes = expression(cfi, row, from->n);
		if (!read_sum(&bytes, &sum) || bytes.p != bytes.end)
			return false;
	} else if (from->kind == PK_CFI_AT_REGISTER) {
		sum = (struct sum){pk_cfi_sum_register(from->n), pk_cfi_sum_number(from->n)};
	} else if (from->kind != PK_CFI_OFFSET) {
		return false;
	}
	if (from->kind == PK_CFI_OFFSET)
		*place = PK_UNWIND_FROM_CFA;
	else if (sum.reg == cfi->machine->stack)
		*place = PK_UNWIND_FROM_SP;
	else if (sum.reg == cfi->machine->frame)
		*place = PK_UNWIND_FROM_FP;
	else
		return false;
	*offset = (int16_t)sum.n;
	return is_short(sum.n);
}

/* Returns true if the stack pointer of the caller is equal to the CFA. A rule cannot describe
 * another stack pointer. In a signal frame, the stack pointer and the CFA can be the content of the
 * same place in memory. */
static bool is_cfa(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
		   const struct pk_cfi_rule *stack, const struct pk_unwind_rule *rule)
{
	int16_t offset = 0;
	uint8_t place = 0;

	if (stack->kind == PK_CFI_VAL_OFFSET)
		return stack->n == 0;
	return convert_place(cfi, row, stack, &place, &offset) && rule->cfa_more == 0 &&
	       offset == rule->cfa_offset &&
	       ((place == PK_UNWIND_FROM_SP && rule->cfa == PK_UNWIND_AT_SP) ||
		(place == PK_UNWIND_FROM_FP && rule->cfa == PK_UNWIND_AT_FP));
}

/* Returns the offset of rbx. Few functions need rbx, so only its usual place is supported. */
static int16_t base_offset(const struct pk_cfi_rule *from)
{
	return from->kind == PK_CFI_OFFSET && from->n && is_short(from->n) ? (int16_t)from->n
									   : PK_UNWIND_BASE_LOST;
}

struct pk_unwind_rule pk_unwind_rule_of(const struct pk_cfi *cfi, const struct pk_cfi_row *row)
{
	const struct pk_cfi_machine *machine = cfi->machine;
	struct pk_unwind_rule rule = {.interrupted = row->signal_frame};

	if (machine->word != 8 || machine->swapped || machine->cfa_bias || machine->frame >= 64 ||
	    row->ra != (machine->link ? machine->link : machine->pc))
		return bad;
	for (unsigned int i = 0; i < row->count; i++)
		if (row->rules[i].reg == row->ra && row->rules[i].kind == PK_CFI_UNDEFINED)
			return end;
	if (!convert_cfa(cfi, row, &rule))
		return bad;
	for (unsigned int i = 0; i < row->count; i++) {
		const struct pk_cfi_rule *from = &row->rules[i];

		if (from->reg == row->ra && from->kind == PK_CFI_REGISTER && from->n == RDI &&
		    is_of_x86(machine)) {
			rule.ra = PK_UNWIND_ARGUMENT; /* vfork() keeps its return address in rdi. */
		} else if (from->reg == row->ra) {
			if (!convert_place(cfi, row, from, &rule.ra, &rule.ra_offset))
				return bad;
		} else if (from->reg == machine->frame) {
			if (!convert_place(cfi, row, from, &rule.fp, &rule.fp_offset)) {
				rule.fp = PK_UNWIND_LOST;
				rule.fp_offset = 0;
			}
		} else if (from->reg == RBX && is_of_x86(machine)) {
			rule.base_offset = base_offset(from);
		} else if (from->reg == machine->stack && !is_cfa(cfi, row, from, &rule)) {
			return bad;
		}
	}
	return rule;
}

/* ---- The rows of an object ---- */

/* The limit for the instructions of all rows of an object: a constant, plus a multiple of the bytes
 * in its sections. */
enum { WORK_MIN = 1 << 20, WORK_PER_BYTE = 16 };

#define ADDRESSES_MAX (UINT64_C(1) << 32)

enum { INVALID_MAX = 16 }; /* the most successive invalid FDEs that one step of a search skips */

struct interval {
	uint64_t start, end;
	uint32_t rule;
};

/* Ranges of addresses with their rules, from a list of FDEs. */
struct intervals {
	struct interval *items;
	size_t count, capacity;
	uint64_t newest; /* the start of the FDE that starts last */
	bool in_fde;	 /* true if the next row is not the first row of its FDE */
	bool skipped; /* true if the rows of the current FDE are dropped, because it starts before
		       * an earlier FDE of the list */
};

/* The state while a table is made. */
struct making {
	struct pk_unwind_table *table;
	const struct pk_cfi *cfi;
	struct intervals *list;
	struct pk_table numbers; /* The known rules. The key is the hash of a rule. The value is the
				  * index of the rule plus 1. */
	size_t rules_capacity, rows_capacity;
	uint32_t last;	/* the index of the rule that share() returned last */
	uint64_t size;	/* the number of addresses from the base on that get rows */
	bool of_sframe; /* true if the intervals that are added come from .sframe */
	bool past;	/* true if the current FDE starts after all addresses that get rows */
	bool failed;	/* true if memory was exhausted */
};

/* Returns the index of the rule. Adds the rule if it is new. */
static uint32_t share(struct making *m, const struct pk_unwind_rule *rule)
{
	struct pk_unwind_table *table = m->table;
	struct pk_probe probe;
	uint64_t hash, number;

	if (table->rules_count && !memcmp(&table->rules[m->last], rule, sizeof(*rule)))
		return m->last;
	hash = pk_hash(rule, sizeof(*rule), pk_table_secret(&m->numbers));
	probe = pk_table_probe(&m->numbers, hash);
	while ((number = pk_probe_next(&probe)))
		if (!memcmp(&table->rules[number - 1], rule, sizeof(*rule)))
			return m->last = (uint32_t)number - 1;
	if (pk_reserve(&table->rules, &m->rules_capacity, table->rules_count, 1, sizeof(*rule)) !=
		    PK_OK ||
	    pk_table_add(&m->numbers, hash, table->rules_count + 1) != PK_OK) {
		m->failed = true;
		return 0;
	}
	table->rules[table->rules_count++] = *rule;
	return m->last = (uint32_t)table->rules_count - 1;
}

/* Adds an interval at the end of the list. If several FDEs contain an address, the FDE that starts
 * last applies. So earlier intervals are cut off at the start of the new interval. */
static enum pk_status append(struct intervals *list, uint64_t start, uint64_t stop, uint32_t rule)
{
	struct interval *last;

	while (list->count && list->items[list->count - 1].start >= start)
		list->count--;
	last = list->count ? &list->items[list->count - 1] : NULL;
	if (last && last->end > start)
		last->end = start;
	if (last && last->end == start && last->rule == rule) {
		last->end = stop;
		return PK_OK;
	}
	PK_TRY(pk_reserve(&list->items, &list->capacity, list->count, 1, sizeof(*list->items)));
	list->items[list->count++] = (struct interval){start, stop, rule};
	return PK_OK;
}

static void add_row(void *arg, uint64_t start, uint64_t stop, const struct pk_cfi_row *row)
{
	struct making *m = arg;
	struct intervals *list = m->list;
	struct pk_unwind_rule rule = bad;

	if (!list->in_fde) {
		list->in_fde = true;
		/* add_interval() can move the start down by one. */
		m->past = start > m->table->base && start - m->table->base > m->size;
		list->skipped = list->count && start < list->newest;
		list->newest = list->skipped ? list->newest : start;
	}
	if (list->skipped || m->past || m->failed)
		return;
	if (pk_cfi_switch_row(m->cfi, start))
		row = pk_cfi_switch_row(m->cfi, start);
	if (row) {
		rule = pk_unwind_rule_of(m->cfi, row);
		m->table->unsupported += rule.cfa == PK_UNWIND_BAD;
	}
	m->failed = append(list, start, stop, share(m, &rule)) != PK_OK;
}

static void add_start(struct making *m, uint64_t start, uint32_t rule)
{
	struct pk_unwind_table *table = m->table;
	struct pk_unwind_row *last = table->count ? &table->rows[table->count - 1] : NULL;

	start = start > table->base ? start - table->base : 0;
	if (start >= m->size || (last && last->rule == rule))
		return;
	if (last && last->start == start) {
		last->rule = rule;
		return;
	}
	if (pk_reserve(&table->rows, &m->rows_capacity, table->count, 1, sizeof(*table->rows)) !=
	    PK_OK)
		m->failed = true;
	else
		table->rows[table->count++] = (struct pk_unwind_row){(uint32_t)start, rule};
}

/* Adds rows for the addresses of an interval from *at on. Sets *at to the end of the interval. The
 * address before an FDE gets the rule of the FDE if no other FDE contains it (pk_cfi_find). */
static void add_interval(struct making *m, const struct interval *interval, uint64_t *at)
{
	uint64_t start = interval->start > *at ? interval->start : *at;

	if (start > *at && !m->of_sframe)
		start--;
	if (interval->end <= start || interval->end < m->table->base)
		return;
	if (start > *at)
		add_start(m, *at, 0);
	add_start(m, start, interval->rule);
	*at = interval->end;
}

/* Joins two lists. If both lists have an interval at an address, the interval of the first list
 * applies. */
static void join(struct making *m, const struct intervals *first, const struct intervals *second)
{
	uint64_t at = 0;
	size_t j = 0;

	for (size_t i = 0; i <= first->count && !m->failed; i++) {
		const uint64_t next = i < first->count ? first->items[i].start : UINT64_MAX;

		for (; j < second->count && second->items[j].start < next; j++) {
			struct interval part = second->items[j];

			part.end = part.end < next ? part.end : next;
			m->of_sframe = m->cfi->sframe.count;
			add_interval(m, &part, &at);
			if (second->items[j].end > next)
				break; /* The part of this interval after the next interval of the
					* first list is added later. */
		}
		m->of_sframe = false;
		if (i < first->count)
			add_interval(m, &first->items[i], &at);
	}
	add_start(m, at, 0);
}

uint64_t pk_unwind_table_work(const struct pk_cfi *cfi)
{
	return WORK_MIN +
	       WORK_PER_BYTE * (cfi->tables[0].frame.section.size +
				cfi->tables[1].frame.section.size + cfi->sframe.section.size);
}

/* Of the FDEs with numbers from `low` up to, but not including, `high`, finds the last FDE that
 * starts at or before an address. If there is none, returns `low`. The FDEs are sorted by address.
 * Only damaged files have many invalid FDEs. */
static size_t find_first(const struct pk_cfi *cfi, size_t low, size_t high, uint64_t address)
{
	const size_t least = low;
	uint64_t start = 0, stop;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		size_t at = middle;

		while (at < high && at - middle < INVALID_MAX &&
		       !pk_cfi_range(cfi, at, &start, &stop))
			at++;
		if (at == high || start > address)
			high = middle;
		else
			low = at + 1;
	}
	return low > least ? low - 1 : low;
}

/* Adds the rows of the FDEs that can contain addresses of the table. Only FDEs with numbers from
 * `low` up to, but not including, `high` are walked. */
static void walk(struct making *m, struct intervals *list, size_t low, size_t high, uint64_t *work)
{
	m->list = list;
	m->past = false;
	low = find_first(m->cfi, low, high, m->table->base);
	for (; low < high && *work && !m->past && !m->failed; low++) {
		list->in_fde = false;
		--*work;
		pk_cfi_walk_nth(m->cfi, low, work, add_row, m);
	}
}

enum pk_status pk_unwind_table_make(struct pk_unwind_table *table, const struct pk_cfi *cfi,
				    uint64_t base, uint64_t size, uint64_t *work)
{
	struct intervals lists[2] = {{0}};
	struct making m = {
		.table = table, .cfi = cfi, .size = size < ADDRESSES_MAX ? size : ADDRESSES_MAX};
	const size_t of_eh_frame = cfi->header.count + cfi->tables[0].count,
		     count = pk_cfi_fdes(cfi) + cfi->sframe.count;

	*table = (struct pk_unwind_table){.base = base};
	share(&m, &none);
	walk(&m, &lists[0], 0, of_eh_frame, work);
	walk(&m, &lists[1], of_eh_frame, count, work);
	add_start(&m, 0, 0);
	if (!m.failed)
		join(&m, &lists[0], &lists[1]);
	free(lists[0].items);
	free(lists[1].items);
	pk_table_free(&m.numbers);
	return m.failed ? PK_NOMEM : PK_OK;
}

void pk_unwind_table_free(struct pk_unwind_table *table)
{
	free(table->rows);
	free(table->rules);
	*table = (struct pk_unwind_table){0};
}

const struct pk_unwind_rule *pk_unwind_table_find(const struct pk_unwind_table *table,
						  uint64_t address)
{
	size_t low = 0, high = table->count;

	if (address < table->base || address - table->base > UINT32_MAX)
		return &table->rules[0];
	address -= table->base;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (table->rows[middle].start <= address)
			low = middle;
		else
			high = middle;
	}
	return &table->rules[table->rows[low].rule];
}
