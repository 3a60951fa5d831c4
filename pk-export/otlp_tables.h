/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OTLP_TABLES_H
#define OTLP_TABLES_H

/* The dictionary of OpenTelemetry profiles: strings, functions, mappings, locations, attributes and
 * stacks. Each is in its table once; index 0 is the item without a value. */

#include "allowance.h"
#include "buffer.h"
#include "export_output.h"
#include "profile_tables.h"

/* ---- Stacks ---- */

/* Stacks of locations. Equal stacks have equal indexes, also if the stacks of the stream differ in
 * what has no location, as the name of the thread. Time and memory grow with the number of stacks
 * in the dictionary, not with their depth. All zero: only the stack without locations. */

struct otlp_stacks {
	struct pk_allowance *allowance; /* set by the caller: what the lists may cost */
	struct otlp_node {
		uint32_t parent; /* the caller's; 0: none */
		uint32_t location;
		uint32_t depth;
		uint32_t shown; /* the number of its locations in the table */
		uint32_t index; /* in the table of stacks; 0: none yet */
	} * items;		/* item 0 is unused */
	size_t count, capacity;
	struct pk_table numbers; /* by parent and location */
	uint32_t *of_stacks;	 /* the node, by id of the dictionary's stack; 0: unknown */
	size_t of_stacks_count;
	uint32_t *listed; /* nodes by index - 1 */
	size_t listed_count, listed_capacity;
	uint32_t *way;
	size_t way_capacity;
};

/* ---- Tables ---- */

struct otlp_tables {
	struct profile_tables *shared; /* set by the caller; failed: out of memory */
	/* Private to the tables. Items are encoded messages. Their numbers are indexes. */
	struct pk_texts functions, attributes, locations;
	struct otlp_stacks stacks;
	struct buffer text, message, part, value, mapping_messages;
};

/* The index of an attribute with a text, or a number and its unit in UCUM, which is "" if it has
 * none. */
uint32_t otlp_text_attribute(struct otlp_tables *tables, const char *key, const char *text,
			     size_t size);
uint32_t otlp_number_attribute(struct otlp_tables *tables, const char *key, uint64_t number,
			       const char *unit);
/* The index of a stack of the dictionary. cut: it has more than PK_PATH_DEPTH_MAX
 * locations, and loses the outermost ones. */
uint32_t otlp_stack(struct otlp_tables *tables, uint32_t stack, bool *cut);
/* Writes the dictionary as field `field` of a message. Nothing can be added after that. */
void otlp_tables_write(struct otlp_tables *tables, unsigned int field, struct export_output *out);
void otlp_tables_free(struct otlp_tables *tables);

#endif
