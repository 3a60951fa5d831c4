// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "event.h"
#include "file.h"
#include "list_probes.h"
#include "lookups.h"
#include "number.h"
#include "probe_fetch.h"
#include "safe_text.h"
#include "vector.h"

/* ---- Objects ---- */

static const char *shown_object(const char *path)
{
	return path ? path : "kernel";
}

static enum pk_status open_object(struct probe_object *object, const char *path)
{
	struct pk_messages messages = {0};
	char *real = path ? realpath(path, NULL) : NULL;
	enum pk_status status = PK_FAILED;

	if (path && !real)
		pk_error("-x %s: %s", path, strerror(errno));
	else
		status = pk_printed(pk_probe_object_open(object, real, &messages), &messages);
	free(real);
	return status;
}

static bool open_described(struct probe_object *object, const char *path)
{
	if (open_object(object, path) != PK_OK)
		return false;
	if (!object->types)
		pk_error("%s: no debugging information: %s", shown_object(path),
			 path ? "compile with -g, or install its debug package"
			      : "install the vmlinux of this kernel");
	return object->types;
}

static void print_harmless(const char *text)
{
	struct buffer safe = {0};

	buffer_harmless(&safe, text, strlen(text));
	fwrite(safe.data, 1, safe.size, stdout);
	free(safe.data);
}

/* ---- Lines ---- */

enum { SOURCE_MOST = 16 << 20 };

/* The state of --line: the source that is listed, and its lines with code. */
struct listed {
	struct pk_types *types;
	const char *name; /* the wanted name of a function or a file */
	bool is_file;
	uint32_t first, last; /* the lines to show, relative to the first line of the function */
	struct pk_instance function; /* the function whose statements are visited */
	const char *file;	     /* the path of the source, or NULL if it is not found yet */
	uint32_t *items;	     /* the numbers of the lines that have code */
	size_t count, capacity;
	size_t functions; /* the number of functions that were printed */
	bool failed;
};

/* Parses NAME[:LINE[-LAST]]. The caller frees *name. Returns false if the text is malformed. */
static bool cut_lines(struct listed *l, const char *text, char **name)
{
	char *colon, *dash;
	uint64_t first = 0, last = UINT32_MAX;

	*name = strdup(text);
	if (!*name)
		return false;
	colon = strrchr(*name, ':');
	if (colon && isdigit((unsigned char)colon[1])) {
		*colon++ = 0;
		dash = strchr(colon, '-');
		if (dash)
			*dash++ = 0;
		if (!pk_parse_u64(colon, &first) || (dash && !pk_parse_u64(dash, &last)))
			return false;
		if (!dash)
			last = first;
	}
	l->name = *name;
	l->is_file = strpbrk(*name, "./") != NULL;
	l->first = first > UINT32_MAX ? UINT32_MAX : (uint32_t)first;
	l->last = last > UINT32_MAX ? UINT32_MAX : (uint32_t)last;
	return **name && l->first <= l->last;
}

static enum pk_status add_line(struct listed *l, uint32_t line)
{
	l->failed |= pk_vector_reserve(l, 1) != PK_OK;
	if (!l->failed)
		l->items[l->count++] = line;
	return l->failed ? PK_NOMEM : PK_OK;
}

static bool add_of_file(void *arg, const struct pk_statement *statement)
{
	struct listed *l = arg;

	if (!l->file)
		l->file = statement->file;
	return statement->shared || strcmp(l->file, statement->file) ||
	       add_line(l, statement->line) == PK_OK;
}

/* Adds the line of a statement if the statement belongs to the function. Ignores statements of
 * functions that are inlined in this function. */
static bool add_own(void *arg, const struct pk_statement *statement)
{
	struct listed *l = arg;
	struct pk_instance owner;

	if (statement->shared || strcmp(statement->file, l->file) ||
	    statement->line < l->function.line)
		return true;
	if (pk_dwarf_places_of_line(l->types, statement, &owner) &&
	    (owner.line != l->function.line || strcmp(owner.name, l->function.name) != 0))
		return true;
	return add_line(l, statement->line) == PK_OK;
}

