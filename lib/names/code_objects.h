/* SPDX-License-Identifier: BSD-2-Clause */
/* The objects that contain sampled code: their symbols, and the bytes of their code. */
#ifndef PK_CODE_OBJECTS_H
#define PK_CODE_OBJECTS_H

#include "insn.h"
#include "locate.h"
#include "messages.h"
#include "object_code.h"
#include "session.h"
#include "texts.h"

struct pk_code_objects;

/* The symbols in which code objects are looked up, and how code is shown. */
struct pk_code_options {
	struct pk_symbols *symbols; /* owned by the caller; if it is NULL, nothing is looked up */
	const struct pk_symbols_options *names; /* the options with which symbols was created */
	struct pk_messages *messages; /* owned by the caller; gets warnings about objects */
	bool intel; /* true for the assembler syntax of Intel, false for the syntax of AT&T */
	void (*no_memory)(void); /* called if the disassembler cannot allocate memory; see struct
				  * disasm_options */
};

/* Identifies an object. */
struct pk_code_file {
	enum pk_dso_kind kind;
	const char *path;
	struct pk_build_id build_id;
};

/* An object: its symbols, its code and its disassembler. */
struct pk_code_object {
	struct pk_object *symbols;    /* NULL if there are no symbols */
	struct pk_machine_code *code; /* NULL if there is no code, or if it is not open yet */
	struct disasm *disasm; /* NULL if there is no code, or no disassembler for the machine */
	/* The reason why `code` or `disasm` is NULL. It is NULL if both exist. */
	const char *reason;
};

/* Returns NULL if memory is exhausted. */
struct pk_code_objects *pk_code_objects_new(const struct pk_code_options *options);
void pk_code_objects_free(struct pk_code_objects *objects);
/* Returns the failures of symbol lookups, such as exhausted memory. */
struct pk_failures *pk_code_objects_failures(const struct pk_code_objects *objects);

void pk_code_objects_start_session(struct pk_code_objects *objects, struct pk_session *session);
/* Sets the machine of the session from its SESSION record. */
void pk_code_objects_machine(struct pk_code_objects *objects, const struct pk_session_info *info);
/* Stores the code of BPF programs, and the addresses of kernel modules. Call this function for
 * every record that is not a SAMPLE. */
PK_MUST_CHECK enum pk_status pk_code_objects_record(struct pk_code_objects *objects,
						    const struct pk_reader *reader,
						    const struct pk_record *record);

/* Describes an object when it is used first in a session. */
struct pk_code_use {
	/* The number that identifies the object. The caller chooses it, and uses the same number in
	 * all sessions. It must be small, because it is the index of an array. */
	uint32_t number;
	struct pk_code_file file;
	uint64_t address; /* an address in the object, from a sample */
	uint32_t pid;
};

/* Registers an object, and sets *shift. An address of this session plus *shift is the address in
 * the first session that had the object. Only the kernel and its modules can have a *shift that is
 * not 0, because the addresses of a kernel can change with each boot. */
PK_MUST_CHECK enum pk_status pk_code_objects_meet(struct pk_code_objects *objects,
						  const struct pk_code_use *use, uint64_t *shift);

/* Looks up the symbol at a location of the current session. */
void pk_code_objects_resolve(struct pk_code_objects *objects, const struct pk_location *location,
			     struct pk_resolved *resolved);

/* Returns the object that this number identifies. The first call opens the code of the object, and
 * adds the result to the messages. If there is no code, `reason` is set. Returns NULL if memory is
 * exhausted. */
const struct pk_code_object *pk_code_objects_open(struct pk_code_objects *objects, uint32_t number,
						  const struct pk_code_file *file);

/* ---- Names of addresses that are not in stacks ---- */

/* Names for the addresses of data, and for the source and target addresses of branches. Each
 * address is looked up once, in the object files or in the symbols of the stream. */
struct pk_address_names;

/* The symbol at an address. */
struct pk_address_name {
	uint64_t start;	 /* the address at which the symbol starts */
	uint32_t number; /* the number that identifies the name in the texts of the caller; 0 if
			  * there is no symbol */
	bool known;	 /* only code_objects.c uses it */
};

/* The caller keeps objects and texts. Returns NULL if memory is exhausted. */
struct pk_address_names *pk_address_names_new(struct pk_code_objects *objects,
					      struct pk_texts *texts);
/* Returns the symbol at a location. A location without an image has no symbol. The result is valid
 * until the next call. Returns NULL if memory is exhausted. */
const struct pk_address_name *pk_address_names_at(struct pk_address_names *names,
						  const struct pk_location *location);
/* Call this function when the numbers of the texts become invalid. */
void pk_address_names_clear(struct pk_address_names *names);
void pk_address_names_free(struct pk_address_names *names);

#endif
