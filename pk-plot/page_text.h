/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGE_TEXT_H
#define PK_PAGE_TEXT_H

#include "buffer.h"

/* Appends a text of the input as a JSON string. Harmful characters are replaced, as in all outputs
 * of pk. Texts with more than 4,096 characters are cut. */
void page_text_add(struct buffer *out, const char *text, size_t size);

#endif
