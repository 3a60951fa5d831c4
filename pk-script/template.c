// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "syscall_text.h"
#include "vector.h"

#define WIDTH_MAX     1000
#define PRECISION_MAX 9

/* ---- Parsing ---- */

static const struct {
	const char *name;
	enum template_unit unit;
	bool relative;
} units[] = {
	{"", TEMPLATE_PLAIN, false},	      {"s", TEMPLATE_SECONDS, false},
	{"ms", TEMPLATE_MILLISECONDS, false}, {"us", TEMPLATE_MICROSECONDS, false},
	{"+s", TEMPLATE_SECONDS, true},	      {"+ms", TEMPLATE_MILLISECONDS, true},
	{"+us", TEMPLATE_MICROSECONDS, true}, {"x", TEMPLATE_HEX, false},
	{"result", TEMPLATE_RESULT, false},
};

/* Reads a number up to max. Returns false if there is no number, or if it is greater than max. */
static bool read_number(const char **text, const char *end, int max, int *number)
{
	const char *start = *text;

	for (*number = 0; *text < end && **text >= '0' && **text <= '9'; (*text)++) {
		*number = *number * 10 + (**text - '0');
		if (*number > max)
			return false;
	}
	return *text > start;
}

static const char *parse_unit(struct template_piece *piece, const char *text, const char *end)
{
	const size_t size = (size_t)(end - text);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) != size || memcmp(units[i].name, text, size) != 0)
			continue;
		piece->unit = units[i].unit;
		piece->relative = units[i].relative;
		return NULL;
	}
	return "units are s, ms, us, +s, +ms, +us, x and result";
}

/* Parses the end of a field: [<|>][WIDTH][.PRECISION][UNIT] */
static const char *parse_look(struct template_piece *piece, const char *text, const char *end)
{
	if (text < end && (*text == '<' || *text == '>'))
		piece->align = *text++;
	if (text < end && *text >= '0' && *text <= '9' &&
	    !read_number(&text, end, WIDTH_MAX, &piece->width))
		return "the width is too large";
	if (text < end && *text == '.') {
		text++;
		if (!read_number(&text, end, WIDTH_MAX, &piece->precision))
			return "a number must follow the point";
	}
	return parse_unit(piece, text, end);
}

static const char *add_optional(struct fields *fields, const char *name, size_t *index)
{
	const size_t count = fields->more_count;
	const char *error = fields_add(fields, name, strlen(name), index);

	if (!error && *index == count)
		fields->more[*index].optional = true;
	return error;
}

/* Parses {@} or {@COLUMN}. */
static const char *parse_mark(struct template_piece *piece, const char *text, const char *end)
{
	piece->kind = text == end ? TEMPLATE_MARK : TEMPLATE_COLUMN;
	if (text < end && (!read_number(&text, end, WIDTH_MAX, &piece->width) || text != end))
		return "a column must follow the @";
	return NULL;
}

/* Parses the text between { and }. */
static const char *parse_field(struct template_piece *piece, struct fields *fields,
			       const char *text, const char *end)
{
	const char *colon = memchr(text, ':', (size_t)(end - text)), *error = NULL;

	if (text < end && *text == '@')
		return parse_mark(piece, text + 1, end);
	piece->kind = TEMPLATE_FIELD;
	piece->precision = -1;
	if (colon)
		error = parse_look(piece, colon + 1, end);
	if (!error)
		error = fields_add(fields, text, (size_t)((colon ? colon : end) - text),
				   &piece->field);
	if (!error && piece->unit == TEMPLATE_RESULT)
		error = add_optional(fields, "trace.call", &piece->call);
	if (!error && piece->unit == TEMPLATE_RESULT)
		error = add_optional(fields, "trace.args", &piece->arguments);
	if (!error && piece->unit == TEMPLATE_RESULT)
		error = add_optional(fields, "trace.unfinished", &piece->unfinished);
	return error;
}

