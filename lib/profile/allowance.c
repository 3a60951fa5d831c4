// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "allowance.h"

/* The parent of a stack is always defined before the stack, so one pass is enough. */
uint32_t *pk_stack_shorts(const struct pk_dictionary *dictionary)
{
	const struct pk_id_range ids = pk_dictionary_stacks(dictionary);
	uint32_t *shorts = calloc((size_t)ids.count + 1, sizeof(*shorts));
	uint8_t *depths = calloc((size_t)ids.count + 1, sizeof(*depths));

	for (uint32_t i = 0; shorts && depths && i < ids.count; i++) {
		const struct pk_stack *stack =
			pk_dictionary_get_stack(dictionary, ids.base + 1 + i);
		const uint32_t parent = stack->parent ? stack->parent - ids.base - 1 : i;
		const bool is_short = parent == i || depths[parent] < PK_STACK_SHORT;

		depths[i] = (uint8_t)(parent == i ? 1 : depths[parent] + is_short);
		shorts[i] = is_short ? i : shorts[parent];
	}
	if (!depths) {
		free(shorts);
		shorts = NULL;
	}
	free(depths);
	return shorts;
}
