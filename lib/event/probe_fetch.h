/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the value of an argument gets into a sample. Either the kernel reads the value as described
 * by a definition in tracefs ("fetch arguments"), or the value is in the user registers and the
 * copy of the user stack that the sample contains.
 */
#ifndef PK_PROBE_FETCH_H
#define PK_PROBE_FETCH_H

#include "buffer.h"
#include "pkstream.h"
#include "probe_value.h"

/* Writes NAME=PLACE:TYPE in the syntax of tracefs. Returns false if the place cannot be written. */
bool pk_probe_value_define(const struct probe_object *object, const struct probe_place *place,
			   const struct probe_value *value, struct buffer *text);
/* Sets the argument if a sample with user registers and the top of the user stack contains the
 * value. Returns false if it does not. */
bool pk_probe_value_sampled(const struct probe_object *object, const struct probe_value *value,
			    struct pk_argument *argument);
/* Writes " NAME=PLACE:TYPE" for each argument of a marker. Leaves out the arguments that the kernel
 * cannot read: unknown operands, sums of two registers, and partial registers such as %ah. If the
 * text of the probe has arguments, `arguments` must be the result of pk_probe_arguments_choose().
 * The types are then taken from the text. */
void pk_probe_arguments_define(unsigned int machine, const struct pk_arguments *arguments,
			       const struct probe_text *probe, struct buffer *text);
/* Copies the arguments of a marker that the text of the probe names to chosen. chosen is empty and
 * has room for them. Returns NULL if this succeeds. If an argument does not exist, or its name is
 * used twice, returns the text of that argument. */
const char *pk_probe_arguments_choose(const struct pk_arguments *all,
				      const struct probe_text *probe, struct pk_arguments *chosen);

#endif
