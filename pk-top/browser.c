// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "browser.h"
#include "cli.h"
#include "formats.h"
#include "keys.h"
#include "messages_held.h"
#include "outline_text.h"
#include "screen.h"
#include "terminal.h"
#include "unknown_field.h"

/* ---- Drawing ---- */

#define HEAD_LINES 3 /* number of lines above the rows; one more line is below the rows */

struct drawing {
	struct browser *browser;
	unsigned int rows, columns;
};

static void put(const struct drawing *d, unsigned int row, const char *text, size_t size,
		enum screen_style style)
{
	struct buffer *line = &d->browser->line;

	line->size = 0;
	fit_text(line, text, size, d->columns, FIT_LEFT);
	if (row < d->rows && !line->failed)
		screen_line(row, line->data, line->size, style, 0, SCREEN_PLAIN);
}

static void put_text(const struct drawing *d, unsigned int row, const char *text,
		     enum screen_style style)
{
	put(d, row, text, strlen(text), style);
}

static enum screen_style style_of(double share)
{
	return share >= PK_SHARE_HOT	? SCREEN_HOT
	       : share >= PK_SHARE_WARM ? SCREEN_WARM
					: SCREEN_PLAIN;
}

/* ---- Table ---- */

static void add_zooms(const struct outline *outline, struct buffer *out)
{
	const struct layout *layout = outline->reporter->results.layout;

	for (unsigned int i = 0; i < outline->zooms_count; i++) {
		const struct pk_field *field = layout->shown[outline->zooms[i].field];

		buffer_text(out, field ? field->name : "field");
		buffer_text(out, ": ");
		buffer_text(out, outline->zooms[i].text);
		buffer_text(out, "  ");
	}
	if (outline->filter) {
		buffer_text(out, "/");
		buffer_text(out, outline->filter);
		buffer_text(out, "  ");
	}
}

/* Prints the filters, and the numbers of the last interval. */
static void put_head(const struct drawing *d)
{
	struct buffer text = {0};

	add_zooms(&d->browser->outline, &text);
	buffer_text(&text, d->browser->head);
	if (!text.failed)
		put(d, 1, text.data, text.size, SCREEN_PLAIN);
	free(text.data);
}

/* Prints the event, and the number of samples. */
static void put_title(const struct drawing *d)
{
	const struct outline *outline = &d->browser->outline;
	const struct sheet *sheet = outline_sheet(outline);
	struct buffer text = {0};
	const char *event;
	size_t size = 0;
	char number[32];

	if (!sheet) {
		put_text(d, 0, "Samples: 0", SCREEN_HEAD);
		return;
	}
	event = pk_results_event(&outline->reporter->results, sheet->event, &size);
	buffer_format(&text, "Samples: %s of ", pk_number(number, sheet->sets[0].samples));
	buffer_text(&text, event ? "event '" : "all events");
	buffer_add(&text, event, event ? size : 0);
	buffer_text(&text, event ? "'" : "");
	buffer_format(&text, ", Event count (approx.): %s",
		      pk_number(number, sheet->sets[0].weight));
	if (outline->reporter->results.sheets_count > 1)
		buffer_format(&text, " [%zu/%zu]", outline->sheet + 1,
			      outline->reporter->results.sheets_count);
	if (!text.failed)
		put(d, 0, text.data, text.size, SCREEN_HEAD);
	free(text.data);
}

static void put_row(const struct drawing *d, unsigned int row, size_t index)
{
	struct outline *outline = &d->browser->outline;
	struct buffer *line = &d->browser->line;
	const enum screen_style style = index == outline->selected ? SCREEN_SELECTED : SCREEN_PLAIN;
	unsigned int prefix = style == SCREEN_PLAIN
				      ? outline_text_prefix(&d->browser->texts, index, d->columns)
				      : 0;

	line->size = 0;
	if (outline_text_line(&d->browser->texts, index, d->columns, line) != PK_OK)
		return;
	prefix = prefix > d->columns ? d->columns : prefix;
	screen_line(row, line->data, line->size, style, prefix,
		    style_of(outline_share(outline, index)));
}

