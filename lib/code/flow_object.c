/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "cfi.h"
#include "flow_object.h"
#include "loaded_data.h"
#include "object_debug.h"

struct flow_object {
	struct pk_object *object;
	struct pk_types *types;
	struct pk_loaded_data *data; /* or NULL */
	struct pk_cfi *cfi;	     /* or NULL */
	bool kernel;
};

static const char *name_of(void *arg, uint64_t address)
{
	const struct flow_object *o = arg;
	struct pk_symbol symbol;
	uint64_t lookup;

	if (!pk_types_lookup(o->types, address, &lookup) ||
	    !pk_object_lookup(o->object, lookup, &symbol) || symbol.start != lookup)
		return NULL;
	return symbol.name;
}

static bool frame_address(void *arg, uint64_t address, unsigned *reg, int64_t *offset)
{
	const struct flow_object *o = arg;
	struct pk_cfi_row row;

	if (pk_cfi_find(o->cfi, address, &row) != PK_CFI_OK || row.cfa.kind != PK_CFI_VAL_OFFSET)
		return false;
	*reg = row.cfa.reg;
	*offset = row.cfa.n;
	return true;
}

static enum flow_slot slot_at(void *arg, uint64_t address, uint64_t *value, const char **name)
{
	static const enum flow_slot kinds[] = {[PK_SLOT_ADDRESS] = FLOW_SLOT_ADDRESS,
					       [PK_SLOT_SYMBOL] = FLOW_SLOT_POINTER,
					       [PK_SLOT_THREAD] = FLOW_SLOT_THREAD,
					       [PK_SLOT_COPY] = FLOW_SLOT_COPY};
	const struct flow_object *o = arg;
	struct pk_slot slot;

	if (!pk_loaded_data_find(o->data, address, &slot))
		return FLOW_SLOT_NONE;
	*value = slot.value;
	*name = slot.name;
	return kinds[slot.kind];
}

static void read_frames(struct flow_object *o)
{
	enum pk_object_state why;
	const struct pk_unwind_info *info = pk_object_unwind_info(o->object, &why);

	if (!info || info->swapped)
		return;
	if (info->machine != EM_X86_64 && info->machine != EM_AARCH64)
		return;
	o->cfi = pk_need(pk_object_failures(o->object),
			 pk_unwind_cfi(info, pk_cfi_machine_by_elf(info->machine)));
}

struct flow_object *pk_flow_object_new(struct pk_object *object)
{
	struct flow_object *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->object = object;
	o->types = pk_object_types(object);
	o->kernel = !strncmp(pk_object_path(object), "[kernel", 7);
	if (!o->types)
		return o;
	o->data = pk_loaded_data_new(object);
	read_frames(o);
	return o;
}

void pk_flow_object_free(struct flow_object *o)
{
	if (!o)
		return;
	pk_loaded_data_free(o->data);
	pk_cfi_free(o->cfi);
	free(o);
}

void pk_flow_object_options(struct flow_object *o, struct flow_options *options)
{
	options->types = o->types;
	options->kernel = o->kernel;
	options->fixed = o->kernel || (o->data && pk_loaded_data_is_fixed(o->data));
	options->tls_size = o->data ? pk_loaded_data_thread_size(o->data) : 0;
	options->name = o->types ? name_of : NULL;
	options->cfa = o->cfi ? frame_address : NULL;
	options->slot = o->data ? slot_at : NULL;
	options->arg = o;
}
