/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_OBJECTS_H
#define PK_CODE_OBJECTS_H

/* The objects of sampled code: their symbols and their bytes. */

#include "insn.h"
#include "messages.h"
#include "object_code.h"
#include "session.h"

struct pk_code_objects;

struct pk_code_options {
	struct pk_symbols *symbols;		/* the caller's; NULL: no lookups */
	const struct pk_symbols_options *names; /* the options that symbols was created with */
	struct pk_messages *messages;		/* the caller's: warnings about objects */
	bool intel;				/* syntax of the disassembler */
	void (*no_memory)(void);		/* see struct disasm_options */
};

/* The source of code. */
struct pk_code_file {
	enum pk_dso_kind kind;
	const char *path;
	struct pk_build_id build_id;
};

struct pk_code_object {
	struct pk_object *symbols;    /* NULL: none */
	struct pk_machine_code *code; /* NULL: none, or not yet opened */
	struct disasm *disasm;	      /* NULL: no code, or no disassembler for its machine */
	const char *reason;	      /* the reason why there is no code; NULL: there is */
};

/* NULL: out of memory. */
struct pk_code_objects *pk_code_objects_new(const struct pk_code_options *options);
void pk_code_objects_free(struct pk_code_objects *objects);
/* The failures of lookups. */
struct pk_failures *pk_code_objects_failures(const struct pk_code_objects *objects);

void pk_code_objects_start_session(struct pk_code_objects *objects,
				   const struct pk_session *session);
/* Sets the machine of the session. */
void pk_code_objects_machine(struct pk_code_objects *objects, const struct pk_session_info *info);
/* Evaluates BPF programs and the addresses of kernel modules in any record. False: out of
 * memory. */
bool pk_code_objects_record(struct pk_code_objects *objects, const struct pk_reader *reader,
			    const struct pk_record *record);

/* A new object of a session. */
struct pk_code_use {
	uint32_t number; /* of the object: chosen by the caller, the same in all sessions, and
			  * small */
	struct pk_code_file file;
	uint64_t address; /* a sampled address */
	uint32_t pid;
};

/* Registers an object. *shift: added to this session's addresses, it converts them to those of the
 * first session with the object. False: out of memory. */
bool pk_code_objects_meet(struct pk_code_objects *objects, const struct pk_code_use *use,
			  uint64_t *shift);

/* The names at a location of the session. */
void pk_code_objects_resolve(struct pk_code_objects *objects, const struct pk_location *location,
			     struct pk_resolved *resolved);

/* The object with that number; its code is open, or has the reason why not. NULL: out of memory. */
const struct pk_code_object *pk_code_objects_open(struct pk_code_objects *objects, uint32_t number,
						  const struct pk_code_file *file);

#endif
