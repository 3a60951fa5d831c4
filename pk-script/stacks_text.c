// SPDX-License-Identifier: BSD-2-Clause
/* The layout "stacks": the stack of each thread, in the form in which debuggers print it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "script.h"
#include "stacks_text.h"
#include "syscall_text.h"

const char *stacks_text_parse(struct fields *fields)
{
	fields_none(fields);
	for (int type = 0; type < TYPES; type++)
		fields->of[type] = FIELD(COMM) | FIELD(TID) | FIELD(IP) | FIELD(SYM) | FIELD(DSO) |
				   FIELD(SRCLINE);
	fields->of[TYPE_TRACE] |= FIELD(TRACE);
	return NULL;
}

/* ---- Frames ---- */

static void add_base_name(struct buffer *buffer, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	buffer_harmless(buffer, name, strlen(name));
}

/* Appends "FUNCTION at FILE:LINE". If the line is unknown, appends "FUNCTION from OBJECT". */
static void add_frame(struct buffer *buffer, const struct pk_frame_info *info, unsigned int parts,
		      struct number_places *places)
{
	(void)parts;
	(void)places;
	if (info->function)
		buffer_harmless(buffer, info->function, info->function_size);
	else
		buffer_text(buffer, "??");
	if (info->file) {
		buffer_text(buffer, " at ");
		add_base_name(buffer, info->file);
		buffer_format(buffer, ":%u", info->line);
	} else if (info->dso && !info->inlined) {
		buffer_text(buffer, " from ");
		buffer_harmless(buffer, info->dso, strlen(info->dso));
	}
}

/* Prints the frames. An inlined function has no address of its own, so blanks are printed instead.
 */
static void stacks_frames(struct script *script, const struct shown *shown)
{
	struct buffer *out = &script->out;

	for (size_t i = 0; i < shown->frames_count; i++) {
		const struct shown_frame *frame = &shown->frames[i];

		buffer_format(out, "#%-3zu", i);
		if (frame_texts_get(script->texts, frame->text.number)->inlined)
			buffer_format(out, "%18s    ", "");
		else
			buffer_format(out, "0x%016" PRIx64 " in ", frame->ip);
		frame_texts_add(script->texts, &frame->text, 0, out);
		buffer_char(out, '\n');
	}
}

/* ---- Threads ---- */

/* The state of the layout between two samples. */
struct stacks_state {
	struct pk_calls calls;
	uint32_t pid; /* process of the last sample; 0 before the first sample */
};

/* Returns the text of a field of a snapshot. It is empty if the event has no such field. */
static struct pk_bytes text_of(const struct shown *shown, const char *name)
{
	const struct pk_tracepoint *tracepoint = shown->view->tracepoint;
	const struct pk_tracepoint_field *field =
		tracepoint ? pk_tracepoint_find_field(tracepoint, name) : NULL;
	struct pk_bytes text = {0};

	if (!field || !pk_tracepoint_bytes(tracepoint, field, &shown->sample.raw, &text))
		text = (struct pk_bytes){0};
	return text;
}

static void add_field(struct script *script, const struct shown *shown, const char *name)
{
	const struct pk_bytes text = text_of(shown, name);

	if (!text.size)
		return;
	buffer_char(&script->out, ' ');
	buffer_harmless(&script->out, (const char *)text.data, text.size);
}

/* Appends the system call with its arguments, if the thread is in a system call. */
static void add_call(struct script *script, const struct shown *shown, struct pk_calls *calls)
{
	const struct pk_call *known = NULL;
	const struct pk_call_sample sample = {
		.calls = calls,
		.tracepoints = pk_context_tracepoints(script->context),
		.tracepoint = shown->view->tracepoint,
		.raw = &shown->sample.raw,
		.abi = pk_abi_of(pk_context_machine(script->context), false),
		.known = &known};

	if (!text_of(shown, "call").size)
		return;
	buffer_char(&script->out, ' ');
	pk_call_name(&script->out, &sample);
	buffer_char(&script->out, '(');
	pk_call_arguments(&script->out, &sample);
	buffer_char(&script->out, ')');
}

static void stacks_sample(struct script *script, const struct shown *shown)
{
	struct buffer *out = &script->out;
	struct stacks_state *state = script->own;

	if (!state)
		state = script->own = calloc(1, sizeof(*state));
	if (!state) {
		script->failed = true;
		return;
	}
	if (shown->sample.pid != state->pid)
		buffer_format(out, "Process %" PRId32 "\n", (int32_t)shown->sample.pid);
	state->pid = shown->sample.pid;
	buffer_format(out, "Thread %" PRId32 " \"", (int32_t)shown->sample.tid);
	buffer_harmless(out, shown->comm, shown->comm_size);
	buffer_char(out, '"');
	if (shown->view->tracepoint) {
		add_field(script, shown, "state");
		add_field(script, shown, "wchan");
		add_call(script, shown, &state->calls);
	}
	buffer_text(out, ":\n");
	script_print_frames(script, shown);
	buffer_char(out, '\n');
}

static void stacks_session_end(struct script *script)
{
	struct stacks_state *state = script->own;

	if (state)
		pk_calls_clear(&state->calls);
}

static void stacks_record(struct script *script, const struct pk_record *record)
{
	(void)script;
	(void)record;
}

static void stacks_finish(struct script *script)
{
	stacks_session_end(script);
	free(script->own);
	script->own = NULL;
}

static const struct frame_format stacks_frame_format = {.text = add_frame};

const struct script_format script_stacks = {
	.option = "--layout",
	.frame = &stacks_frame_format,
	.frames = stacks_frames,
	.samples_only = true,
	.sample = stacks_sample,
	.record = stacks_record,
	.session_end = stacks_session_end,
	.finish = stacks_finish,
};