static void draw_table(const struct drawing *d)
{
	struct browser *b = d->browser;
	struct outline *outline = &b->outline;

	put_title(d);
	put_head(d);
	b->line.size = 0;
	outline_text_measure(&b->texts);
	if (d->rows > HEAD_LINES && outline_text_titles(&b->texts, d->columns, &b->line) == PK_OK)
		screen_line(2, b->line.data, b->line.size, SCREEN_HEAD, 0, SCREEN_PLAIN);
	for (unsigned int i = 0; i < outline->height; i++) {
		if (outline->top + i < outline->count)
			put_row(d, HEAD_LINES + i, outline->top + i);
		else
			put_text(d, HEAD_LINES + i, "", SCREEN_PLAIN);
	}
}

/* ---- Other pages ---- */

/* Returns true if options exclude samples that pk-annotate counts. */
static bool omits(const struct browser *b)
{
	return b->reporter->tail.where || b->reporter->options->tail.conditions.ranges_count;
}

/* Returns the number of lines above the annotation. */
static unsigned int annotation_head(const struct browser *b, unsigned int rows)
{
	return omits(b) && rows > 2;
}

static void draw_annotation(const struct drawing *d)
{
	struct annotation *a = &d->browser->annotation;
	struct buffer *line = &d->browser->line;
	const unsigned int head = annotation_head(d->browser, d->rows);

	if (head)
		put_text(d, 0, "Shares of all samples: the options' conditions do not apply here",
			 SCREEN_HEAD);
	for (unsigned int i = 0; i < a->height; i++) {
		const bool selected = a->top + i == a->selected;
		const struct annotation_line *at;

		if (a->top + i >= a->count) {
			put_text(d, head + i, "", SCREEN_PLAIN);
			continue;
		}
		at = &a->lines[a->top + i];
		line->size = 0;
		fit_scrolled(line, at->text, at->size, d->columns, &d->browser->texts.scroll);
		if (line->failed)
			return;
		screen_line(head + i, line->data, line->size,
			    selected ? SCREEN_SELECTED : SCREEN_PLAIN,
			    selected || d->columns < 8 ? 0 : 8, style_of(at->share));
	}
}

static void draw_help(const struct drawing *d)
{
	size_t line = 0;

	for (unsigned int i = 0; i + 1 < d->rows; i++) {
		const char *text = keys_help(line);

		line += text != NULL;
		put_text(d, i, text ? text : "", SCREEN_PLAIN);
	}
}

/* ---- Last line ---- */

#define ENDED "the input has ended"

static const char *const prompts[] = {[PROMPT_SEARCH] = "Search: ",
				      [PROMPT_FILTER] = "Rows with: ",
				      [PROMPT_BY] = "Group by: ",
				      [PROMPT_FILE] = "Print to: "};

static const char *state_of(const struct browser *b)
{
	if (b->page == PAGE_HELP)
		return "any key: back";
	if (b->page == PAGE_ANNOTATION)
		return "Tab: next hot line  H: hottest  s: source  q: back";
	if (b->reporter->ended)
		return ENDED "  h: help  q: quit";
	return b->frozen ? "frozen  f: continue  h: help  q: quit" : "h: help  q: quit";
}

/* Returns how much of the current input was read, in percent. Returns -1 if this is unknown. */
static int progress_of(const struct browser *b)
{
	struct stat st;

	if (b->run->input.piped || b->run->input.fd < 0 || fstat(b->run->input.fd, &st) ||
	    !S_ISREG(st.st_mode) || b->offset >= (uint64_t)st.st_size)
		return -1;
	return (int)(100 * (double)b->offset / (double)st.st_size);
}

static void add_state(const struct browser *b, struct buffer *out)
{
	const int progress = b->reporter->ended ? -1 : progress_of(b);

	if (progress >= 0 && b->page == PAGE_TABLE)
		buffer_format(out, "reading: %d%%  ", progress);
	buffer_text(out, state_of(b));
}