static struct template_piece *add_piece(struct template *line)
{
	if (pk_vector_reserve(line, 1) != PK_OK)
		return NULL;
	line->items[line->count] = (struct template_piece){0};
	return &line->items[line->count++];
}

/* Parses text up to the next brace. {{ and }} stand for braces. Advances *text to the end of the
 * parsed text. */
static void parse_text(struct template_piece *piece, const char **text)
{
	const bool brace = (**text == '{' || **text == '}') && (*text)[1] == **text;

	piece->text = *text;
	piece->size = brace ? 1 : strcspn(*text, "{}");
	*text += brace ? 2 : piece->size;
}

const char *template_parse(struct template *line, struct fields *fields, const char *text)
{
	const char *error = add_optional(fields, "trace.start", &line->start);
	struct template_piece *piece;

	fields_none(fields);
	line->count = 0;
	while (*text && !error) {
		const char *end = strchr(text, '}');

		piece = add_piece(line);
		if (!piece)
			error = fields_no_memory;
		else if ((*text != '{' && *text != '}') || text[1] == *text)
			parse_text(piece, &text);
		else if (*text == '}' || !end)
			error = "a brace has no partner; {{ and }} are braces";
		else
			error = parse_field(piece, fields, text + 1, end);
		if (!error && piece->kind != TEMPLATE_TEXT)
			text = end + 1;
	}
	return error ? error : line->count ? NULL : "no text";
}

void template_free(struct template *line)
{
	free(line->items);
	*line = (struct template){0};
}

/* ---- Printing ---- */

/* The line that is being printed. */
struct line {
	struct script *script;
	const struct shown *shown;
	size_t mark; /* position in script->out */
};

static const struct pk_binding *bind(struct line *line, size_t field)
{
	struct script *script = line->script;
	struct pk_column *column = &script->options->fields.more[field].column;
	const struct pk_binding *binding =
		pk_column_bind(column, script->context, line->shown->of->event);

	script->failed |= !binding;
	return binding;
}

/* Returns false if the sample does not have a number of this name. */
static bool number_of(struct line *line, size_t field, struct pk_wide *number)
{
	const struct pk_binding *binding = bind(line, field);

	return binding && pk_view_number(line->shown->of, binding, number);
}

static void pad(struct buffer *out, size_t count)
{
	while (count--)
		buffer_char(out, ' ');
}

/* Aligns the text that was added since `from`. */
static void align(struct buffer *out, size_t from, const struct template_piece *piece, bool number)
{
	const size_t size = out->size - from;
	const size_t blanks = (size_t)piece->width > size ? (size_t)piece->width - size : 0;

	pad(out, blanks);
	if (!blanks || out->failed || piece->align == '<' || (!piece->align && !number))
		return;
	memmove(out->data + from + blanks, out->data + from, size);
	memset(out->data + from, ' ', blanks);
}

static bool add_time(struct line *line, const struct template_piece *piece)
{
	static const double scales[] = {[TEMPLATE_SECONDS] = 1e9,
					[TEMPLATE_MILLISECONDS] = 1e6,
					[TEMPLATE_MICROSECONDS] = 1e3};
	const int precision = piece->precision < 0		 ? 3
			      : piece->precision > PRECISION_MAX ? PRECISION_MAX
								 : piece->precision;
	struct pk_wide ns;

	if (!number_of(line, piece->field, &ns))
		return false;
	if (piece->relative)
		ns = pk_wide_subtract(ns, pk_wide_of_u64(line->script->time_before));
	buffer_format(&line->script->out, "%.*f", precision,
		      pk_wide_real(ns) / scales[piece->unit]);
	return true;
}

