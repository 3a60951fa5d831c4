/* SPDX-License-Identifier: BSD-2-Clause */
/* What flow.h asks of the object that a function is in. */
#ifndef PK_FLOW_OBJECT_H
#define PK_FLOW_OBJECT_H

#include "flow.h"

struct flow_object;

/* The object must stay. NULL: out of memory. */
struct flow_object *flow_object_new(struct pk_object *object);
void flow_object_free(struct flow_object *o);

/* All but the disassembler, which stays as it is; they hold as long as o. */
void flow_object_options(struct flow_object *o, struct flow_options *options);

#endif
