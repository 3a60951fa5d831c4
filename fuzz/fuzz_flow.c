/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/code/flow.c lib/code/flow_variables.c lib/code/flow_step.c lib/code/flow_value.c */
/* Tests any bytes as the code of a function. The variables are those of a function of this program.
 * The first byte selects the function. The second byte splits the code into two pieces. */
#include <elf.h>
#include <limits.h>
#include <unistd.h>

#include "check_that.h"
#include "flow_object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct pk_types *types;
static struct flow_options options;
static uint64_t addresses[256];
static unsigned count;

/* Reads the program once, because only the code is fuzzed. */
static void set_up(void)
{
	static const struct disasm_options machine = {.machine = EM_X86_64, .is_64 = true};
	const struct pk_symbols_options none = {.no_cache = true};
	static char path[PATH_MAX];
	struct pk_object *object;
	struct pk_symbol symbol;
	const char *reason;

	options.disasm = pk_disasm_new(&machine, &reason);
	check_that(options.disasm != NULL);
	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return;
	object = pk_symbols_file(pk_symbols_new(&none), path, NULL, 0);
	types = pk_object_types(object);
	if (!types)
		return;
	pk_flow_object_options(pk_flow_object_new(object), &options);
	for (size_t i = 0; count < 256 && pk_object_symbol(object, i, &symbol); i += 3)
		if (pk_types_address(types, symbol.start, &addresses[count]))
			count++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flow_piece pieces[2] = {{0}};
	const struct flow_access *a;
	struct flow *f;

	if (!options.disasm)
		set_up();
	if (size < 3)
		return 0;
	pieces[0].address = count ? addresses[data[0] % count] : 0x1000;
	pieces[0].bytes = data + 2;
	pieces[0].size = (size - 2) * data[1] / 256 + 1;
	pieces[1].address = pieces[0].address + pieces[0].size + data[1];
	pieces[1].bytes = data + 2 + pieces[0].size;
	pieces[1].size = size - 2 - pieces[0].size;
	f = pk_flow_new(&options, pieces, 2);
	check_that(f != NULL);
	for (unsigned p = 0; p < 2; p++)
		for (size_t i = 0; i < pieces[p].size; i++)
			for (size_t n = pk_flow_accesses(f, pieces[p].address + i, &a); n;
			     n--, a++) {
				check_that(a->found < FLOW_FOUND_COUNT &&
					   a->reason < FLOW_REASON_COUNT);
				check_that(a->found != FLOW_TYPE || a->type != PK_TYPE_NONE);
				check_that(a->address == pieces[p].address + i);
			}
	pk_flow_free(f);
	return 0;
}
