// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_line.h"
#include "vector.h"

/* ---- The header ---- */

struct pk_line_header {
	struct pk_cursor program;
	struct pk_form_sizes sizes;
	uint8_t min_length, max_ops, default_statement, line_range, opcode_base;
	int8_t line_base;
	uint8_t lengths[256];
};

/* The fields that an entry in a table of files or folders has (DWARF 5, 6.2.4.1). */
struct format {
	struct {
		uint64_t content;
		struct pk_abbrev_attr attr;
	} fields[16];
	unsigned count;
};

static enum pk_status add_dir(struct pk_lines *l, const struct pk_form_value *dir, size_t *room,
			      struct pk_failures *failures)
{
	PK_TRY(pk_need_room(failures,
			    pk_reserve(&l->dirs, room, l->dir_count, 1, sizeof(*l->dirs))));
	l->dirs[l->dir_count++] = *dir;
	return PK_OK;
}

static enum pk_status add_file(struct pk_lines *l, const struct pk_form_value *name, uint64_t dir,
			       size_t *room, struct pk_failures *failures)
{
	PK_TRY(pk_need_room(failures,
			    pk_reserve(&l->files, room, l->file_count, 1, sizeof(*l->files))));
	l->files[l->file_count++] = (struct pk_line_file){*name, dir};
	return PK_OK;
}

/* Reads the tables of folders and of files up to DWARF 4. A table consists of entries one after
 * another, and ends with an empty string. The first entry has the number 1. Number 0 is the folder
 * or the file of the unit itself. */
static enum pk_status read_old_tables(struct pk_cursor *c, struct pk_unit *unit, struct pk_lines *l)
{
	size_t dir_room = 0, file_room = 0;
	struct pk_form_value value = unit->comp_dir;

	PK_TRY(add_dir(l, &value, &dir_room, unit->file->dwarf->failures));
	PK_TRY(add_file(l, &unit->name, 0, &file_room, unit->file->dwarf->failures));
	value.class = PK_FORM_STRING;
	while ((value.text = pk_cursor_string(c)) && *value.text)
		PK_TRY(add_dir(l, &value, &dir_room, unit->file->dwarf->failures));
	while ((value.text = pk_cursor_string(c)) && *value.text) {
		uint64_t dir = pk_cursor_uleb(c);

		pk_cursor_uleb(c); /* skips the time */
		pk_cursor_uleb(c); /* skips the size */
		PK_TRY(add_file(l, &value, dir, &file_room, unit->file->dwarf->failures));
	}
	return PK_OK;
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

/* Reads a number of entries. Returns false if the number is greater than the number of bytes that
 * are left, because each entry needs at least one byte. Entries without fields are also rejected,
 * because they need no bytes. */
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
		if (add_dir(l, &name, &dir_room, unit->file->dwarf->failures) != PK_OK)
			return false;
	}
	if (!read_format(c, &format) || !read_count(c, &format, &count))
		return false;
	for (; count && !c->bad; count--) {
		read_fields(c, unit, &format, &name, &dir);
		if (add_file(l, &name, dir, &file_room, unit->file->dwarf->failures) != PK_OK)
			return false;
	}
	return !c->bad;
}