/* Returns the column of the cursor, or -1 if it is hidden. */
static int draw_last(const struct drawing *d)
{
	const struct browser *b = d->browser;
	const struct prompt *prompt = &b->prompt;
	struct buffer text = {0};
	int cursor = -1;

	if (prompt->kind) {
		buffer_text(&text, prompts[prompt->kind]);
		buffer_add(&text, prompt->text, prompt->size);
		cursor = text.failed ? 0 : (int)fit_columns(text.data, text.size);
	} else if (!b->message[0]) {
		add_state(b, &text);
	} else {
		buffer_text(&text, b->message);
		if (b->reporter->ended && b->page == PAGE_TABLE)
			buffer_text(&text, "  (" ENDED ")");
	}
	if (!text.failed)
		put(d, d->rows - 1, text.data, text.size, SCREEN_HEAD);
	free(text.data);
	return cursor;
}

void browser_draw(struct browser *b)
{
	struct drawing d = {.browser = b};
	unsigned int height;

	screen_size(&d.rows, &d.columns);
	height = d.rows > HEAD_LINES + 1 ? d.rows - HEAD_LINES - 1 : 0;
	if (b->outline.height != height) {
		b->outline.height = height;
		outline_move(&b->outline, 0);
	}
	b->annotation.height = d.rows - 1 - annotation_head(b, d.rows);
	annotation_move(&b->annotation, 0);
	b->texts.scroll.hidden = 0;
	switch (b->page) {
	case PAGE_TABLE: draw_table(&d); break;
	case PAGE_ANNOTATION: draw_annotation(&d); break;
	case PAGE_HELP: draw_help(&d); break;
	}
	if (b->texts.scroll.columns > b->texts.scroll.hidden)
		b->texts.scroll.columns = b->texts.scroll.hidden;
	screen_show(draw_last(&d));
	b->changed = false;
}

/* ---- Keys ---- */

/* Sets the message in the last line. */
static void browser_say(struct browser *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(b->message, sizeof(b->message), format, args);
	va_end(args);
	b->changed = true;
}

/* Tells the user if lines are missing, because memory is exhausted or there are too many open
 * branches. */
static void say_lines(struct browser *b, enum pk_status status)
{
	char number[32];

	if (status != PK_OK)
		browser_say(b, "out of memory: lines are missing");
	else if (b->outline.cut)
		browser_say(b, "only the first %s branches are open",
			    pk_number(number, OUTLINE_BRANCHES_MAX));
	b->changed = true;
}

static void update(struct browser *b)
{
	say_lines(b, outline_update(&b->outline));
}

void browser_hear(struct browser *b)
{
	char text[sizeof(b->message)];

	/* The losses are not shown here, because at the end they are also in the second line of the
	 * screen. */
	if (!messages_last(text, sizeof(text)) || !strcmp(text, b->head))
		return;
	memcpy(b->message, text, sizeof(text));
	b->changed = true;
}

/* Shows the last message of stderr. Shows `otherwise` if there is no new message. */
static void say_last(struct browser *b, const char *otherwise)
{
	if (!messages_last(b->message, sizeof(b->message)))
		browser_say(b, "%s", otherwise);
	b->changed = true;
}

/* ---- Numbers ---- */

static void set_head(struct browser *b)
{
	struct reporter *r = b->reporter;
	struct buffer text = {0};
	char losses[160];

	if (r->ended) {
		snprintf(b->head, sizeof(b->head), "%s",
			 pk_losses_text(&r->run->losses, losses, sizeof(losses)) ? losses : "");
		return;
	}
	pk_live_head_text(&r->head, 0, pk_reporter_lost(r), &text);
	buffer_char(&text, '\0');
	snprintf(b->head, sizeof(b->head), "%s", text.failed ? "" : text.data);
	free(text.data);
	pk_live_head_next(&r->head, pk_reporter_lost(r));
}