static int compare_lines(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Prints the lines from `first` to `last`. If a line has code, prints its number before the line.
 * The number is relative to `base`. */
static void print_lines(struct listed *l, const char *source, size_t size, uint32_t base,
			uint32_t first, uint32_t last)
{
	const char *at = source, *end = source + size;
	size_t next = 0;

	for (uint32_t line = 1; line <= last && at < end; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const size_t length = (size_t)((newline ? newline : end) - at);
		struct buffer safe = {0};

		while (next < l->count && l->items[next] < line)
			next++;
		if (line >= first) {
			if (next < l->count && l->items[next] == line)
				buffer_format(&safe, "%7" PRIu32 "  ", line - base);
			else
				buffer_text(&safe, "         ");
			for (size_t i = 0; i < length; i++) /* A tab is printed as it is. */
				if (at[i] == '\t')
					buffer_char(&safe, '\t');
				else
					buffer_harmless(&safe, at + i, 1);
			fwrite(safe.data, 1, safe.size, stdout);
			putchar('\n');
		}
		free(safe.data);
		at = newline ? newline + 1 : end;
	}
}

static void print_source(struct listed *l, uint32_t base, uint32_t first, uint32_t last)
{
	size_t size = 0;
	char *text = NULL;
	int fd, error = pk_file_open(l->file, &fd);

	if (!error) {
		text = pk_file_read(fd, SOURCE_MOST, &size);
		error = text ? 0 : errno;
		close(fd);
	}
	if (error)
		pk_warn("%s: %s: only the numbers of the lines are printed", l->file,
			strerror(error));
	if (text)
		print_lines(l, text, size, base, first, last);
	for (size_t i = 0; !text && i < l->count; i++)
		if (l->items[i] >= first && l->items[i] <= last &&
		    (!i || l->items[i] != l->items[i - 1]))
			printf("%7" PRIu32 "\n", l->items[i] - base);
	free(text);
}

static void sort_lines(struct listed *l)
{
	if (l->count)
		qsort(l->items, l->count, sizeof(*l->items), compare_lines);
}

/* Returns the last line to show. It is at most the line after the last statement, which usually is
 * "}". */
static uint32_t last_line(const struct listed *l, uint32_t base)
{
	const uint32_t wanted = l->last > UINT32_MAX - base ? UINT32_MAX : base + l->last;
	const uint32_t end = l->count ? l->items[l->count - 1] + 1 : base;

	return wanted < end ? wanted : end;
}

static bool print_function(void *arg, const struct pk_instance *instance)
{
	struct listed *l = arg;

	if (instance->inlined || !instance->file || !instance->line)
		return true;
	l->function = *instance;
	l->file = instance->file;
	l->count = 0;
	if (add_line(l, instance->line) != PK_OK)
		return false;
	pk_dwarf_places_statements(instance, add_own, l);
	sort_lines(l);
	fputs(l->functions++ ? "\n" : "", stdout);
	print_harmless(instance->name);
	fputs(": ", stdout);
	print_harmless(instance->file);
	printf(":%" PRIu32 "\n", instance->line);
	print_source(l, instance->line, instance->line + l->first, last_line(l, instance->line));
	return !l->failed;
}

/* Adds the lines of an inlined copy. This is used for a function that only exists as inlined
 * copies. */
static bool add_inlined(void *arg, const struct pk_instance *instance)
{
	struct listed *l = arg;

	if (!instance->file || !instance->line ||
	    (l->function.name &&
	     (strcmp(l->file, instance->file) || l->function.line != instance->line)))
		return true;
	if (!l->function.name && add_line(l, instance->line) != PK_OK)
		return false;
	l->function = *instance;
	l->file = instance->file;
	pk_dwarf_places_statements(instance, add_own, l);
	return !l->failed;
}

static bool print_inlined(struct listed *l)
{
	pk_dwarf_places_functions(l->types, l->name, add_inlined, l);
	if (!l->function.name)
		return false;
	sort_lines(l);
	print_harmless(l->function.name);
	fputs(": ", stdout);
	print_harmless(l->file);
	printf(":%" PRIu32 " (only inlined copies)\n", l->function.line);
	print_source(l, l->function.line, l->function.line + l->first,
		     last_line(l, l->function.line));
	return true;
}

static bool print_file(struct listed *l)
{
	pk_dwarf_places_file(l->types, l->name, add_of_file, l);
	if (!l->file)
		return false;
	sort_lines(l);
	print_harmless(l->file);
	putchar('\n');
	print_source(l, 0, l->first ? l->first : 1, l->last);
	return true;
}

static bool print_listed(struct listed *l)
{
	if (l->is_file)
		return print_file(l);
	pk_dwarf_places_functions(l->types, l->name, print_function, l);
	return l->functions || l->failed || print_inlined(l);
}

int pk_list_lines(const char *path, const char *text)
{
	struct listed l = {0};
	struct probe_object object = {0};
	char *name = NULL;
	int status = PK_EXIT_FAILED;

	if (!cut_lines(&l, text, &name)) {
		status = pk_usage_error("--list-lines %s: must be FUNCTION or FILE, and optionally "
					":LINE or :FIRST-LAST",
					text);
	} else if (open_described(&object, path)) {
		l.types = object.types;
		if (!print_listed(&l))
			pk_error("%s: the debugging information has no %s %s", shown_object(path),
				 l.is_file ? "file" : "function", l.name);
		else
			status = l.failed ? pk_no_memory() : PK_EXIT_OK;
	}
	pk_probe_object_close(&object);
	free(l.items);
	free(name);
	return status ?: pk_finish(PK_EXIT_OK);
}

/* ---- Variables ---- */

/* Prints where a variable is, in the syntax of the kernel. Prints nothing if the value is not a
 * number, or cannot be read. */
static void print_location(struct probe_object *object, const struct probe_place *place,
			   const char *name)
{
	struct probe_expression x = {
		.text = name, .value = name, .root = PROBE_VARIABLE, .variable = name};
	const struct probe_text text = {.arguments = &x, .argument_count = 1};
	struct pk_messages messages = {.quiet = true};
	struct probe_values values;
	struct buffer line = {0};

	if (pk_probe_values_resolve(object, &text, place, &values, &messages) == PK_OK &&
	    values.count && pk_probe_value_define(object, place, &values.items[0], &line) &&
	    !line.failed) {
		buffer_char(&line, 0);
		putchar('\t');
		print_harmless(strchr(line.data, '=') ? strchr(line.data, '=') + 1 : line.data);
	}
	free(line.data);
	pk_probe_values_free(&values);
	pk_messages_clear(&messages);
}

struct shown {
	const char *name;
	char *type;
};

static void print_variables(struct probe_object *object, const struct probe_place *place)
{
	const struct pk_variable *list;
	const size_t count = place->described
				     ? pk_dwarf_places_variables(object->types, &place->instance,
								 place->address, &list)
				     : 0;
	struct shown *shown = calloc(count + 1, sizeof(*shown));

	/* The entries are copied, because print_location() replaces the list. */
	for (size_t i = 0; shown && i < count; i++)
		shown[i] = (struct shown){list[i].name,
					  strdup(pk_type_name(object->types, list[i].type))};
	for (size_t i = 0; shown && i < count; i++) {
		putchar('\t');
		print_harmless(shown[i].type ? shown[i].type : "?");
		putchar('\t');
		print_harmless(shown[i].name);
		print_location(object, place, shown[i].name);
		putchar('\n');
		free(shown[i].type);
	}
	if (!shown)
		pk_no_memory();
	else if (!count)
		puts("\t(no variable has a location here)");
	free(shown);
}

static void print_place(const struct probe_place *place)
{
	print_harmless(place->function);
	if (place->symbol) {
		fputs(" at ", stdout);
		print_harmless(place->symbol);
		printf("+%" PRIu64, place->distance);
	}
	if (place->file && place->line) {
		fputs(", ", stdout);
		print_harmless(place->file);
		printf(":%" PRIu32, place->line);
	}
	puts(place->described && place->instance.inlined ? ", inlined" : "");
}

static bool print_places(struct probe_object *object, const struct probe_text *text)
{
	struct pk_messages messages = {0};
	struct probe_places places;
	const bool ok = pk_printed(pk_probe_places_find(object, text, &places, &messages),
				   &messages) == PK_OK;

	for (size_t i = 0; ok && i < places.count; i++) {
		print_place(&places.items[i]);
		print_variables(object, &places.items[i]);
	}
	pk_probe_places_free(&places);
	return ok;
}

/* A global variable, with its name and its type. */
struct placed {
	char *name, *type;
};

struct placed_list {
	struct placed *items;
	size_t count, capacity;
	const char *glob;
	struct pk_types *types;
	bool failed;
};

static void add_placed(void *arg, const char *name, const struct pk_global *global)
{
	struct placed_list *list = arg;
	struct placed placed;

	if (list->failed || fnmatch(list->glob, name, 0))
		return;
	placed = (struct placed){strdup(name), strdup(pk_type_name(list->types, global->type))};
	if (placed.name && placed.type && pk_vector_reserve(list, 1) == PK_OK) {
		list->items[list->count++] = placed;
		return;
	}
	free(placed.name);
	free(placed.type);
	list->failed = true;
}

static int compare_placed(const void *a, const void *b)
{
	return strcmp(((const struct placed *)a)->name, ((const struct placed *)b)->name);
}

/* Prints the global variables that match a pattern. They are printed in the syntax of --probe. */
static bool print_globals(struct probe_object *object, const char *path, const char *glob)
{
	struct placed_list list = {.glob = glob, .types = object->types};

	pk_types_globals(object->types, add_placed, &list);
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), compare_placed);
	for (size_t i = 0; i < list.count; i++) {
		putchar('\t');
		print_harmless(list.items[i].type);
		fputs("\t@", stdout);
		print_harmless(list.items[i].name);
		putchar('\n');
		free(list.items[i].name);
		free(list.items[i].type);
	}
	free(list.items);
	if (list.failed)
		pk_no_memory();
	else if (!list.count)
		pk_error("%s: no global variable is called %s", shown_object(path), glob);
	return list.count && !list.failed;
}

