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
