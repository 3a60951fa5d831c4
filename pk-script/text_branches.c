// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

static void add_branch_address(struct script *script, const struct shown *shown, uint64_t ip)
{
	unsigned int parts = shown->view->parts & (PART_DSO | PART_DSOFF);
	struct frame_text text;

	buffer_text(&script->out, "0x");
	buffer_hex(&script->out, ip, 0);
	if (!parts)
		return;
	text = script_address(script, shown, ip, parts);
	buffer_add(&script->out, frame_texts_data(script->texts) + text.at, text.size);
}

static void add_branch_flags(struct script *script, uint64_t flags)
{
	static const char *const types[16] = {"",	  "COND", "UNCOND",  "IND",    "CALL",
					      "IND_CALL", "RET",  "SYSCALL", "SYSRET", "COND_CALL",
					      "COND_RET", "ERET", "IRQ",     "SERROR", "NO_TX"};
	static const char *const speculation[4] = {"-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
						   "SPEC_CORRECT_PATH"};
	const char *type = types[flags >> 20 & 15];

	buffer_format(&script->out, "/%c/%c/%c/%u/%s/%s ",
		      flags & 1	  ? 'M'
		      : flags & 2 ? 'P'
				  : '-',
		      flags & 4 ? 'X' : '-', flags & 8 ? 'A' : '-',
		      (unsigned int)(flags >> 4 & 0xffff), type ? type : "",
		      speculation[flags >> 24 & 3]);
}

void text_brstack(struct script *script, const struct shown *shown)
{
	const struct pk_u64s *branches = &shown->sample.branches;

	for (uint64_t i = 0; i < branches->count; i++) {
		buffer_char(&script->out, ' ');
		add_branch_address(script, shown, pk_u64s_at(branches, 3 * i));
		buffer_char(&script->out, '/');
		add_branch_address(script, shown, pk_u64s_at(branches, 3 * i + 1));
		add_branch_flags(script, pk_u64s_at(branches, 3 * i + 2));
	}
}

static void add_branch_symbol(struct script *script, const struct shown *shown, uint64_t ip)
{
	unsigned int parts =
		PART_SYM | PART_SYMOFF | (shown->view->parts & (PART_DSO | PART_DSOFF));
	struct frame_text text = script_address(script, shown, ip, parts);

	/* Without the blank that frames begin with. */
	if (text.size)
		buffer_add(&script->out, frame_texts_data(script->texts) + text.at + 1,
			   text.size - 1);
}

void text_brstacksym(struct script *script, const struct shown *shown)
{
	const struct pk_u64s *branches = &shown->sample.branches;

	for (uint64_t i = 0; i < branches->count; i++) {
		add_branch_symbol(script, shown, pk_u64s_at(branches, 3 * i));
		buffer_char(&script->out, '/');
		add_branch_symbol(script, shown, pk_u64s_at(branches, 3 * i + 1));
		add_branch_flags(script, pk_u64s_at(branches, 3 * i + 2));
	}
}