static int list_globals(const char *path, const char *glob)
{
	struct probe_object object = {0};
	const bool ok = open_described(&object, path) && print_globals(&object, path, glob);

	pk_probe_object_close(&object);
	return ok ? pk_finish(PK_EXIT_OK) : PK_EXIT_FAILED;
}

static int list_places(const char *path, const char *text)
{
	struct probe_text place;
	struct probe_object object = {0};
	const char *error = pk_probe_text_parse(&place, text);
	bool ok;

	if (error)
		return pk_usage_error("--list-vars %s: %s", text, error);
	ok = !place.provider && open_described(&object, path) && print_places(&object, &place);
	if (place.provider)
		pk_error(
			"--list-vars %s: USDT probes have no variables: -x FILE --list shows their "
			"arguments",
			text);
	pk_probe_object_close(&object);
	pk_probe_text_free(&place);
	return ok ? pk_finish(PK_EXIT_OK) : PK_EXIT_FAILED;
}

int pk_list_variables(const char *path, const char *text)
{
	return *text == '@' ? list_globals(path, text + 1) : list_places(path, text);
}

/* ---- Functions ---- */

/* A function, or an inlined copy of a function. */
struct named {
	char *name, *file; /* file is NULL if it is unknown */
	uint32_t line;
	size_t inlined; /* the number of inlined copies */
};

