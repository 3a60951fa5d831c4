// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cfi_internal.h"

struct pk_cfi *pk_cfi_new(const struct pk_machine *machine, const struct pk_cfi_section *eh_frame,
			  const struct pk_cfi_section *header,
			  const struct pk_cfi_section *debug_frame)
{
	struct pk_cfi *cfi = calloc(1, sizeof(*cfi));

	if (!cfi)
		return NULL;
	cfi->machine = machine;
	cfi->tables[0] = (struct cfi_table){.section = *eh_frame};
	cfi->tables[1] = (struct cfi_table){.section = *debug_frame, .is_debug_frame = true};
	cfi_use_header(cfi, header);
	for (int i = 0; i < 2; i++) {
		struct cfi_table *table = &cfi->tables[i];

		/* Rules have room for offsets of 31 bits. */
		if (!table->section.data || table->section.size > INT32_MAX)
			table->section.size = 0;
		if ((i || !cfi->header_count) && !cfi_read_entries(cfi, table)) {
			pk_cfi_free(cfi);
			return NULL;
		}
	}
	return cfi;
}

void pk_cfi_free(struct pk_cfi *cfi)
{
	if (!cfi)
		return;
	free(cfi->tables[0].entries);
	free(cfi->tables[1].entries);
	free(cfi);
}

size_t pk_cfi_count(const struct pk_cfi *cfi)
{
	return cfi->header_count + cfi->tables[0].count + cfi->tables[1].count;
}