static bool read_fixed_part(struct pk_cursor *c, struct pk_line_header *h)
{
	h->min_length = pk_cursor_u8(c);
	h->max_ops = h->sizes.version >= 4 ? pk_cursor_u8(c) : 1;
	h->default_statement = pk_cursor_u8(c);
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

/* Finds the bytes of the line table of a unit. Returns false if there is no table. */
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

/* Reads the header of the line table. h->program becomes the instructions. Returns false if the
 * header is damaged. */
static bool pk_line_header_read(struct pk_unit *unit, struct pk_lines *l, struct pk_line_header *h)
{
	struct pk_unit reading = *unit; /* a copy of the unit with the version and the sizes of this
					 * table, which can differ from those of the unit */
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
		pk_cursor_u8(&c); /* skips the size of segment selectors */
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
	       (l->version == 5 ? read_new_tables(&c, &reading, l)
				: read_old_tables(&c, unit, l) == PK_OK);
}

/* ---- The instructions of the table ---- */

/* The registers of the line number machine (DWARF 5, 6.2.2). */
struct machine {
	struct pk_unit *unit;
	struct pk_lines *lines;
	struct pk_line_header h;
	struct pk_line row;
	uint64_t op_index;
	size_t begin;	 /* the first row of the current sequence */
	bool statements; /* True if only rows that start a statement are kept. All of them are kept,
			  * even if several have the same address. */
	bool is_statement;
	bool failed;
};

static enum pk_status push_row(struct pk_lines *l, const struct pk_line *row,
			       struct pk_failures *failures)
{
	PK_TRY(pk_need_room(failures,
			    pk_reserve(&l->rows, &l->room, l->count, 1, sizeof(*l->rows))));
	l->rows[l->count++] = *row;
	return PK_OK;
}

/* Adds a row. The discriminator is that of one row only. If several rows have the same address,
 * only the last row is kept. If m->statements is true, all of them are kept. */
static void add_row(struct machine *m, struct pk_line row)
{
	struct pk_lines *l = m->lines;

	m->row.discriminator = 0;
	if (m->statements && !m->is_statement && row.line != PK_LINE_END)
		return;
	if (l->count > m->begin && !m->statements) {
		struct pk_line *last = &l->rows[l->count - 1];

		if (row.address < last->address)
			row.address =
				last->address; /* Addresses in a sequence must not decrease. */
		if (row.address == last->address) {
			*last = row;
			return;
		}
		if (row.line == last->line && row.file == last->file &&
		    row.column == last->column && row.discriminator == last->discriminator)
			return;
	}
	m->failed |= !pk_dwarf_spend(m->unit->file->dwarf, sizeof(row)) ||
		     push_row(l, &row, m->unit->file->dwarf->failures) != PK_OK;
}

static void reset(struct machine *m)
{
	m->row = (struct pk_line){.line = 1, .file = 1};
	m->is_statement = m->h.default_statement;
	m->op_index = 0;
}

/* Ends a sequence of rows. If the linker has removed the function of the sequence, drops the
 * sequence. */
static void end_sequence(struct machine *m)
{
	struct pk_lines *l = m->lines;

	m->row.line = PK_LINE_END;
	add_row(m, m->row);
	if (l->count - m->begin < 2 ||
	    !pk_dwarf_is_code(m->unit->file->dwarf, l->rows[m->begin].address))
		l->count = m->begin;
	m->begin = l->count;
	reset(m);
}

static void advance(struct machine *m, uint64_t operations)
{
	if (m->h.max_ops <= 1) {
		m->row.address += operations * m->h.min_length;
		return;
	}
	m->row.address += (m->op_index + operations) / m->h.max_ops * m->h.min_length;
	m->op_index = (m->op_index + operations) % m->h.max_ops;
}

static void extended(struct machine *m, struct pk_cursor *c)
{
	const uint64_t size = pk_cursor_uleb(c);
	struct pk_cursor body = *c;

	pk_cursor_skip(c, size);
	if (c->bad || !size)
		return;
	body.end = c->p;
	switch (pk_cursor_u8(&body)) {
	case DW_LNE_end_sequence: end_sequence(m); break;
	case DW_LNE_set_address:
		if (size == 5 || size == 9)
			m->row.address = pk_cursor_uint(&body, (unsigned)size - 1);
		m->op_index = 0;
		break;
	case DW_LNE_set_discriminator:
		m->row.discriminator = (uint32_t)pk_cursor_uleb(&body);
		break;
	default: break; /* DW_LNE_define_file is not used in practice. */
	}
}

static void standard(struct machine *m, struct pk_cursor *c, unsigned opcode)
{
	switch (opcode) {
	case DW_LNS_copy: add_row(m, m->row); break;
	case DW_LNS_advance_pc: advance(m, pk_cursor_uleb(c)); break;
	case DW_LNS_advance_line: m->row.line += (uint32_t)pk_cursor_sleb(c); break;
	case DW_LNS_set_file: m->row.file = (uint32_t)pk_cursor_uleb(c); break;
	case DW_LNS_set_column: m->row.column = (uint32_t)pk_cursor_uleb(c); break;
	case DW_LNS_negate_stmt: m->is_statement = !m->is_statement; break;
	case DW_LNS_const_add_pc: advance(m, (255u - m->h.opcode_base) / m->h.line_range); break;
	case DW_LNS_fixed_advance_pc:
		m->row.address += pk_cursor_u16(c);
		m->op_index = 0;
		break;
	default:
		for (unsigned i = m->h.lengths[opcode]; i; i--)
			pk_cursor_uleb(c);
	}
}

static void special(struct machine *m, unsigned opcode)
{
	const unsigned adjusted = opcode - m->h.opcode_base;

	advance(m, adjusted / m->h.line_range);
	m->row.line += (uint32_t)(m->h.line_base + (int)(adjusted % m->h.line_range));
	add_row(m, m->row);
}

static void run(struct machine *m)
{
	struct pk_cursor *c = &m->h.program;

	reset(m);
	while (c->p < c->end && !c->bad && !m->failed) {
		const unsigned opcode = pk_cursor_u8(c);

		if (opcode >= m->h.opcode_base)
			special(m, opcode);
		else if (opcode)
			standard(m, c, opcode);
		else
			extended(m, c);
	}
	m->lines->count = m->begin; /* A sequence without an end is damaged, and is dropped. */
}

struct sequence {
	uint64_t address;
	size_t begin, end;
};

static int compare_sequences(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static struct sequence *list_sequences(const struct pk_lines *l, size_t *count,
				       struct pk_failures *failures)
{
	struct sequence *list;
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++)
		n += l->rows[i].line == PK_LINE_END;
	list = pk_need(failures, malloc((n + 1) * sizeof(*list)));
	*count = n;
	n = 0;
	for (size_t i = 0, begin = 0; list && i < l->count; i++)
		if (l->rows[i].line == PK_LINE_END) {
			list[n++] = (struct sequence){l->rows[begin].address, begin, i + 1};
			begin = i + 1;
		}
	return list;
}

/* Sorts the sequences by address. If a sequence starts inside an earlier sequence, drops it. */
static enum pk_status sort(struct pk_lines *l, struct pk_failures *failures)
{
	size_t count, kept = 0;
	struct sequence *list = list_sequences(l, &count, failures);
	struct pk_line *rows = pk_need(failures, malloc((l->count + 1) * sizeof(*rows)));

	if (!list || !rows) {
		free(list);
		free(rows);
		return PK_NOMEM;
	}
	qsort(list, count, sizeof(*list), compare_sequences);
	for (size_t i = 0; i < count; i++) {
		const size_t n = list[i].end - list[i].begin;

		if (kept && list[i].address < rows[kept - 1].address)
			continue;
		memcpy(rows + kept, l->rows + list[i].begin, n * sizeof(*rows));
		kept += n;
	}
	free(list);
	free(l->rows);
	l->rows = rows;
	l->count = l->room = kept;
	return PK_OK;
}

static struct pk_lines *read_rows(struct pk_unit *unit, bool statements)
{
	struct pk_failures *failures = unit->file->dwarf->failures;
	struct machine m = {.unit = unit,
			    .lines = pk_need(failures, calloc(1, sizeof(struct pk_lines))),
			    .statements = statements};

	if (!m.lines)
		return NULL;
	if (pk_line_header_read(unit, m.lines, &m.h)) {
		run(&m);
		m.lines->paths = pk_need(failures, calloc(m.lines->file_count + 1, sizeof(char *)));
		if (!m.failed && m.lines->paths && sort(m.lines, failures) == PK_OK)
			return m.lines;
	}
	pk_lines_free(m.lines);
	return NULL;
}

struct pk_lines *pk_lines_read(struct pk_unit *unit)
{
	return read_rows(unit, false);
}

struct pk_lines *pk_statements_read(struct pk_unit *unit)
{
	return read_rows(unit, true);
}

void pk_lines_free(struct pk_lines *l)
{
	if (!l)
		return;
	for (size_t i = 0; l->paths && i < l->file_count; i++)
		free(l->paths[i]);
	free(l->paths);
	free(l->rows);
	free(l->files);
	free(l->dirs);
	free(l);
}

const struct pk_line *pk_lines_find(const struct pk_lines *l, uint64_t address)
{
	size_t low = 0, n = l->count;

	while (n > 1) {
		size_t half = n / 2;

		low += l->rows[low + half].address <= address ? half : 0;
		n -= half;
	}
	if (!n || l->rows[low].address > address || l->rows[low].line == PK_LINE_END)
		return NULL;
	return &l->rows[low];
}

struct parts {
	const char *text[3];
	int count;
};

/* Returns the parts of a path. `root` is the working directory of the compiler. If `dir` is not
 * absolute, it is relative to `root`. */
static struct parts parts_of(const char *root, const char *dir, const char *name)
{
	if (*name == '/' || (!root && !dir))
		return (struct parts){{name}, 1};
	if (!dir || !*dir)
		return (struct parts){{root ? root : ".", name}, 2};
	if (*dir == '/' || !root || !*root)
		return (struct parts){{dir, name}, 2};
	return (struct parts){{root, dir, name}, 3};
}

/* Joins the parts of a path. The length of paths must be limited, because a few bytes of the file
 * can refer to a long folder and a long name. If the path has more than 4096 bytes, or if the
 * budget is used up, the result is "..." and the last 64 bytes of the last part. */
static char *join(struct pk_name_budget *budget, const struct parts *parts)
{
	enum { PATH_BYTES_MAX = 4096, SHORT_MAX = 64 };
	const char *const *text = parts->text, *last = text[parts->count - 1];
	size_t size = strlen(last);

	for (int i = 0; i + 1 < parts->count; i++)
		size += strlen(text[i]) + 1;
	if (size > PATH_BYTES_MAX || !pk_name_spend(budget, size)) {
		size = strlen(last);
		last += size > SHORT_MAX ? size - SHORT_MAX : 0;
		budget->cut++;
		return pk_need_text(budget->failures, "...%s", last);
	}
	return pk_need_text(budget->failures, "%s%s%s%s%s", text[0], text[1] ? "/" : "",
			    text[1] ? text[1] : "", text[2] ? "/" : "", text[2] ? text[2] : "");
}

static char *make_path(struct pk_unit *unit, struct pk_lines *l, const struct pk_line_file *file)
{
	const char *name = pk_unit_string(unit, &file->name);
	const char *root = pk_unit_string(unit, &unit->comp_dir), *dir = NULL;
	struct parts parts;

	/* In DWARF 5, folder 0 is the working directory of the compiler. */
	if (l->version >= 5 && l->dir_count)
		root = pk_unit_string(unit, &l->dirs[0]);
	if (file->dir && file->dir < l->dir_count)
		dir = pk_unit_string(unit, &l->dirs[file->dir]);
	if (!name)
		return NULL;
	parts = parts_of(root, dir, name);
	return join(&unit->file->dwarf->names_budget, &parts);
}

const char *pk_lines_path(struct pk_unit *unit, struct pk_lines *l, uint64_t file)
{
	if (file >= l->file_count || (!file && l->version < 5))
		return NULL;
	if (!l->paths[file])
		l->paths[file] = make_path(unit, l, &l->files[file]);
	return l->paths[file];
}
