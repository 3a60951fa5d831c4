/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the value of an argument gets into a sample: the kernel reads it by a definition in tracefs
 * ("fetch arguments"), or the sample's copies of user registers and of the user stack contain it.
 */
#ifndef PK_PROBE_FETCH_H
#define PK_PROBE_FETCH_H

#include "buffer.h"
#include "pkstream.h"
#include "probe_value.h"

/* Writes NAME=PLACE:TYPE in the syntax of tracefs. Returns false if the place cannot be written. */
bool pk_probe_value_define(const struct probe_object *object, const struct probe_place *place,
			   const struct probe_value *value, struct buffer *text);
/* Sets the argument if samples with user registers and the top of the user stack contain it. */
bool pk_probe_value_sampled(const struct probe_object *object, const struct probe_value *value,
			    struct pk_argument *argument);
/* Writes " NAME=PLACE:TYPE" for each argument of a marker. Leaves out those that the kernel cannot
 * read: unknown operands, sums of two registers, and parts of a register like %ah. If the probe's
 * text has arguments, these are the chosen ones, and it can have their types. */
void pk_probe_arguments_define(unsigned int machine, const struct pk_arguments *arguments,
			       const struct probe_text *probe, struct buffer *text);
/* Copies the arguments of a marker that the probe's text names to chosen, which is empty and has
 * room. If the text names none, copies all. Returns NULL, or the text of one that does not exist,
 * or whose name is used twice. */
const char *pk_probe_arguments_choose(const struct pk_arguments *all,
				      const struct probe_text *probe, struct pk_arguments *chosen);

#endif