static const struct cfi_entry *find_entry(const struct cfi_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	/* The first one that begins behind it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->entries[middle].start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low && address < table->entries[low - 1].end ? &table->entries[low - 1] : NULL;
}

static bool find_fde(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t address,
		     uint64_t *offset)
{
	const struct cfi_entry *entry;

	if (cfi->header_count && !table->is_debug_frame)
		return cfi_search_header(cfi, address, offset);
	entry = find_entry(table, address);
	if (entry)
		*offset = entry->offset;
	return entry;
}

enum pk_cfi_status pk_cfi_find(const struct pk_cfi *cfi, uint64_t address, struct pk_cfi_row *row)
{
	uint64_t work = UINT64_MAX;

	return pk_cfi_find_within(cfi, address, &work, row);
}

enum pk_cfi_status pk_cfi_find_within(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				      struct pk_cfi_row *row)
{
	for (int i = 0; i < 2; i++) {
		const struct cfi_table *table = &cfi->tables[i];
		struct cfi_fde fde;
		uint64_t offset;

		if (!find_fde(cfi, table, address, &offset))
			continue;
		if (!cfi_read_fde(cfi, table, offset, &fde))
			return PK_CFI_BAD;
		if (address >= fde.start && address < fde.end)
			return cfi_run(cfi, table, &fde, address, work, row);
	}
	return PK_CFI_NONE;
}

static enum pk_cfi_status read_register(const struct pk_frame_state *state, unsigned int reg,
					uint64_t *value)
{
	*value = state->value[reg];
	return state->known >> reg & 1 ? PK_CFI_OK : PK_CFI_UNKNOWN;
}

static enum pk_cfi_status find_cfa(const struct cfi_context *context, const struct pk_cfi_row *row,
				   uint64_t *cfa)
{
	enum pk_cfi_status status;

	if (row->cfa.kind == PK_CFI_VAL_EXPRESSION)
		return cfi_evaluate(context, (uint32_t)row->cfa.n, NULL, cfa);
	status = read_register(context->state, row->cfa.reg, cfa);
	*cfa += (uint64_t)(int64_t)row->cfa.n;
	return status;
}

static inline enum pk_cfi_status find_value(const struct cfi_context *context,
					    const struct pk_cfi_rule *rule, uint64_t cfa,
					    uint64_t *value)
{
	const unsigned int word = context->cfi->machine->word;
	enum pk_cfi_status status;
	uint64_t address;

	switch (rule->kind) {
	case PK_CFI_OFFSET:
		return cfi_read_memory(context, cfa + (uint64_t)(int64_t)rule->n, word, value);
	case PK_CFI_VAL_OFFSET: *value = cfa + (uint64_t)(int64_t)rule->n; return PK_CFI_OK;
	case PK_CFI_REGISTER: return read_register(context->state, (uint32_t)rule->n, value);
	case PK_CFI_EXPRESSION:
		status = cfi_evaluate(context, (uint32_t)rule->n, &cfa, &address);
		return status ? status : cfi_read_memory(context, address, word, value);
	case PK_CFI_VAL_EXPRESSION: return cfi_evaluate(context, (uint32_t)rule->n, &cfa, value);
	default: *value = 0; return PK_CFI_END;
	}
}

/* The return address, without the signature that it may have. */
static uint64_t pc_of(const struct pk_machine *machine, uint64_t value)
{
	return value & machine->pc_mask;
}

enum pk_cfi_status pk_cfi_step(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			       struct pk_memory *memory, struct pk_frame_state *state)
{
	const struct cfi_context context = {cfi, &cfi->tables[row->in_debug_frame], memory, state};
	const struct pk_machine *machine = cfi->machine;
	uint64_t values[PK_CFI_RULES], cfa = 0, ruled = 0, known = 0;
	enum pk_cfi_status status = find_cfa(&context, row, &cfa), ra_status = PK_CFI_OK;

	if (status)
		return status;
	if (machine->word == 4)
		cfa = (uint32_t)cfa;
	for (unsigned int i = 0; i < row->count; i++) {
		const struct pk_cfi_rule *rule = &row->rules[i];

		values[i] = 0;
		status = find_value(&context, rule, cfa, &values[i]);
		ruled |= UINT64_C(1) << rule->reg;
		known |= (uint64_t)(status == PK_CFI_OK) << rule->reg;
		if (rule->reg == row->ra)
			ra_status = status;
	}
	/* Without a rule the return address is in its register, and the stack pointer follows from
	 * the CFA. */
	known |= state->known & ~ruled;
	if (ra_status || !(known >> row->ra & 1))
		return ra_status ? ra_status : PK_CFI_UNKNOWN;
	state->value[machine->stack] = cfa - machine->cfa_bias;
	known |= (UINT64_C(1) << machine->stack) & ~ruled;
	for (unsigned int i = 0; i < row->count; i++)
		state->value[row->rules[i].reg] = values[i];
	state->known = known;
	state->pc = pc_of(machine, state->value[row->ra]);
	return PK_CFI_OK;
}

enum pk_cfi_status pk_frame_pointer_step(const struct pk_machine *machine, struct pk_memory *memory,
					 struct pk_frame_state *state)
{
	const struct pk_cfi cfi = {.machine = machine};
	const struct cfi_context context = {&cfi, NULL, memory, state};
	const uint64_t stack = state->value[machine->stack];
	const uint64_t frame = machine->frame < PK_CFI_REGISTERS ? state->value[machine->frame] : 0;
	const unsigned int word = machine->word;
	uint64_t next, pc;

	if (machine->frame >= PK_CFI_REGISTERS || !(state->known >> machine->frame & 1))
		return PK_CFI_UNKNOWN;
	if (!frame)
		return PK_CFI_END; /* so the psABIs have the outermost function marked */
	if (frame < stack || frame % word)
		return PK_CFI_UNKNOWN;
	if (cfi_read_memory(&context, frame, word, &next) ||
	    cfi_read_memory(&context, frame + word, word, &pc))
		return PK_CFI_MEMORY;
	state->known = UINT64_C(1) << machine->frame | UINT64_C(1) << machine->stack;
	state->value[machine->frame] = next;
	state->value[machine->stack] = frame + 2 * word;
	state->pc = pc_of(machine, pc);
	return PK_CFI_OK;
}