/* Called after the end of the inputs. Tells the user about a field that no event has. */
static void say_missing(struct browser *b)
{
	const struct reporter *r = b->reporter;
	char text[PK_MISSING_SIZE];

	for (unsigned int i = 0; r->tail.profile.counted && i < r->tail.groups.columns_count; i++) {
		if (r->tail.groups.columns[i].found || !r->tail.groups.columns[i].reference.name)
			continue;
		pk_reference_missing(&r->tail.groups.columns[i].reference, text);
		browser_say(b, "%s", text);
		return;
	}
}

enum pk_status browser_refresh(struct browser *b)
{
	const bool forgotten = b->reporter->forgotten;

	if (pk_reporter_refresh(b->reporter) != PK_OK)
		return PK_NOMEM;
	if (b->reporter->forgotten && !forgotten)
		browser_say(b, "too many rows: all samples so far were forgotten");
	if (b->reporter->ended)
		say_missing(b);
	set_head(b);
	say_lines(b, outline_refresh(&b->outline));
	return PK_OK;
}

static void zero(struct browser *b)
{
	if (pk_reporter_zero(b->reporter) != PK_OK)
		browser_say(b, "out of memory");
	else
		browser_say(b, "all numbers were set to 0");
	update(b);
}

/* ---- Another layout ---- */

bool browser_reads_files(const struct pk_run *run)
{
	struct stat st;

	for (int i = 0; i < run->files_count; i++)
		if (!strcmp(run->files[i], "-") || stat(run->files[i], &st) ||
		    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
			return false;
	return run->files_count;
}

/* Returns true if no event of the input has a field of the layout, and tells the user. This is only
 * certain if the events are known, and if no other input with other events can follow. Otherwise
 * returns false. */
static bool is_unknown(struct browser *b, const struct layout *layout)
{
	const struct pk_context *context = &b->reporter->tail.profile.context;
	bool unknown = false;
	char text[256];

	if (b->reporter->ended || b->run->files_count > 1 ||
	    pk_context_reader(context) != b->run->reader)
		return false;
	for (unsigned int i = 0; i < layout->fields_count && !unknown; i++)
		unknown = layout->fields[i].name &&
			  pk_unknown_field(context, &layout->fields[i], NULL, text, sizeof(text));
	if (unknown)
		browser_say(b, "%s", text);
	return unknown;
}

/* Groups by other fields. Files are read again. If the input is a pipe, only the samples from now
 * on are counted. */
static void group_by(struct browser *b, const char *text)
{
	struct report_arguments *arguments = b->options->arguments;
	struct layout_options options = arguments->layout;
	struct layout layout = {0};
	struct layout_error error;

	if (b->reporter->ended && !browser_reads_files(b->run)) {
		browser_say(b, "the input was a pipe: it cannot be read again");
		return;
	}
	options.by = text;
	options.perf_keys = false;
	options.fields = NULL;
	if (pk_layout_make(&layout, &options, &error) != LAYOUT_OK) {
		browser_say(b, "%.*s: %s", error.value_size, error.value, error.text);
	} else if (!pk_reporter_can_change(b->reporter, &layout)) {
		browser_say(b, "%s: only at the start: pk-top --by %s", text, text);
	} else if (!is_unknown(b, &layout)) {
		outline_reset(&b->outline);
		outline_text_reset(&b->texts);
		if (pk_reporter_change(b->reporter, &layout) != PK_OK)
			browser_say(b, "out of memory");
		b->again = browser_reads_files(b->run);
		update(b);
	}
	pk_layout_free(&layout);
}

/* ---- Printing to a file ---- */

/* Suggests the name of a file that does not exist. */
static void suggest_file(struct prompt *prompt)
{
	struct stat st;
	int size = 0;

	for (unsigned int i = 1; i < 10000; i++) {
		size = snprintf(prompt->text, sizeof(prompt->text), "pk-top.%u.txt", i);
		if (lstat(prompt->text, &st) && errno == ENOENT)
			break;
	}
	prompt->size = (size_t)size;
}

static void print_to(struct browser *b, const char *path)
{
	const int fd = pk_create(path, PK_CREATE_REPLACE);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "we");
	bool done;

	if (!out) {
		if (fd >= 0)
			close(fd);
		say_last(b, "the file cannot be created");
		return;
	}
	done = outline_text_print(&b->texts, out) == PK_OK && !ferror(out);
	if (fclose(out) || !done) {
		browser_say(b, "%s: %s", path, strerror(errno));
		pk_outputs_drop();
	} else if (!pk_outputs_keep(PK_EXIT_OK))
		browser_say(b, "%s: %zu lines", path, b->outline.count);
}

