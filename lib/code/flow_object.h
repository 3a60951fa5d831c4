/* SPDX-License-Identifier: BSD-2-Clause */
/* The callbacks of flow.h for an object. */
#ifndef PK_FLOW_OBJECT_H
#define PK_FLOW_OBJECT_H

#include "flow.h"

struct flow_object;

/* The object must live longer. NULL: out of memory. */
struct flow_object *pk_flow_object_new(struct pk_object *object);
void pk_flow_object_free(struct flow_object *o);

/* Sets all options except the disassembler. They are valid as long as o. */
void pk_flow_object_options(struct flow_object *o, struct flow_options *options);

#endif
