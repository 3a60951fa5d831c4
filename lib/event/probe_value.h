/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernel reads for an argument of a probe at a place. An argument names variables and
 * types. A value consists of registers and addresses in memory. */
#ifndef PK_PROBE_VALUE_H
#define PK_PROBE_VALUE_H

#include "pkstream.h"
#include "probe_object.h"

/* The place or value with which the kernel starts. */
enum probe_base {
	PROBE_IN_REGISTER,
	PROBE_CONSTANT,
	PROBE_STATIC, /* the memory at the address `number` of the object */
	PROBE_RETURNED,
	PROBE_PASSED,  /* argument number `number` of the function; only for functions of the kernel
			*/
	PROBE_VERBATIM /* a text in the syntax of tracefs, which the kernel interprets */
};

/* How the kernel reads an argument: a start value, and reads of memory that follow. */
struct probe_value {
	char name[32]; /* the name of the argument; the kernel allows no longer names */
	enum probe_base base;
	struct pk_argument reg; /* for PROBE_IN_REGISTER: the register; only its members base and
				 * shift are used */
	int64_t number; /* for PROBE_CONSTANT: the value; for PROBE_PASSED: which argument; for
			 * PROBE_STATIC: the address */
	char *text;	/* for PROBE_VERBATIM: the text */
	/* Each offset stands for one read of the memory at the previous value + offset. For
	 * PROBE_STATIC, the memory at the address `number` is read first. */
	int64_t offsets[PROBE_STEPS_MOST + 2];
	size_t reads;
	char type[32]; /* a type of tracefs, such as "s32", "x64", "string" or "b3@4/32"; "" if the
			* kernel chooses it */
	uint8_t size;  /* The size of the value in bytes. It is 0 if the value is not a number of 1,
			* 2, 4 or 8 bytes. */
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
