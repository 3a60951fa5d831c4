/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OTLP_TABLES_H
#define OTLP_TABLES_H

/* The dictionary of OpenTelemetry profiles: strings, functions, mappings, locations, attributes and
 * stacks. Each is in its table once; index 0 is the item without a value. */

#include "export_output.h"
#include "mapping_range.h"
#include "otlp_stacks.h"
#include "texts.h"

struct otlp_tables {
	const struct pk_dictionary *names; /* set by the caller */
	bool failed;			   /* out of memory */
	/* Private to the tables. Items are encoded messages; their numbers are indexes. */
	struct pk_texts strings, functions, attributes, locations;
	struct otlp_stacks stacks;
	struct otlp_mapping {
		uint32_t dso;
		struct mapping_range range;
	} * mappings;
	size_t mappings_count, mappings_capacity;
	uint32_t *mapping_of; /* number, by id of the object; 0: none yet */
	size_t mapping_of_count;
	uint32_t *of_frames; /* by id of the frame: the location with this frame alone, or 0 */
	size_t of_frames_count;
	struct buffer text, message, part, value, mapping_messages;
};

/* The index of a text. */
uint32_t otlp_string(struct otlp_tables *tables, const char *text, size_t size);
/* The index of an attribute with a text, or a number and its unit in UCUM ("": none). */
uint32_t otlp_text_attribute(struct otlp_tables *tables, const char *key, const char *text,
			     size_t size);
uint32_t otlp_number_attribute(struct otlp_tables *tables, const char *key, uint64_t number,
			       const char *unit);
/* The index of a stack of the dictionary `names`. cut: it has more than PK_PATH_DEPTH_MAX
 * locations, and loses the outermost ones. */
uint32_t otlp_stack(struct otlp_tables *tables, uint32_t stack, bool *cut);
/* Writes the dictionary as field `field` of a message. Nothing can be added after that. */
void otlp_tables_write(struct otlp_tables *tables, unsigned int field, struct export_output *out);
void otlp_tables_free(struct otlp_tables *tables);

#endif
