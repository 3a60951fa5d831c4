// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "code_reader.h"
#include "object_code.h"
#include "table.h"
#include "vector.h"

/* The machine code of an object. It is opened at its first use. */
struct object {
	struct pk_machine_code *code; /* NULL if no code can be read */
	struct disasm *disasm;	      /* NULL if there is none, or if it was not needed yet */
	bool has_looked;	      /* for the disassembler */
};

struct code_reader {
	struct resolver *resolver;
	void (*no_memory)(void);
	struct pk_table numbers; /* index in objects + 1, by address of the struct pk_object */
	struct object *objects;
	size_t count, capacity;
	bool failed;
};

struct code_reader *pk_code_reader_new(struct resolver *resolver, void (*no_memory)(void))
{
	struct code_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->resolver = resolver;
	reader->no_memory = no_memory;
	return reader;
}

void pk_code_reader_free(struct code_reader *reader)
{
	if (!reader)
		return;
	for (size_t i = 0; i < reader->count; i++) {
		pk_disasm_free(reader->objects[i].disasm);
		pk_machine_code_free(reader->objects[i].code);
	}
	free(reader->objects);
	pk_table_free(&reader->numbers);
	free(reader);
}

bool pk_code_reader_failed(const struct code_reader *reader)
{
	return reader && reader->failed;
}

static bool is_ready(const struct object *object)
{
	return object->code && pk_machine_code_state(object->code) == PK_OBJECT_READY;
}

static void look_for_disassembler(const struct code_reader *reader, struct object *object)
{
	struct disasm_options options = {.no_memory = reader->no_memory};
	struct pk_machine machine;
	const char *reason;

	object->has_looked = true;
	machine = pk_machine_code_machine(object->code);
	options.machine = machine.number;
	options.is_64 = machine.is_64;
	options.big_endian = machine.big_endian;
	object->disasm = pk_disasm_new(&options, &reason);
}

/* Returns NULL if memory is exhausted. */
static struct object *object_of(struct code_reader *reader, struct pk_object *from)
{
	const uint64_t key = (uint64_t)(uintptr_t)from;
	const uint64_t number = pk_table_get_u64(&reader->numbers, key);

	if (number)
		return &reader->objects[number - 1];
	if (pk_reserve(&reader->objects, &reader->capacity, reader->count, 1,
		       sizeof(*reader->objects)) != PK_OK ||
	    pk_table_set_u64(&reader->numbers, key, reader->count + 1) != PK_OK) {
		reader->failed = true;
		return NULL;
	}
	reader->objects[reader->count] = (struct object){.code = pk_machine_code_new(from)};
	reader->failed |= !reader->objects[reader->count].code;
	return &reader->objects[reader->count++];
}

/* Selects the instruction set of Arm code, because Arm has two. Also tells code from data. The
 * symbols of arm, arm64 and riscv have this information. */
static void set_mode(const struct object *object, uint64_t address)
{
	uint64_t shown, end;
	char kind = 0;

	if (pk_machine_code_shown(object->code, address, &shown))
		kind = pk_machine_code_mapping(object->code, shown, &end);
	pk_disasm_mode(object->disasm, kind == 't'   ? DISASM_THUMB
				       : kind == 'd' ? DISASM_DATA
						     : DISASM_CODE);
}

size_t pk_code_reader_read(struct code_reader *reader, const struct pk_location *location, void *to,
			   size_t size, struct disasm **disasm)
{
	struct pk_object *from;
	struct object *object;
	uint64_t address;

	if (disasm)
		*disasm = NULL;
	from = pk_resolver_named_by(reader->resolver, location, &address);
	object = from ? object_of(reader, from) : NULL;
	if (!object || !is_ready(object))
		return 0;
	if (disasm && !object->has_looked)
		look_for_disassembler(reader, object);
	if (disasm && !object->disasm)
		return 0;
	if (disasm) {
		set_mode(object, address);
		*disasm = object->disasm;
	}
	return pk_machine_code_read(object->code, address, to, size);
}
