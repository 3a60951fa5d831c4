/* SPDX-License-Identifier: BSD-2-Clause */
#include "flow_internal.h"

static void forget(struct state *s, int64_t at, unsigned size, unsigned word)
{
	unsigned i = 0;

	while (i < s->slot_count) {
		const int64_t there = s->slots[i].at;

		if ((uint64_t)offset_minus(there, at) < size ||
		    (uint64_t)offset_minus(at, there) < word)
			s->slots[i] = s->slots[--s->slot_count];
		else
			i++;
	}
}

void state_store(struct state *s, int64_t at, unsigned size, const struct value *value,
		 unsigned word)
{
	forget(s, at, size ? size : 64, word);
	if (size != word || value->kind == VALUE_UNKNOWN)
		return;
	/* The one that was stored first is the one that is needed least. */
	if (s->slot_count == STATE_SLOTS) {
		s->slots[0] = s->slots[--s->slot_count];
	}
	s->slots[s->slot_count++] = (struct slot){at, *value};
}

const struct value *state_load(const struct state *s, int64_t at)
{
	for (unsigned i = 0; i < s->slot_count; i++)
		if (s->slots[i].at == at)
			return &s->slots[i].value;
	return NULL;
}

bool state_merge(struct pk_types *t, struct state *to, const struct state *from)
{
	bool changed = false;
	unsigned i = 0;

	if (!to->reached) {
		*to = *from;
		return true;
	}
	for (unsigned reg = 0; reg < STATE_REGISTERS; reg++)
		to->regs[reg] = value_merge(t, &to->regs[reg], &from->regs[reg], &changed);
	while (i < to->slot_count) {
		const struct value *other = state_load(from, to->slots[i].at);

		if (other)
			to->slots[i].value = value_merge(t, &to->slots[i].value, other, &changed);
		if (!other || to->slots[i].value.kind == VALUE_UNKNOWN) {
			to->slots[i] = to->slots[--to->slot_count];
			changed = true;
		} else {
			i++;
		}
	}
	return changed;
}
