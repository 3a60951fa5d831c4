/* SPDX-License-Identifier: BSD-2-Clause */
/* What an argument of a probe reads at a place: registers and memory instead of variables and
 * types. */
#ifndef PK_PROBE_VALUE_H
#define PK_PROBE_VALUE_H

#include "pkstream.h"
#include "probe_object.h"

enum probe_base {
	PROBE_IN_REGISTER,
	PROBE_CONSTANT,
	PROBE_STATIC, /* at an address of the object */
	PROBE_RETURNED,
	PROBE_PASSED,  /* argument number `number` of the function; only the kernel's own */
	PROBE_VERBATIM /* text, in the syntax of tracefs: the kernel knows what it is */
};

struct probe_value {
	char name[32]; /* as long as the kernel allows */
	enum probe_base base;
	struct pk_argument reg; /* of IN_REGISTER: base and shift */
	int64_t number;		/* of CONSTANT and PASSED; of STATIC: the address */
	char *text;		/* of VERBATIM */
	/* Each reads the memory at the previous value + offset. Of STATIC, the address is read
	 * first. */
	int64_t offsets[PROBE_STEPS_MOST + 2];
	size_t reads;
	char type[32]; /* of tracefs: "s32", "x64", "string", "b3@4/32"; "": the kernel's choice */
	uint8_t size;  /* bytes; 0: not a number of 1, 2, 4 or 8 bytes */
	bool is_signed;
	char shown[256]; /* the type in the source; "": unknown */
};

struct probe_values {
	struct probe_value *items;
	size_t count, capacity;
};

/* Resolves the arguments of a probe at a place. $vars and $params become several values. Returns
 * PK_FAILED after a message. Free it in any case. */
PK_MUST_CHECK enum pk_status pk_probe_values_resolve(struct probe_object *object,
						     const struct probe_text *text,
						     const struct probe_place *place,
						     struct probe_values *values,
						     struct pk_messages *messages);
void pk_probe_values_free(struct probe_values *values);

#endif