static bool add_result(struct line *line, const struct template_piece *piece)
{
	char name[64] = "";
	const struct pk_binding *call = bind(line, piece->call);
	const struct pk_binding *args = bind(line, piece->arguments);
	struct pk_bytes text, arguments = {0};
	struct pk_wide result, unfinished;

	if (number_of(line, piece->unfinished, &unfinished) && !pk_wide_is_zero(unfinished)) {
		buffer_char(&line->script->out, '?');
		return true;
	}
	if (call && pk_view_text(line->shown->of, call, &text) && text.size < sizeof(name))
		memcpy(name, text.data, text.size);
	if (!number_of(line, piece->field, &result))
		return false;
	if (!args || !pk_view_text(line->shown->of, args, &arguments))
		arguments = (struct pk_bytes){0};
	pk_call_result(&line->script->out, name, &arguments,
		       pk_abi_of(pk_context_machine(line->script->context), false),
		       (int64_t)result.low);
	return true;
}

/* Adds a value as it is. Sets *is_number if the value is aligned to the right. */
static bool add_plain(struct line *line, const struct template_piece *piece, bool *is_number)
{
	struct more_field *more = &line->script->options->fields.more[piece->field];
	char number[PK_VALUE_SIZE];
	enum pk_value_kind kind;
	struct pk_bytes text;

	kind = script_value(line->script, line->shown->of, &more->column, number, &text);
	*is_number = kind != PK_VALUE_TEXT;
	if (kind == PK_VALUE_NONE)
		return false;
	if (kind == PK_VALUE_TEXT && piece->precision >= 0 && text.size > (size_t)piece->precision)
		text.size = (size_t)piece->precision;
	buffer_harmless(&line->script->out, (const char *)text.data, text.size);
	return true;
}

static bool add_hex(struct line *line, const struct template_piece *piece)
{
	struct pk_wide number;

	if (!number_of(line, piece->field, &number))
		return false;
	buffer_format(&line->script->out, "0x%" PRIx64, number.low);
	return true;
}

/* Returns false if the sample does not have the field. */
static bool add_field(struct line *line, const struct template_piece *piece)
{
	struct buffer *out = &line->script->out;
	const size_t from = out->size;
	bool ok, number = piece->unit != TEMPLATE_RESULT;

	switch (piece->unit) {
	case TEMPLATE_PLAIN: ok = add_plain(line, piece, &number); break;
	case TEMPLATE_HEX: ok = add_hex(line, piece); break;
	case TEMPLATE_RESULT: ok = add_result(line, piece); break;
	default: ok = add_time(line, piece); break;
	}
	if (ok)
		align(out, from, piece, number);
	return ok;
}

static bool add_line_piece(struct line *line, const struct template_piece *piece)
{
	struct buffer *out = &line->script->out;
	size_t columns;

	switch (piece->kind) {
	case TEMPLATE_TEXT: buffer_add(out, piece->text, piece->size); break;
	case TEMPLATE_FIELD: return add_field(line, piece);
	case TEMPLATE_MARK: line->mark = out->size; break;
	case TEMPLATE_COLUMN:
		columns = out->size - line->mark;
		pad(out, columns < (size_t)piece->width ? (size_t)piece->width - columns : 1);
		break;
	}
	return true;
}

/* Stores the time to which times are relative. This is the time of the first sample. If the first
 * sample is a span, it is the start of the span. */
static void note_first(struct line *line)
{
	struct script *script = line->script;
	struct pk_wide start;

	if (script->time_before)
		return;
	script->time_before = line->shown->sample.time;
	if (number_of(line, script->options->template.start, &start))
		script->time_before = start.low;
}

static void template_sample(struct script *script, const struct shown *shown)
{
	const struct template *template = &script->options->template;
	struct line line = {script, shown, script->out.size};
	const size_t before = script->out.size;

	note_first(&line);
	for (size_t i = 0; i < template->count; i++) {
		if (add_line_piece(&line, &template->items[i]))
			continue;
		script->out.size = before; /* the line is for other events */
		return;
	}
	buffer_char(&script->out, '\n');
}

static void template_record(struct script *script, const struct pk_record *record)
{
	(void)script;
	(void)record;
}

const struct script_format script_template = {
	.option = "--format",
	.sample = template_sample,
	.record = template_record,
};
