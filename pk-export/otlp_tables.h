/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OTLP_TABLES_H
#define OTLP_TABLES_H

/* The dictionary of OpenTelemetry profiles. It has tables of strings, functions, mappings,
 * locations, attributes and stacks. Each item is in its table once. The item with index 0 has no
 * value. */

#include "allowance.h"
#include "buffer.h"
#include "export_output.h"
#include "profile_tables.h"

/* ---- Stacks ---- */

/* Stacks that consist of locations. Equal stacks have the same index. This includes stacks that
 * differ only in frames without a location, such as the name of the thread. Time and memory are
 * proportional to the number of stacks in the dictionary, not to their depth. If all members are 0,
 * there is only the stack without locations. */

struct otlp_stacks {
	struct pk_allowance *allowance; /* set by the caller; it limits how many locations are
					 * written for all stacks together */
	struct otlp_node {
		/* Index of the caller's node in `items`; 0 if there is no caller. */
		uint32_t parent;
		uint32_t location;
		uint32_t depth;
		uint32_t shown; /* number of locations that are written for this stack, the
				 * innermost first */
		uint32_t index; /* index of the stack in the table of the output; 0 if the table
				 * does not have it yet */
	} * items; /* a stack consists of a node and its callers; items[0] stands for the end of
		    * each stack */
	size_t count, capacity;
	/* Finds the index of a node in `items` by its parent and location. */
	struct pk_table numbers;
	uint32_t *of_stacks; /* for each stack of the dictionary, its node; 0 if the node is unknown
			      */
	size_t of_stacks_count;
	uint32_t *listed; /* for each stack of the output's table, its node; the index is the index
			   * in the table minus 1 */
	size_t listed_count, listed_capacity;
	uint32_t *way;
	size_t way_capacity;
};

/* ---- Tables ---- */

/* The dictionary of the output while it is made. */
struct otlp_tables {
	struct profile_tables *shared; /* set by the caller */
	/* Only otlp_tables.c uses these members. The items of the tables are encoded messages. The
	 * number of an item is its index. */
	struct pk_texts functions, attributes, locations;
	struct otlp_stacks stacks;
	struct buffer text, message, part, value, mapping_messages;
};

/* These functions return the index of an attribute. Its value is a text, or a number with its unit
 * in UCUM. unit is "" if the number has no unit. */
uint32_t otlp_text_attribute(struct otlp_tables *tables, const char *key, const char *text,
			     size_t size);
uint32_t otlp_number_attribute(struct otlp_tables *tables, const char *key, uint64_t number,
			       const char *unit);
/* Returns the index of a stack of the dictionary. *cut is set to true if the outermost locations of
 * the stack are not written. One reason is that it has more than PK_PATH_DEPTH_MAX locations. */
uint32_t otlp_stack(struct otlp_tables *tables, uint32_t stack, bool *cut);
/* Writes the dictionary as the field `field` of a message. Nothing can be added to the tables after
 * this. */
void otlp_tables_write(struct otlp_tables *tables, unsigned int field, struct export_output *out);
void otlp_tables_free(struct otlp_tables *tables);

#endif
