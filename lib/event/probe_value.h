/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernel reads for an argument of a probe at a place. An argument names variables and
 * types. A value consists of registers and addresses in memory. */
#ifndef PK_PROBE_VALUE_H
#define PK_PROBE_VALUE_H

#include "pkstream.h"
#include "probe_object.h"

enum probe_base {
	PROBE_IN_REGISTER,
	PROBE_CONSTANT,
	PROBE_STATIC, /* at the address `number` of the object */
	PROBE_RETURNED,
	PROBE_PASSED,  /* the function argument with the number `number`; only for functions of the
			  kernel */
	PROBE_VERBATIM /* a text in the syntax of tracefs, which the kernel interprets */
};

struct probe_value {
	char name[32]; /* the size is the kernel's limit */
	enum probe_base base;
	struct pk_argument reg; /* for PROBE_IN_REGISTER; only base and shift are used */
	int64_t number; /* the value of PROBE_CONSTANT, the number for PROBE_PASSED, the address for
			   PROBE_STATIC */
	char *text;	/* for PROBE_VERBATIM */
	/* Each offset stands for one read of the memory at the previous value + offset. For
	 * PROBE_STATIC, the memory at the address `number` is read first. */
	int64_t offsets[PROBE_STEPS_MOST + 2];
	size_t reads;
	char type[32]; /* a type of tracefs, such as "s32", "x64", "string" or "b3@4/32"; "" if the
			  kernel chooses it */
	uint8_t size;  /* in bytes; 0 if it is not a number of 1, 2, 4 or 8 bytes */
	bool is_signed;
	char shown[256]; /* the type in the source code; "" if it is unknown */
};

struct probe_values {
	struct probe_value *items;
	size_t count, capacity;
};

/* Finds the values of the arguments of a probe at a place. $vars and $params become several values.
 * Returns PK_FAILED after a message. Free values also after a failure. */
PK_MUST_CHECK enum pk_status pk_probe_values_resolve(struct probe_object *object,
						     const struct probe_text *text,
						     const struct probe_place *place,
						     struct probe_values *values,
						     struct pk_messages *messages);
void pk_probe_values_free(struct probe_values *values);

#endif
