/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_OBJECTS_H
#define PK_ANNOTATE_OBJECTS_H

/* The objects that sampled code is of: their symbols and their bytes. */

#include "heat.h"
#include "insn.h"
#include "messages.h"
#include "object_code.h"
#include "session.h"

struct objects;

/* What an address of the object is. */
struct code_object {
	struct pk_object *symbols;    /* NULL: none */
	struct pk_machine_code *code; /* NULL: none, or not opened yet */
	struct disasm *disasm;	      /* NULL: no code, or none for its machine */
	uint64_t shift;		      /* to be added to addresses of the heat: those of symbols */
	const char *reason;	      /* why there is no code; NULL: there is */
};

/* options are those that symbols was made with; both stay the caller's. NULL: out of memory. */
struct objects *objects_new(struct pk_symbols *symbols, const struct pk_symbols_options *options,
			    bool intel, struct pk_messages *messages);
/* Where lookups that fail are counted. */
struct pk_failures *objects_failures(const struct objects *objects);
void objects_free(struct objects *objects);

/* A session begins. */
void objects_begin(struct objects *objects, const struct pk_session *session);
/* What the session tells of its machine, its BPF programs and where its modules are. False: out of
 * memory. */
void objects_machine(struct objects *objects, const struct pk_session_info *info);
bool objects_feature(struct objects *objects, const struct pk_feature_content *feature);
bool objects_map(struct objects *objects, const struct pk_record *record);
/* Where something was sampled for the first time, while its session lasts. */
struct first_sight {
	uint32_t number; /* of the object in the heat */
	struct heat_object object;
	bool kernel;
	uint64_t address;
	uint32_t pid;
};

/* *shift: to be added to this session's addresses, so that they are those of the first session that
 * had the object. False: out of memory. */
bool objects_meet(struct objects *objects, const struct first_sight *first, uint64_t *shift);

/* What is at a location of the session: names alone. */
void objects_resolve(struct objects *objects, const struct pk_location *location,
		     struct pk_resolved *resolved);

/* With its code opened, or the reason why not. */
const struct code_object *objects_open(struct objects *objects, const struct heat *heat,
				       uint32_t number);

#endif
