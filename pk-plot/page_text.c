// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "page_text.h"

#define TEXT_MOST 4096 /* in characters */

void page_text_add(struct buffer *out, const char *text, size_t size)
{
	struct buffer valid = {0};

	buffer_valid(&valid, text, size, TEXT_MOST);
	buffer_quoted(out, valid.size ? valid.data : "", valid.size);
	out->failed |= valid.failed;
	free(valid.data);
}
