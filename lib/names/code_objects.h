/* SPDX-License-Identifier: BSD-2-Clause */
/* The objects that sampled code is in: their symbols, and the bytes of their code. */
#ifndef PK_CODE_OBJECTS_H
#define PK_CODE_OBJECTS_H

#include "insn.h"
#include "locate.h"
#include "messages.h"
#include "object_code.h"
#include "session.h"
#include "texts.h"

struct pk_code_objects;

struct pk_code_options {
	struct pk_symbols *symbols;		/* the caller's; NULL: no lookups */
	const struct pk_symbols_options *names; /* the options that symbols was created with */
	struct pk_messages *messages;		/* the caller's: warnings about objects */
	bool intel;				/* disassemble in Intel syntax, not AT&T's */
	void (*no_memory)(void);		/* see struct disasm_options */
};

/* Identifies an object. */
struct pk_code_file {
	enum pk_dso_kind kind;
	const char *path;
	struct pk_build_id build_id;
};

struct pk_code_object {
	struct pk_object *symbols;    /* NULL: none */
	struct pk_machine_code *code; /* NULL: none, or not yet opened */
	struct disasm *disasm;	      /* NULL: no code, or no disassembler for its machine */
	/* The reason why code or disassembler is missing, or NULL if none is missing. */
	const char *reason;
};

/* NULL: out of memory. */
struct pk_code_objects *pk_code_objects_new(const struct pk_code_options *options);
void pk_code_objects_free(struct pk_code_objects *objects);
/* The failures (such as exhausted memory) of lookups of symbols. */
struct pk_failures *pk_code_objects_failures(const struct pk_code_objects *objects);

void pk_code_objects_start_session(struct pk_code_objects *objects, struct pk_session *session);
/* Sets the machine of the session from its SESSION record. */
void pk_code_objects_machine(struct pk_code_objects *objects, const struct pk_session_info *info);
/* Call it for every record that is not a SAMPLE: stores the code of BPF programs and the addresses
 * of kernel modules. */
PK_MUST_CHECK enum pk_status pk_code_objects_record(struct pk_code_objects *objects,
						    const struct pk_reader *reader,
						    const struct pk_record *record);

/* The first use of an object in a session. */
struct pk_code_use {
	uint32_t number; /* number of the object: the caller chooses it, the same in all sessions;
			  * small, because it is an index of an array */
	struct pk_code_file file;
	uint64_t address; /* a sampled address */
	uint32_t pid;
};

/* Registers an object. *shift is to be added to addresses of this session, to get those of the
 * first session that had the object (a kernel's addresses can change from boot to boot). */
PK_MUST_CHECK enum pk_status pk_code_objects_meet(struct pk_code_objects *objects,
						  const struct pk_code_use *use, uint64_t *shift);

/* Looks up the symbol at a location of the session. */
void pk_code_objects_resolve(struct pk_code_objects *objects, const struct pk_location *location,
			     struct pk_resolved *resolved);

/* Opens the code of the object with that number on the first call, and reports the result in
 * messages. If there is no code, `reason` is set. NULL: out of memory. */
const struct pk_code_object *pk_code_objects_open(struct pk_code_objects *objects, uint32_t number,
						  const struct pk_code_file *file);

/* ---- Names of addresses that are not in stacks ---- */

/* Data, and ends of branches. They are looked up in the object files, or in the symbols of the
 * stream, once for each address. */
struct pk_address_names;

struct pk_address_name {
	uint64_t start;	 /* of the symbol */
	uint32_t number; /* of its name in the texts; 0: no symbol */
	bool known;	 /* private */
};

/* objects and texts stay the caller's. NULL: out of memory. */
struct pk_address_names *pk_address_names_new(struct pk_code_objects *objects,
					      struct pk_texts *texts);
/* The symbol at a location. A location without an image has none. Valid until the next call. NULL:
 * out of memory. */
const struct pk_address_name *pk_address_names_at(struct pk_address_names *names,
						  const struct pk_location *location);
/* Call when numbers of the texts become invalid. */
void pk_address_names_clear(struct pk_address_names *names);
void pk_address_names_free(struct pk_address_names *names);

#endif
