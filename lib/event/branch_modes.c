// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "event.h"

#define PRIVILEGES UINT64_C(7)

static const struct {
	const char *name;
	uint64_t bits;
} modes[] = {
	{"u", 1 << 0},		{"k", 1 << 1},		{"hv", 1 << 2},
	{"any", 1 << 3},	{"any_call", 1 << 4},	{"any_ret", 1 << 5},
	{"ind_call", 1 << 6},	{"abort_tx", 1 << 7},	{"in_tx", 1 << 8},
	{"no_tx", 1 << 9},	{"cond", 1 << 10},	{"stack", 1 << 11},
	{"ind_jmp", 1 << 12},	{"call", 1 << 13},	{"no_flags", 1 << 14},
	{"no_cycles", 1 << 15}, {"save_type", 1 << 16}, {"hw_index", 1 << 17},
	{"priv", 1 << 18},	{"counter", 1 << 19},
};

static bool mode_bits(const char *name, uint64_t *bits)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(name, modes[i].name))
			continue;
		*bits |= modes[i].bits;
		return true;
	}
	return false;
}

enum pk_status pk_branch_modes_parse(const char *text, uint64_t *type)
{
	char *copy = strdup(text), *cursor = copy, *item;
	uint64_t bits = 0;
	bool ok = true;

	if (!copy)
		return PK_NOMEM;
	while (ok && (item = strsep(&cursor, ",")))
		ok = mode_bits(item, &bits);
	free(copy);
	/* Privilege levels alone do not select branches. So "any" is added. */
	if (!(bits & ~PRIVILEGES))
		bits |= 1 << 3;
	*type = bits;
	return ok ? PK_OK : PK_CORRUPT;
}
