// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "script.h"
#include "texts.h"

/* --gen python writes a Python script for pkstream.run() (docs/python.md). It has one function for
 * each event of the recording that has fields. All names come from the input, and are changed into
 * identifiers. */

/* The arguments that all functions have. The last AFTER arguments come after the fields. All other
 * arguments come before the fields. */
static const char *const common[] = {"event_name",  "context",		"common_cpu",
				     "common_secs", "common_nsecs",	"common_pid",
				     "common_comm", "common_callchain", "perf_sample_dict"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define AFTER	     1 /* number of common arguments after the fields */

static const char *const keywords[] = {
	"False", "None",     "True",  "and",	"as",	  "assert", "async",  "await",	  "break",
	"class", "continue", "def",   "del",	"elif",	  "else",   "except", "finally",  "for",
	"from",	 "global",   "if",    "import", "in",	  "is",	    "lambda", "nonlocal", "not",
	"or",	 "pass",     "print", "raise",	"return", "try",    "while",  "with",	  "yield"};

static void add_char(struct buffer *name, char c)
{
	if (!name->size && pk_is_digit(c))
		buffer_char(name, '_');
	buffer_char(name, pk_is_of_name(c) ? c : '_');
}

/* Makes the name of the function for an event. For example, "sched:sched_switch" becomes
 * sched__sched_switch. */
static void function_name(struct buffer *name, const char *event)
{
	name->size = 0;
	for (; *event; event++) {
		if (*event == ':')
			add_char(name, '_');
		add_char(name, *event);
	}
}

/* Makes the name of the argument for a field. `used` has the names of the other arguments. */
static enum pk_status argument_name(struct buffer *name, const char *field, struct pk_texts *used)
{
	name->size = 0;
	for (; *field; field++)
		add_char(name, *field);
	while (!name->failed && (!name->size || pk_texts_find(used, name->data, name->size)))
		buffer_char(name, '_');
	if (name->failed)
		return PK_NOMEM;
	return pk_texts_add(used, name->data, name->size) ? PK_OK : PK_NOMEM;
}

/* ---- Functions ---- */

/* Names that the arguments of a function use. First come the arguments of all functions, then the
 * keywords of Python. The names of the fields start at number `first`. */
struct arguments {
	struct pk_texts names;
	uint32_t first;
	struct buffer name; /* scratch buffer */
};

static enum pk_status add_fixed(struct arguments *arguments, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!pk_texts_add(&arguments->names, names[i], strlen(names[i])))
			return PK_NOMEM;
	return PK_OK;
}

static enum pk_status add_arguments(struct arguments *arguments, const struct pk_event *event,
				    const struct pk_tracepoint *tracepoint)
{
	const struct pk_tracepoint_field *field;
	enum pk_status status = add_fixed(arguments, common, COUNT(common))
					?: add_fixed(arguments, keywords, COUNT(keywords));

	arguments->first = (uint32_t)arguments->names.count + 1;
	if (event->arguments) {
		for (size_t i = 0; status == PK_OK && i < event->arguments->count; i++)
			status = argument_name(&arguments->name, event->arguments->items[i].name,
					       &arguments->names);
		return status;
	}
	for (size_t i = 0; status == PK_OK && (field = pk_tracepoint_field_at(tracepoint, i)); i++)
		if (strncmp(field->name, "common_", 7))
			status = argument_name(&arguments->name, field->name, &arguments->names);
	return status;
}

/* Writes ", NAME" for each field. */
static void write_names(struct buffer *out, const struct arguments *arguments)
{
	for (uint32_t i = arguments->first; i <= arguments->names.count; i++) {
		buffer_text(out, ", ");
		buffer_text(out, pk_texts_get(&arguments->names, i, NULL));
	}
}

static void write_function(struct buffer *out, const char *name, const struct arguments *arguments)
{
	buffer_format(out, "\n\ndef %s(", name);
	for (size_t i = 0; i < COUNT(common) - AFTER; i++)
		buffer_format(out, "%s%s", i ? ", " : "", common[i]);
	write_names(out, arguments);
	buffer_text(out, ", perf_sample_dict):\n"
			 "    print(event_name, f\"{common_secs}.{common_nsecs:09}\", common_cpu, "
			 "common_pid, common_comm");
	write_names(out, arguments);
	buffer_text(out, ")\n");
}

/* Writes the function of an event. Does nothing if an earlier event has a function with the same
 * name. */
static enum pk_status add_event(struct script *script, const struct pk_event *event,
				const struct pk_tracepoint *tracepoint)
{
	struct arguments arguments = {.first = 0};
	struct pk_texts *functions = script->own;
	struct buffer name = {0};
	enum pk_status status;

	function_name(&name, event->name);
	buffer_char(&name, '\0');
	if (!name.failed && pk_texts_find(functions, name.data, name.size)) {
		free(name.data);
		return PK_OK;
	}
	status = !name.failed && pk_texts_add(functions, name.data, name.size)
			 ? add_arguments(&arguments, event, tracepoint)
			 : PK_NOMEM;
	if (status == PK_OK)
		write_function(&script->out, name.data, &arguments);
	pk_texts_free(&arguments.names);
	free(arguments.name.data);
	free(name.data);
	return status;
}

/* ---- The format ---- */

static const char head[] =
	"# Handlers for the samples of a recording: python3 THIS_FILE RECORDING\n"
	"import pkstream\n"
	"\n\n"
	"def trace_begin():\n"
	"    pass\n";

static const char tail[] =
	"\n\n"
	"def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):\n"
	"    print(event_name, event_fields_dict)\n"
	"\n\n"
	"def process_event(param_dict):\n"
	"    print(param_dict[\"ev_name\"], param_dict[\"comm\"], param_dict[\"sample\"])\n"
	"\n\n"
	"def trace_end():\n"
	"    pass\n"
	"\n\n"
	"if __name__ == \"__main__\":\n"
	"    pkstream.run()\n";

static enum pk_status read_record(struct script *script, const struct pk_record *record)
{
	if (!script->own) {
		buffer_text(&script->out, head);
		script->own = calloc(1, sizeof(struct pk_texts));
	}
	if (!script->own)
		return PK_NOMEM;
	return record->type == PERF_RECORD_SAMPLE ? PK_OK : pk_tail_evaluate(&script->tail, record);
}

static void write_events(struct script *script)
{
	const struct pk_events *events = pk_reader_events(script->run->reader);

	for (size_t i = 0; script->own && i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);
		const struct pk_tracepoint *tracepoint =
			event->attr.type == PERF_TYPE_TRACEPOINT
				? pk_tracepoints_find(pk_context_tracepoints(script->context),
						      event->attr.config)
				: NULL;

		if ((tracepoint || event->arguments) &&
		    add_event(script, event, tracepoint) != PK_OK)
			script->failed = true;
	}
}

static void finish(struct script *script)
{
	if (!script->own)
		return; /* no input was read */
	buffer_text(&script->out, tail);
	pk_texts_free(script->own);
	free(script->own);
	script->own = NULL;
}

const struct script_format script_skeleton = {
	.count = read_record, .session_end = write_events, .finish = finish};