/* ---- Search, scrolling and order ---- */

#define SCROLL_COLUMNS 10
#define WHEEL_LINES    3

static void search(struct browser *b, int step)
{
	const bool table = b->page == PAGE_TABLE;
	const size_t line = table && b->searched[0]
				    ? outline_text_search(&b->texts, b->searched, step)
				    : b->outline.count;

	if (!b->searched[0])
		browser_say(b, "/: search");
	else if (table && line < b->outline.count)
		outline_select(&b->outline, line);
	else if (table || !annotation_search(&b->annotation, b->searched, step))
		browser_say(b, "%s: not found", b->searched);
}

static void scroll_texts(struct browser *b, bool right)
{
	struct text_scroll *scroll = &b->texts.scroll;

	if (right)
		scroll->columns += SCROLL_COLUMNS;
	else
		scroll->columns -=
			scroll->columns < SCROLL_COLUMNS ? scroll->columns : SCROLL_COLUMNS;
}

/* Returns the index of the column that rows are sorted by. */
static unsigned int sorted_column(const struct layout *layout)
{
	unsigned int i = 0;

	if (layout->order >= 0)
		return (unsigned int)layout->order;
	while (i + 1 < layout->columns_count && layout->columns[i].kind == COLUMN_FIELD)
		i++;
	return i;
}

/* Sorts by a column: numbers descending, fields ascending. If the rows are already sorted by this
 * column, reverses the order. */
static void sort_by(struct browser *b, unsigned int column)
{
	struct layout *layout = &b->reporter->options->layout;
	struct results *results = &b->reporter->results;

	if (column >= layout->columns_count || !results->sheets_count)
		return;
	layout->ascending = column == sorted_column(layout)
				    ? !layout->ascending
				    : layout->columns[column].kind == COLUMN_FIELD;
	layout->order = (int)column;
	if (pk_results_sort(results, &b->reporter->options->results) != PK_OK)
		browser_say(b, "out of memory");
	else
		browser_say(b, "sorted by %s, %s first",
			    pk_text_table_title(results, &layout->columns[column]),
			    layout->ascending ? "smallest" : "largest");
	update(b);
}

/* ---- Annotation ---- */

/* Returns true if the user cancels pk-annotate. Other keys are stored until pk-annotate has ended.
 */
static bool is_cancelled(void *arg)
{
	struct browser *b = arg;
	int key;

	while ((key = screen_key()) != KEY_OF_NONE) {
		if (key == KEY_OF_ESCAPE || keys_command(key) == COMMAND_QUIT)
			return true;
		if (b->typed_count < sizeof(b->typed) / sizeof(b->typed[0]))
			b->typed[b->typed_count++] = key;
	}
	return false;
}

