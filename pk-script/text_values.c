// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "text.h"

/* Whether addr is printed with its symbol: only for the software events of page faults. */
static bool addr_is_a_place(const struct pk_event *event)
{
	uint64_t config = event->attr.config;

	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (config == PERF_COUNT_SW_PAGE_FAULTS || config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

void text_addr(struct script *script, const struct shown *shown)
{
	struct shown_text text;

	buffer_hex(&script->out, shown->sample.addr, 16);
	if (!addr_is_a_place(shown->view->event))
		return;
	text = script_address(script, shown, shown->sample.addr,
			      shown->view->parts & ~(unsigned int)PART_SRCLINE);
	frame_texts_add(script->texts, &text, 0, &script->out);
}

static bool is_struct(const struct shown *shown)
{
	return shown->view->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT;
}

void text_weight(struct script *script, const struct shown *shown)
{
	uint64_t weight = shown->sample.weight;

	buffer_decimal(&script->out, is_struct(shown) ? (uint32_t)weight : weight, 16);
}

void text_ins_lat(struct script *script, const struct shown *shown)
{
	buffer_decimal(&script->out, shown->sample.weight >> 32 & 0xffff, 16);
}

void text_retire_lat(struct script *script, const struct shown *shown)
{
	buffer_decimal(&script->out, shown->sample.weight >> 48, 16);
}

/* Prints the path of the control group from CGROUP records. */
void text_cgroup(struct script *script, const struct shown *shown)
{
	const char *path = pk_session_cgroup(script->context->session, shown->sample.cgroup);

	if (!path)
		path = "unknown";
	buffer_char(&script->out, ' ');
	buffer_harmless(&script->out, path, strlen(path));
}

/* ---- Registers ---- */

static void add_register_name(struct script *script, unsigned int number)
{
	const char *name = pk_register_name(script->context->e_machine, number);

	if (name)
		buffer_format(&script->out, "%5s", name);
	else
		buffer_format(&script->out, "reg%u", number);
}

static void add_registers(struct script *script, const struct pk_registers *registers,
			  uint64_t mask)
{
	if (!registers->values.count)
		return;
	buffer_format(&script->out, " ABI:%llu ", (unsigned long long)registers->abi);
	for (uint64_t i = 0; i < registers->values.count && mask; i++, mask &= mask - 1) {
		add_register_name(script, (unsigned int)__builtin_ctzll(mask));
		buffer_text(&script->out, ":0x");
		buffer_hex(&script->out, pk_u64s_at(&registers->values, i), 0);
		buffer_char(&script->out, ' ');
	}
}

void text_iregs(struct script *script, const struct shown *shown)
{
	add_registers(script, &shown->sample.interrupt_registers,
		      shown->record->event->attr.sample_regs_intr);
}

void text_uregs(struct script *script, const struct shown *shown)
{
	add_registers(script, &shown->sample.user_registers,
		      shown->record->event->attr.sample_regs_user);
}

static void add_branch_address(struct script *script, const struct shown *shown, uint64_t ip)
{
	unsigned int parts = shown->view->parts & (PART_DSO | PART_DSOFF);
	struct shown_text text;

	buffer_text(&script->out, "0x");
	buffer_hex(&script->out, ip, 0);
	if (!parts)
		return;
	text = script_address(script, shown, ip, parts);
	frame_texts_add(script->texts, &text, 0, &script->out);
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
	struct shown_text text = script_address(script, shown, ip, parts);

	/* From byte 1: the text of a frame starts with a blank. */
	frame_texts_add(script->texts, &text, 1, &script->out);
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