struct named_list {
	struct named *items;
	size_t count, capacity;
	const char *glob;
	bool failed;
};

static enum pk_status add_named(struct named_list *list, const char *name, const char *file,
				uint32_t line, bool inlined)
{
	struct named named = {strdup(name), file ? strdup(file) : NULL, line, inlined};

	if (!named.name || (file && !named.file) || pk_vector_reserve(list, 1) != PK_OK) {
		free(named.name);
		free(named.file);
		list->failed = true;
		return PK_NOMEM;
	}
	list->items[list->count++] = named;
	return PK_OK;
}

static bool add_described(void *arg, const struct pk_instance *instance)
{
	return add_named(arg, instance->name, instance->file, instance->line, instance->inlined) ==
	       PK_OK;
}

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order && (!x->file || !y->file)) /* Functions without a file come last. */
		order = (x->file == NULL) - (y->file == NULL);
	else if (!order)
		order = strcmp(x->file, y->file);
	return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* Adds the functions of the symbol table. */
static void add_symbols(struct named_list *list, struct pk_object *object)
{
	struct pk_symbol symbol;

	for (size_t i = 0; !list->failed && pk_object_symbol(object, i, &symbol); i++)
		if (!(symbol.flags & (PK_SYMBOL_PLT | PK_SYMBOL_LABEL | PK_SYMBOL_DATA)) &&
		    !fnmatch(list->glob, symbol.name, 0))
			add_named(list, symbol.name, NULL, 0, false);
}

