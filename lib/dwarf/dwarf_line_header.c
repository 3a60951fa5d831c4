// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_internal.h"

/* What an entry of a table of files or folders consists of (DWARF 5, 6.2.4.1). */
struct format {
	struct {
		uint64_t content;
		struct pk_abbrev_attr attr;
	} fields[16];
	unsigned count;
};

static bool add_dir(struct pk_lines *l, const struct pk_form_value *dir, size_t *room,
		    struct pk_failures *failures)
{
	if (l->dir_count == *room) {
		size_t more = *room ? *room * 2 : 16;
		struct pk_form_value *dirs =
			pk_need(failures, realloc(l->dirs, more * sizeof(*dirs)));

		if (!dirs)
			return false;
		l->dirs = dirs;
		*room = more;
	}
	l->dirs[l->dir_count++] = *dir;
	return true;
}

static bool add_file(struct pk_lines *l, const struct pk_form_value *name, uint64_t dir,
		     size_t *room, struct pk_failures *failures)
{
	if (l->file_count == *room) {
		size_t more = *room ? *room * 2 : 16;
		struct pk_line_file *files =
			pk_need(failures, realloc(l->files, more * sizeof(*files)));

		if (!files)
			return false;
		l->files = files;
		*room = more;
	}
	l->files[l->file_count++] = (struct pk_line_file){*name, dir};
	return true;
}

/* Up to DWARF 4: strings, one after the other, and numbers from 1 on. */
static bool read_old_tables(struct pk_cursor *c, struct pk_unit *unit, struct pk_lines *l)
{
	size_t dir_room = 0, file_room = 0;
	struct pk_form_value value = unit->comp_dir;

	if (!add_dir(l, &value, &dir_room, unit->file->dwarf->failures) ||
	    !add_file(l, &unit->name, 0, &file_room, unit->file->dwarf->failures))
		return false;
	value.class = PK_FORM_STRING;
	while ((value.text = pk_cursor_string(c)) && *value.text)
		if (!add_dir(l, &value, &dir_room, unit->file->dwarf->failures))
			return false;
	while ((value.text = pk_cursor_string(c)) && *value.text) {
		uint64_t dir = pk_cursor_uleb(c);

		pk_cursor_uleb(c); /* time */
		pk_cursor_uleb(c); /* size */
		if (!add_file(l, &value, dir, &file_room, unit->file->dwarf->failures))
			return false;
	}
	return true;
}

static bool read_format(struct pk_cursor *c, struct format *f)
{
	f->count = pk_cursor_u8(c);
	if (f->count > sizeof(f->fields) / sizeof(f->fields[0]))
		return false;
	for (unsigned i = 0; i < f->count; i++) {
		f->fields[i].content = pk_cursor_uleb(c);
		f->fields[i].attr = (struct pk_abbrev_attr){.form = (uint16_t)pk_cursor_uleb(c)};
	}
	return !c->bad;
}

static void read_fields(struct pk_cursor *c, struct pk_unit *unit, const struct format *f,
			struct pk_form_value *name, uint64_t *dir)
{
	struct pk_form_value value;

	*name = (struct pk_form_value){0};
	*dir = 0;
	for (unsigned i = 0; i < f->count; i++) {
		pk_form_read(c, unit, &f->fields[i].attr, &value);
		if (f->fields[i].content == DW_LNCT_path)
			*name = value;
		else if (f->fields[i].content == DW_LNCT_directory_index)
			*dir = value.v;
	}
}

/* An entry without fields takes no bytes: no number of them is credible. */
static bool read_count(struct pk_cursor *c, const struct format *f, uint64_t *count)
{
	*count = pk_cursor_uleb(c);
	return !c->bad && (!*count || f->count) && *count <= (uint64_t)(c->end - c->p);
}

static bool read_new_tables(struct pk_cursor *c, struct pk_unit *unit, struct pk_lines *l)
{
	size_t dir_room = 0, file_room = 0;
	struct pk_form_value name;
	struct format format;
	uint64_t count, dir;

	if (!read_format(c, &format) || !read_count(c, &format, &count))
		return false;
	for (; count && !c->bad; count--) {
		read_fields(c, unit, &format, &name, &dir);
		if (!add_dir(l, &name, &dir_room, unit->file->dwarf->failures))
			return false;
	}
	if (!read_format(c, &format) || !read_count(c, &format, &count))
		return false;
	for (; count && !c->bad; count--) {
		read_fields(c, unit, &format, &name, &dir);
		if (!add_file(l, &name, dir, &file_room, unit->file->dwarf->failures))
			return false;
	}
	return !c->bad;
}

static bool read_fixed_part(struct pk_cursor *c, struct pk_line_header *h)
{
	h->min_length = pk_cursor_u8(c);
	h->max_ops = h->sizes.version >= 4 ? pk_cursor_u8(c) : 1;
	pk_cursor_u8(c); /* is_stmt: every row is taken */
	h->line_base = (int8_t)pk_cursor_u8(c);
	h->line_range = pk_cursor_u8(c);
	h->opcode_base = pk_cursor_u8(c);
	for (unsigned i = 1; i < h->opcode_base; i++)
		h->lengths[i] = pk_cursor_u8(c);
	return !c->bad && h->line_range && h->opcode_base;
}

static uint64_t read_length(struct pk_cursor *c, struct pk_form_sizes *sizes)
{
	uint64_t length = pk_cursor_u32(c);

	sizes->offset = length == 0xffffffff ? 8 : 4;
	return sizes->offset == 8 ? pk_cursor_u64(c) : length;
}

/* All bytes of the table of a unit; false: there is none. */
static bool find_table(struct pk_unit *unit, struct pk_line_header *h, struct pk_cursor *c)
{
	struct pk_dwarf_section *s = &unit->file->line;
	uint64_t length;

	if (unit->stmt_list == UINT64_MAX)
		return false;
	*c = pk_dwarf_section_cursor(s, unit->stmt_list, 12);
	length = read_length(c, &h->sizes);
	if (c->bad || length > s->size - (uint64_t)(c->p - s->data))
		return false;
	*c = pk_dwarf_section_cursor(s, (uint64_t)(c->p - s->data), length);
	return !c->bad && pk_dwarf_spend(unit->file->dwarf, length);
}

bool pk_line_header_read(struct pk_unit *unit, struct pk_lines *l, struct pk_line_header *h)
{
	struct pk_unit reading = *unit; /* with the sizes of this table */
	struct pk_cursor c;
	uint64_t length;

	h->sizes = unit->sizes;
	if (!find_table(unit, h, &c))
		return false;
	h->sizes.version = (uint8_t)pk_cursor_u16(&c);
	if (h->sizes.version < 2 || h->sizes.version > 5)
		return false;
	if (h->sizes.version == 5) {
		h->sizes.address = pk_cursor_u8(&c);
		pk_cursor_u8(&c); /* size of segment selectors */
	}
	length = pk_cursor_uint(&c, h->sizes.offset);
	if (c.bad || length > (uint64_t)(c.end - c.p))
		return false;
	h->program = c;
	h->program.p += length;
	c.end = h->program.p;
	reading.sizes = h->sizes;
	l->version = h->sizes.version;
	return (h->sizes.address == 4 || h->sizes.address == 8) && read_fixed_part(&c, h) &&
	       (l->version == 5 ? read_new_tables(&c, &reading, l) : read_old_tables(&c, unit, l));
}
