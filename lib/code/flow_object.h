/* SPDX-License-Identifier: BSD-2-Clause */
/* Provides the options and callbacks of flow.h for an object. */
#ifndef PK_FLOW_OBJECT_H
#define PK_FLOW_OBJECT_H

#include "flow.h"

struct flow_object;

/* `object` must be valid until pk_flow_object_free() is called. Returns NULL if memory is
 * exhausted. */
struct flow_object *pk_flow_object_new(struct pk_object *object);
void pk_flow_object_free(struct flow_object *o);

/* Sets all options except the disassembler. The options are valid until pk_flow_object_free(o) is
 * called. */
void pk_flow_object_options(struct flow_object *o, struct flow_options *options);

#endif