static void show_annotation(struct browser *b)
{
	const struct report_options *report = b->reporter->options;
	const struct annotate_command command = {
		.files = b->run->files,
		.files_count = b->run->files_count,
		.options = b->options->symbol_options,
		.options_count = b->options->symbol_options_count,
		.events = report->tail.weigh.events,
		.events_count = report->tail.weigh.events_count,
		.source = b->source,
		.symbolize = pk_source_makes(&b->reporter->tail.profile.context.stacks),
	};
	struct buffer text = {0};

	browser_say(b, "pk-annotate %s ...  q: cancel", b->function);
	browser_draw(b);
	if (annotate_run(&command, b->object, b->function, is_cancelled, b, &text) != PK_OK) {
		browser_say(b, "%s: cancelled, or without code", b->function);
		messages_last(b->message, sizeof(b->message));
	} else if (annotation_set(&b->annotation, text.data, text.size) != PK_OK) {
		browser_say(b, "out of memory");
	} else {
		b->message[0] = '\0';
		b->page = PAGE_ANNOTATION;
	}
	free(text.data);
	b->changed = true;
}

static void annotate(struct browser *b)
{
	struct outline *outline = &b->outline;
	const char *function;

	if (!browser_reads_files(b->run)) {
		browser_say(b, "pk-annotate needs a file: the input is a pipe");
		return;
	}
	free(b->function);
	free(b->object);
	function = outline_function(outline);
	b->function = function ? strdup(function) : NULL;
	function = outline_object(outline);
	b->object = function ? strdup(function) : NULL;
	b->source = false;
	if (b->function)
		show_annotation(b);
	else
		browser_say(b, "the line has no function: group by symbol");
}

static void ask(struct browser *b, int kind, const char *text)
{
	struct prompt *prompt = &b->prompt;

	prompt->kind = (typeof(prompt->kind))kind;
	prompt->size = (size_t)snprintf(prompt->text, sizeof(prompt->text), "%s", text);
	if (prompt->size >= sizeof(prompt->text))
		prompt->size = sizeof(prompt->text) - 1;
}

/* Handles a command that searches or scrolls in any page. Returns false if `command` does not. */
static bool look_around(struct browser *b, enum command command)
{
	switch (command) {
	case COMMAND_SEARCH: ask(b, PROMPT_SEARCH, ""); return true;
	case COMMAND_SEARCH_NEXT: search(b, 1); return true;
	case COMMAND_SEARCH_BACK: search(b, -1); return true;
	case COMMAND_SCROLL_LEFT: scroll_texts(b, false); return true;
	case COMMAND_SCROLL_RIGHT: scroll_texts(b, true); return true;
	default: return false;
	}
}

static void annotation_key(struct browser *b, int key)
{
	struct annotation *a = &b->annotation;

	if (look_around(b, keys_command(key)))
		return;
	switch (key) {
	case KEY_OF_UP: annotation_move(a, -1); break;
	case KEY_OF_DOWN: annotation_move(a, 1); break;
	case KEY_OF_PAGE_UP: annotation_move(a, -(long)a->height); break;
	case KEY_OF_PAGE_DOWN:
	case ' ': annotation_move(a, a->height); break;
	case KEY_OF_HOME: annotation_select(a, 0); break;
	case KEY_OF_END: annotation_select(a, SIZE_MAX); break;
	case KEY_OF_WHEEL_UP: annotation_move(a, -WHEEL_LINES); break;
	case KEY_OF_WHEEL_DOWN: annotation_move(a, WHEEL_LINES); break;
	case KEY_OF_TAB: annotation_next(a, 1); break;
	case KEY_OF_BACK_TAB: annotation_next(a, -1); break;
	case 'H': annotation_hottest(a); break;
	case 's':
		b->source = !b->source;
		show_annotation(b);
		break;
	case 'h':
	case '?':
		b->before_help = b->page;
		b->page = PAGE_HELP;
		break;
	case 3: b->quit = true; break;
	case 'q':
	case KEY_OF_LEFT:
	case KEY_OF_ESCAPE: b->page = PAGE_TABLE; break;
	default: break;
	}
}

/* ---- Prompts ---- */

