// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_internal.h"

/* The registers of the machine that line programs are written for (DWARF 5, 6.2.2). */
struct machine {
	struct pk_unit *unit;
	struct pk_lines *lines;
	struct pk_line_header h;
	struct pk_line row;
	uint64_t op_index;
	size_t begin; /* of the sequence, in rows */
	bool failed;
};

static bool push_row(struct pk_lines *l, const struct pk_line *row, struct pk_failures *failures)
{
	if (l->count == l->room) {
		size_t room = l->room ? l->room * 2 : 256;
		struct pk_line *rows = pk_need(failures, realloc(l->rows, room * sizeof(*rows)));

		if (!rows)
			return false;
		l->rows = rows;
		l->room = room;
	}
	l->rows[l->count++] = *row;
	return true;
}

/* Of several rows at one address the last one holds. */
static void add_row(struct machine *m, struct pk_line row)
{
	struct pk_lines *l = m->lines;

	if (l->count > m->begin) {
		struct pk_line *last = &l->rows[l->count - 1];

		if (row.address < last->address)
			row.address = last->address; /* they must not go back */
		if (row.address == last->address) {
			*last = row;
			return;
		}
		if (row.line == last->line && row.file == last->file && row.column == last->column)
			return;
	}
	m->failed |= !pk_dwarf_spend(m->unit->file->dwarf, sizeof(row)) ||
		     !push_row(l, &row, m->unit->file->dwarf->failures);
}

static void reset(struct machine *m)
{
	m->row = (struct pk_line){.line = 1, .file = 1};
	m->op_index = 0;
}

/* Sequences of functions that the linker dropped are dropped as well. */
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
	default: break; /* define_file: nobody has ever used it */
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
	m->lines->count = m->begin; /* a sequence that does not end is damaged */
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

/* Puts sequences into the order of their addresses. Where two overlap, the first one has it. */
static bool sort(struct pk_lines *l, struct pk_failures *failures)
{
	size_t count, kept = 0;
	struct sequence *list = list_sequences(l, &count, failures);
	struct pk_line *rows = pk_need(failures, malloc((l->count + 1) * sizeof(*rows)));

	if (!list || !rows) {
		free(list);
		free(rows);
		return false;
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
	return true;
}

struct pk_lines *pk_lines_read(struct pk_unit *unit)
{
	struct pk_failures *failures = unit->file->dwarf->failures;
	struct machine m = {.unit = unit,
			    .lines = pk_need(failures, calloc(1, sizeof(struct pk_lines)))};

	if (!m.lines)
		return NULL;
	if (pk_line_header_read(unit, m.lines, &m.h)) {
		run(&m);
		m.lines->paths = pk_need(failures, calloc(m.lines->file_count + 1, sizeof(char *)));
		if (!m.failed && m.lines->paths && sort(m.lines, failures))
			return m.lines;
	}
	pk_lines_free(m.lines);
	return NULL;
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

/* Folder and name, below the folder that the compiler ran in if need be. */
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

/*
 * Files are numbers into lists of names, so that a few bytes make a path out of long names. One
 * that is longer than any path can be, or for which there is no budget, keeps its end.
 */
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

	/* Number 0 is the folder that the compiler ran in. */
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
