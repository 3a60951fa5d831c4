// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>

#include "cfi.h"
#include "frame_rules.h"
#include "unwind_info.h"

struct frame_rules {
	struct pk_cfi *cfi; /* NULL: there is none */
};

static const struct pk_machine *machine_of(unsigned int number)
{
	enum { WIDE = 2, NARROW = 1 }; /* PERF_SAMPLE_REGS_ABI_64 and _32 */

	switch (number) {
	case EM_X86_64: return pk_machine_find("x86_64", WIDE);
	case EM_386: return pk_machine_find("i386", NARROW);
	case EM_AARCH64: return pk_machine_find("aarch64", WIDE);
	case EM_S390: return pk_machine_find("s390x", WIDE);
	default: return NULL;
	}
}

static struct pk_cfi_section section_of(const struct pk_unwind_section *section)
{
	return (struct pk_cfi_section){section->data, section->size, section->address};
}

struct frame_rules *frame_rules_new(struct pk_object *object)
{
	struct frame_rules *rules = calloc(1, sizeof(*rules));
	enum pk_object_state state;
	const struct pk_unwind_info *info = pk_object_unwind_info(object, &state);
	const struct pk_machine *machine = info ? machine_of(info->machine) : NULL;

	if (rules && machine && machine->swapped == info->swapped) {
		const struct pk_cfi_section eh_frame = section_of(&info->eh_frame);
		const struct pk_cfi_section header = section_of(&info->eh_frame_hdr);
		const struct pk_cfi_section debug_frame = section_of(&info->debug_frame);

		rules->cfi = pk_cfi_new(machine, &eh_frame, &header, &debug_frame);
	}
	return rules;
}

void frame_rules_free(struct frame_rules *rules)
{
	if (!rules)
		return;
	pk_cfi_free(rules->cfi);
	free(rules);
}

bool frame_rules_cfa(const struct frame_rules *rules, uint64_t address, unsigned int *reg,
		     int64_t *offset)
{
	struct pk_cfi_row row;

	if (!rules->cfi || pk_cfi_find(rules->cfi, address, &row) != PK_CFI_OK ||
	    row.cfa.kind != PK_CFI_VAL_OFFSET)
		return false;
	*reg = row.cfa.reg;
	*offset = row.cfa.n;
	return true;
}
