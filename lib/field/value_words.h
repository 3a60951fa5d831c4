/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_VALUE_WORDS_H
#define PK_VALUE_WORDS_H

/*
 * Numbers with words (PK_VALUE_WORDS): flags, states, enumerations. The words of a number are those
 * of one event; another event can have other words for it. So groups and rows keep both together,
 * as a text of eight bytes, which are the number, and the words.
 */

#include "field.h"

/* The number in pk_context.texts of the text for a number of the bound field. 0: out of memory. */
uint32_t pk_words_key(struct pk_context *context, const struct pk_binding *binding, uint64_t value);

/* Splits such a text: returns the words, and sets *size to their size and *value to the number. */
static inline const char *pk_words_split(const char *text, size_t *size, uint64_t *value)
{
	if (!text || *size < sizeof(*value)) {
		*size = 0;
		*value = 0;
		return "";
	}
	memcpy(value, text, sizeof(*value));
	*size -= sizeof(*value);
	return text + sizeof(*value);
}

#endif