static void answer(struct browser *b)
{
	struct prompt *prompt = &b->prompt;
	const int kind = prompt->kind;

	prompt->text[prompt->size] = '\0';
	prompt->kind = PROMPT_NONE;
	switch (kind) {
	case PROMPT_SEARCH:
		/* An empty text repeats the search. */
		if (prompt->size)
			memcpy(b->searched, prompt->text, prompt->size + 1);
		search(b, prompt->size ? 0 : 1);
		break;
	case PROMPT_FILTER:
		if (outline_filter(&b->outline, prompt->text) != PK_OK)
			browser_say(b, "out of memory");
		update(b);
		break;
	case PROMPT_BY: group_by(b, prompt->text); break;
	case PROMPT_FILE:
		if (prompt->size)
			print_to(b, prompt->text);
		break;
	default: break;
	}
}

/* Removes the last character of the prompt. */
static void erase(struct prompt *prompt)
{
	while (prompt->size && (prompt->text[--prompt->size] & 0xc0) == 0x80)
		;
}

static void prompt_key(struct browser *b, int key)
{
	struct prompt *prompt = &b->prompt;

	switch (key) {
	case KEY_OF_ENTER: answer(b); break;
	case 3:
	case KEY_OF_ESCAPE: prompt->kind = PROMPT_NONE; break;
	case KEY_OF_BACKSPACE: erase(prompt); break;
	case 'U' & 0x1f: prompt->size = 0; break;
	default:
		if (key >= ' ' && key < 256 && prompt->size < sizeof(prompt->text) - 1)
			prompt->text[prompt->size++] = (char)key;
	}
}

/* ---- Commands ---- */

static void zoom_into(struct browser *b, const char *field, const char *instead)
{
	if (outline_zoom(&b->outline, field) || (instead && outline_zoom(&b->outline, instead)))
		update(b);
	else
		browser_say(b, "the table has no column %s (b: group by other fields)", field);
}

static void go_in(struct browser *b, bool toggle)
{
	struct outline *outline = &b->outline;

	if (!outline->count)
		return;
	if (outline->lines[outline->selected].state == OUTLINE_OPEN && !toggle)
		outline_move(outline, 1);
	else if (outline->lines[outline->selected].state == OUTLINE_OPEN)
		outline_open(outline, false);
	else if (!outline_open(outline, true) && !outline->lines[outline->selected].node &&
		 outline_zoom_next(outline))
		update(b);
}

static void go_out(struct browser *b)
{
	struct outline *outline = &b->outline;

	if (outline->count && outline->lines[outline->selected].state == OUTLINE_OPEN) {
		outline_open(outline, false);
	} else if (!outline_leave(outline)) {
		if (!outline_zoom_out(outline))
			outline_filter(outline, NULL);
		update(b);
	}
}

/* Selects the clicked line. A click on the selected line opens or closes it. A click on a title
 * sorts by its column. */
static void click(struct browser *b)
{
	struct outline *outline = &b->outline;
	unsigned int rows, columns, x;
	const unsigned int y = screen_clicked(&x);
	size_t line = outline->top + y - HEAD_LINES;

	screen_size(&rows, &columns);
	if (y + 1 == HEAD_LINES)
		sort_by(b, outline_text_column(&b->texts, columns, x));
	if (y < HEAD_LINES || y >= HEAD_LINES + outline->height || line >= outline->count)
		return;
	if (line == outline->selected)
		go_in(b, true);
	else
		outline_select(outline, line);
}

/* Handles a command that moves in the table. Returns false if `command` does not. */
static bool move_in_table(struct browser *b, enum command command)
{
	struct outline *outline = &b->outline;

	switch (command) {
	case COMMAND_UP: outline_move(outline, -1); return true;
	case COMMAND_DOWN: outline_move(outline, 1); return true;
	case COMMAND_PAGE_UP: outline_move(outline, -(long)outline->height); return true;
	case COMMAND_PAGE_DOWN: outline_move(outline, outline->height); return true;
	case COMMAND_HOME: outline_select(outline, 0); return true;
	case COMMAND_END: outline_select(outline, SIZE_MAX); return true;
	case COMMAND_WHEEL_UP: outline_move(outline, -WHEEL_LINES); return true;
	case COMMAND_WHEEL_DOWN: outline_move(outline, WHEEL_LINES); return true;
	case COMMAND_CLICK: click(b); return true;
	case COMMAND_TOGGLE:
		if (outline->count)
			outline_open(outline,
				     outline->lines[outline->selected].state == OUTLINE_CLOSED);
		return true;
	case COMMAND_ENTER: go_in(b, true); return true;
	case COMMAND_IN: go_in(b, false); return true;
	case COMMAND_OUT: go_out(b); return true;
	default: return false;
	}
}

