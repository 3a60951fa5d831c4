// SPDX-License-Identifier: BSD-2-Clause
#include "jit_unwind.h"
#include "pkutil.h"

/* Returns the sections of the unwinding information: .eh_frame, and its header .eh_frame_hdr. In
 * these sections, the address of code is its offset in the jitdump. The specification of jitdumps
 * says that the header precedes .eh_frame. But compilers write the header after .eh_frame, and perf
 * reads it there. So both places are accepted. */
static struct pk_cfi_sections sections_of(const struct pk_jit_unwinding *unwinding,
					  const uint8_t *bytes,
					  const struct pk_cfi_machine *machine)
{
	const uint64_t start = unwinding->code + PK_ALIGN8(unwinding->code_size);
	const uint32_t size = unwinding->size - unwinding->header_size;
	struct pk_cfi_section table = {bytes, size, start};
	struct pk_cfi_section header = {bytes, unwinding->header_size, start};

	if (pk_eh_table(&header, machine->word, machine->swapped).count) {
		table.data += header.size;
		table.address += header.size;
	} else {
		header.data += size;
		header.address += size;
	}
	return (struct pk_cfi_sections){.eh_frame = table, .header = header};
}

/* Returns true if the row has an expression. Such a row refers to the bytes of the unwinding
 * information. It cannot be used, because these bytes are freed while the row is still needed. */
static bool has_expression(const struct pk_cfi_row *row)
{
	bool has = row->cfa.kind == PK_CFI_VAL_EXPRESSION;

	for (unsigned int i = 0; i < row->count; i++)
		has |= row->rules[i].kind >= PK_CFI_EXPRESSION;
	return has;
}

enum pk_cfi_status pk_jit_row(const struct pk_jit_unwinding *unwinding, const uint8_t *bytes,
			      const struct pk_cfi_machine *machine, uint64_t offset, uint64_t *work,
			      struct pk_cfi_row *row)
{
	const struct pk_cfi_sections sections = sections_of(unwinding, bytes, machine);
	struct pk_cfi *cfi = pk_cfi_new(machine, &sections);
	enum pk_cfi_status status;

	if (!cfi)
		return PK_CFI_MEMORY;
	status = pk_cfi_find_within(cfi, offset, work, row);
	pk_cfi_free(cfi);
	return status == PK_CFI_OK && has_expression(row) ? PK_CFI_BAD : status;
}
