/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "digits.h"
#include "perfmap.h"

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static bool read_number(const char **p, const char *end, uint64_t *value)
{
	*p = skip_blanks(*p, end);
	if (end - *p > 2 && (*p)[0] == '0' && ((*p)[1] | 0x20) == 'x')
		*p += 2;
	return digits_parse_hex(p, end, value) && *p < end && (**p == ' ' || **p == '\t');
}

static enum pk_status read_line(struct pk_symtable *t, const char *line, char *end)
{
	uint64_t start, size;
	const char *p = line;

	if (!read_number(&p, end, &start) || !read_number(&p, end, &size))
		return PK_OK;
	p = skip_blanks(p, end);
	if (end > p && end[-1] == '\r')
		end--;
	if (p == end)
		return PK_OK;
	*end = 0;
	return pk_symtable_add(t, start, size ? size : 1, (uint32_t)(p - t->names), 0);
}

enum pk_status pk_perf_map_parse(struct pk_symtable *t, char *text, size_t size)
{
	char *const limit = text + size;
	char *line = text;
	enum pk_status status = PK_OK;

	*t = (struct pk_symtable){.failures = t->failures,
				  .names = text,
				  .names_size = size + 1,
				  .names_room = size + 1};
	while (status == PK_OK && line < limit) {
		char *end = memchr(line, '\n', (size_t)(limit - line));

		if (!end)
			end = limit;
		status = read_line(t, line, end);
		line = end + 1;
	}
	if (status == PK_OK)
		status = pk_symtable_flatten(t, PK_OVERLAP_NEWEST);
	if (status != PK_OK)
		pk_symtable_clear(t);
	return status;
}