/* Handles a command that changes the set of lines, or their order. Returns false if `command` does
 * not. */
static bool change_table(struct browser *b, enum command command)
{
	struct outline *outline = &b->outline;
	const unsigned int sorted = sorted_column(&b->reporter->options->layout);

	switch (command) {
	case COMMAND_SORT_LEFT:
		if (sorted)
			sort_by(b, sorted - 1);
		return true;
	case COMMAND_SORT_RIGHT: sort_by(b, sorted + 1); return true;
	case COMMAND_REVERSE: sort_by(b, sorted); return true;
	case COMMAND_EXPAND: outline_open_all(outline, true); break;
	case COMMAND_COLLAPSE: outline_open_all(outline, false); break;
	case COMMAND_INVERT:
		outline->caller = !outline->caller;
		browser_say(b, "%s first", outline->caller ? "callers" : "callees");
		break;
	case COMMAND_NEXT: outline_next_sheet(outline, 1); break;
	case COMMAND_PREVIOUS: outline_next_sheet(outline, -1); break;
	case COMMAND_DSO: zoom_into(b, "dso", NULL); return true;
	case COMMAND_THREAD: zoom_into(b, "tid", "comm"); return true;
	case COMMAND_SYMBOL: zoom_into(b, "symbol", NULL); return true;
	default: return false;
	}
	update(b);
	return true;
}

static void table_key(struct browser *b, int key)
{
	const enum command command = keys_command(key);

	if (look_around(b, command) || move_in_table(b, command) || change_table(b, command))
		return;
	switch (command) {
	case COMMAND_FILTER:
		ask(b, PROMPT_FILTER, b->outline.filter ? b->outline.filter : "");
		break;
	case COMMAND_BY: ask(b, PROMPT_BY, ""); break;
	case COMMAND_PRINT:
		suggest_file(&b->prompt);
		b->prompt.kind = PROMPT_FILE;
		break;
	case COMMAND_ANNOTATE: annotate(b); break;
	case COMMAND_FREEZE: b->frozen = !b->frozen; break;
	case COMMAND_ZERO: zero(b); break;
	case COMMAND_HELP:
		b->before_help = b->page;
		b->page = PAGE_HELP;
		break;
	case COMMAND_REDRAW: screen_repair(); break;
	case COMMAND_NO_MORE_KEYS:
		b->leaving = true;
		browser_say(b, "the program ends when the input has ended");
		break;
	case COMMAND_QUIT: b->quit = true; break;
	default: break;
	}
}

static void handle(struct browser *b, int key)
{
	b->changed = true;
	if (key == KEY_OF_RESIZE)
		return;
	b->message[0] = '\0';
	if (b->prompt.kind)
		prompt_key(b, key);
	else if (b->page == PAGE_HELP)
		b->page = b->before_help;
	else if (b->page == PAGE_ANNOTATION)
		annotation_key(b, key);
	else
		table_key(b, key);
}

void browser_key(struct browser *b, int key)
{
	int typed[sizeof(b->typed) / sizeof(b->typed[0])];
	size_t count;

	handle(b, key);
	while ((count = b->typed_count)) {
		memcpy(typed, b->typed, sizeof(typed));
		b->typed_count = 0;
		for (size_t i = 0; i < count; i++)
			handle(b, typed[i]);
	}
}

void browser_free(struct browser *b)
{
	outline_text_free(&b->texts);
	outline_free(&b->outline);
	annotation_free(&b->annotation);
	free(b->function);
	free(b->object);
	free(b->line.data);
}