static bool same(const struct named *a, const struct named *b)
{
	return !strcmp(a->name, b->name) &&
	       (!b->file || (a->file && a->line == b->line && !strcmp(a->file, b->file)));
}

/* Prints each function once. Does not print a symbol if the debugging information has a function of
 * the same name. */
static void print_named(const struct named_list *list)
{
	for (size_t i = 0, end; i < list->count; i = end) {
		const struct named *first = &list->items[i];
		size_t inlined = 0;

		for (end = i; end < list->count && same(first, &list->items[end]); end++)
			inlined += list->items[end].inlined;
		print_harmless(first->name);
		if (first->file) {
			putchar('\t');
			print_harmless(first->file);
			printf(":%" PRIu32, first->line);
		}
		if (inlined)
			printf("\t%zu inlined cop%s", inlined, inlined > 1 ? "ies" : "y");
		putchar('\n');
	}
}

int pk_list_functions(const char *path, const char *glob)
{
	struct named_list list = {.glob = glob};
	struct probe_object object = {0};
	const bool ok = open_object(&object, path) == PK_OK;

	if (ok && object.types)
		pk_dwarf_places_functions(object.types, glob, add_described, &list);
	if (ok)
		add_symbols(&list, object.object);
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), compare_named);
	print_named(&list);
	if (ok && !list.count && !list.failed)
		pk_error("%s: no function is called %s", shown_object(path), glob);
	for (size_t i = 0; i < list.count; i++) {
		free(list.items[i].name);
		free(list.items[i].file);
	}
	free(list.items);
	pk_probe_object_close(&object);
	if (list.failed)
		return pk_no_memory();
	return ok && list.count ? pk_finish(PK_EXIT_OK) : PK_EXIT_FAILED;
}

/* ---- Dry runs ---- */

/* Prints the definition of a probe, in the format of perf probe -D. */
static void print_definition(const struct event *event)
{
	struct buffer line = {0};
	const char *colon = strchr(event->name, ':');
	const int system = colon ? (int)(colon - event->name) : 0;

	buffer_format(&line, "%c:%.*s/%s %s", event->probe.at_return ? 'r' : 'p', system,
		      event->name, colon ? colon + 1 : event->name, event->probe.definition);
	buffer_char(&line, 0);
	fputs("  ", stdout);
	print_harmless(line.failed ? event->probe.definition : line.data);
	putchar('\n');
	free(line.data);
}

int pk_list_dry_run(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];

		print_harmless(event->name);
		printf("%s%s\n", event->filter ? ", filter: " : "",
		       event->filter ? event->filter : "");
		if (event->probe.description)
			printf("  %s", event->probe.description);
		if (event->probe.definition)
			print_definition(event);
		if (event->probe.defined)
			puts("  needs a definition in tracefs");
	}
	return pk_finish(PK_EXIT_OK);
}
