/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "flow_internal.h"
#include "vector.h"

/* Functions that are larger are not followed: the largest of the kernel and of compilers have a
 * fraction of it. */
#define INSNS_MAX  (1u << 17)
#define BLOCKS_MAX (1u << 14)

static bool add_insn(struct flow *f, const struct insn *insn)
{
	if (!pk_reserve(&f->insns, &f->insn_room, f->insn_count, 1, sizeof(*f->insns)))
		return false;
	f->insns[f->insn_count++] = *insn;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct insn *one = a, *other = b;

	return (one->address > other->address) - (one->address < other->address);
}

bool flow_decode(struct flow *f, const struct flow_piece *pieces, size_t count)
{
	struct insn insn;
	bool sorted = true;
	size_t i, at;

	for (i = 0; i < count; i++) {
		sorted &= !i || pieces[i].address > pieces[i - 1].address;
		for (at = 0; disasm_next(f->options.disasm, DISASM_OPERANDS, pieces[i].bytes + at,
					 pieces[i].size - at, pieces[i].address + at, &insn);
		     at += insn.size) {
			if (f->insn_count == INSNS_MAX) {
				f->too_large = true;
				return true;
			}
			if (!add_insn(f, &insn))
				return false;
		}
	}
	if (!sorted)
		qsort(f->insns, f->insn_count, sizeof(*f->insns), by_address);
	return true;
}

uint32_t flow_insn_at(const struct flow *f, uint64_t address)
{
	size_t low = 0, high = f->insn_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (f->insns[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->insn_count && f->insns[low].address == address ? (uint32_t)low : UINT32_MAX;
}

static bool goes_elsewhere(const struct insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH || insn->kind == INSN_RETURN;
}

/* Is what follows it in memory what follows it in time? */
static bool falls_through(const struct flow *f, const struct insn *insn)
{
	if (insn->kind == INSN_CALL)
		return !flow_never_returns(f, insn);
	return insn->kind != INSN_JUMP && insn->kind != INSN_RETURN && insn->kind != INSN_UNDECODED;
}

/* Where blocks begin: begins[i] of instruction i. */
static void mark(const struct flow *f, bool *begins)
{
	begins[0] = true;
	for (size_t i = 0; i < f->insn_count; i++) {
		const struct insn *insn = &f->insns[i];
		uint32_t target;

		if (insn->has_target && insn->kind != INSN_CALL) {
			target = flow_insn_at(f, insn->target);
			if (target != UINT32_MAX)
				begins[target] = true;
		}
		if (i + 1 < f->insn_count && (goes_elsewhere(insn) || !falls_through(f, insn) ||
					      insn[1].address != insn->address + insn->size))
			begins[i + 1] = true;
	}
}

static uint32_t block_of(const struct flow *f, uint32_t insn)
{
	size_t low = 0, high = f->block_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (f->blocks[middle].end <= insn)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->block_count ? (uint32_t)low : UINT32_MAX;
}

static void connect(struct flow *f, struct block *b)
{
	const struct insn *last = &f->insns[b->end - 1];
	const size_t index = (size_t)(b - f->blocks);
	uint32_t at;

	b->next = b->target = UINT32_MAX;
	if (falls_through(f, last) && index + 1 < f->block_count &&
	    f->insns[b->end].address == last->address + last->size)
		b->next = (uint32_t)index + 1;
	if (last->kind == INSN_JUMP || last->kind == INSN_BRANCH) {
		at = last->has_target ? flow_insn_at(f, last->target) : UINT32_MAX;
		if (at != UINT32_MAX)
			b->target = block_of(f, at);
		b->jumps_anywhere = !last->has_target;
	}
	if (b->next != UINT32_MAX)
		f->blocks[b->next].has_before = true;
	if (b->target != UINT32_MAX)
		f->blocks[b->target].has_before = true;
}

bool flow_split(struct flow *f)
{
	bool *begins = calloc(f->insn_count + 1, sizeof(*begins));
	size_t count = 0, i;

	if (!begins)
		return false;
	mark(f, begins);
	for (i = 0; i < f->insn_count; i++)
		count += begins[i];
	f->too_large |= count > BLOCKS_MAX;
	f->blocks = f->too_large ? NULL : calloc(count, sizeof(*f->blocks));
	if (f->blocks) {
		for (i = 0; i < f->insn_count; i++) {
			if (begins[i])
				f->blocks[f->block_count++].first = (uint32_t)i;
			f->blocks[f->block_count - 1].end = (uint32_t)i + 1;
		}
		for (i = 0; i < f->block_count; i++)
			connect(f, &f->blocks[i]);
	}
	free(begins);
	return f->blocks || f->too_large;
}
