// SPDX-License-Identifier: BSD-2-Clause
/* Names that samples have, and whether they fit: worked out once for each name. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdlib.h>

#include "sift_internal.h"
#include "tracepoint.h"

bool sifter_fits(const struct where *node, const char *text)
{
	const char *wanted = node->right->text;

	return node->op == WHERE_LIKE ? !fnmatch(wanted, text, 0) : !strcmp(wanted, text);
}

/* Objects are known by their path, and by the last part of it. */
static bool fits_path(const struct where *node, const char *path)
{
	const char *slash = strrchr(path, '/');

	return sifter_fits(node, path) || (slash && sifter_fits(node, slash + 1));
}

bool memo_reserve(struct sift_memo *memo, size_t count)
{
	uint8_t *answers;

	if (pk_likely(count <= memo->count))
		return true;
	count = 2 * count + 64;
	answers = realloc(memo->answers, count);
	if (!answers)
		return false;
	memset(answers + memo->count, 0, count - memo->count);
	memo->answers = answers;
	memo->count = count;
	return true;
}

/* ---- Frames and stacks ---- */

static const char *string_of(const struct sifter *sifter, uint32_t id)
{
	const char *text = pk_dictionary_get_string(sifter->dictionary, id, NULL);

	return text ? text : "";
}

static const struct pk_stack *stack_at(const struct sifter *sifter, uint32_t index)
{
	uint32_t base = pk_dictionary_stacks(sifter->dictionary).base;

	return pk_dictionary_get_stack(sifter->dictionary, base + 1 + index);
}

static bool frame_fits(const struct sifter *sifter, const struct where *node, uint32_t id)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(sifter->dictionary, id);
	const struct pk_dso *dso;

	if (!frame)
		return false;
	if (node->left->field == WHERE_DSO) {
		dso = pk_dictionary_get_dso(sifter->dictionary, frame->dso);
		return dso && fits_path(node, string_of(sifter, dso->path));
	}
	if ((node->left->field == WHERE_COMM) != !!(frame->flags & PK_FRAME_COMM))
		return false;
	return sifter_fits(node, string_of(sifter, frame->function));
}

static bool ask_frame(struct sifter *sifter, const struct where *node, uint32_t id)
{
	struct sift_memo *memo = &sifter->memos[2 * node->memo + 1];
	uint32_t index = id - pk_dictionary_frames(sifter->dictionary).base - 1;

	if (index >= pk_dictionary_frames(sifter->dictionary).count)
		return false;
	if (!memo_reserve(memo, (size_t)index + 1)) {
		sifter->failed = true;
		return false;
	}
	if (!memo->answers[index])
		memo->answers[index] = frame_fits(sifter, node, id) ? 2 : 1;
	return memo->answers[index] == 2;
}

static bool push(struct sifter *sifter, size_t at, uint32_t index)
{
	if (at == sifter->way_capacity) {
		size_t capacity = 2 * sifter->way_capacity + 256;
		uint32_t *way = realloc(sifter->way, capacity * sizeof(*way));

		if (!way)
			return false;
		sifter->way = way;
		sifter->way_capacity = capacity;
	}
	sifter->way[at] = index;
	return true;
}

/* What holds of the frame of a stack, given what holds of its parent (1 or 2; 0: it is a root). */
static uint8_t answer_of(struct sifter *sifter, const struct where *node, uint32_t frame,
			 uint8_t parent)
{
	switch (node->left->field) {
	case WHERE_STACK: return parent == 2 || ask_frame(sifter, node, frame) ? 2 : 1;
	case WHERE_COMM: return parent ? parent : ask_frame(sifter, node, frame) ? 2 : 1;
	default: return ask_frame(sifter, node, frame) ? 2 : 1;
	}
}

/* Of a stack, by its own frame, its root, or any frame. What parents have in common is asked once.
 */
static bool ask_stack(struct sifter *sifter, const struct where *node)
{
	struct sift_memo *memo = &sifter->memos[2 * node->memo];
	bool upwards = node->left->field == WHERE_STACK || node->left->field == WHERE_COMM;
	uint32_t base, index = sifter->stack;
	uint8_t answer = 0;
	size_t length = 0;

	if (index == UINT32_MAX)
		return false;
	if (pk_likely(index < memo->count && memo->answers[index]))
		return memo->answers[index] == 2;
	if (!memo_reserve(memo, (size_t)index + 1)) {
		sifter->failed = true;
		return false;
	}
	base = pk_dictionary_stacks(sifter->dictionary).base;
	for (; !memo->answers[index]; index = stack_at(sifter, index)->parent - base - 1) {
		if (!push(sifter, length++, index)) {
			sifter->failed = true;
			return false;
		}
		if (!upwards || !stack_at(sifter, index)->parent)
			break;
	}
	answer = memo->answers[index];
	while (length) {
		index = sifter->way[--length];
		answer = answer_of(sifter, node, stack_at(sifter, index)->frame, answer);
		memo->answers[index] = answer;
	}
	return answer == 2;
}

/* ---- Other names ---- */

static const struct pk_thread *thread_of(struct sifter *sifter)
{
	const uint16_t at = sifter->event->layout.tid;
	const struct perf_task *task;

	if (!at)
		return pk_session_thread(sifter->session, UINT32_MAX, UINT32_MAX);
	task = pk_record_task(sifter->record, at);
	return pk_session_thread(sifter->session, task->pid, task->tid);
}

static const struct pk_image *image_of(struct sifter *sifter)
{
	const struct pk_thread *thread = thread_of(sifter);
	uint16_t at = sifter->event->layout.ip;

	if (!thread || !at)
		return NULL;
	return pk_session_locate(sifter->session, thread, pk_load_u64(sifter->record->data + at),
				 sifter->record->misc & PERF_RECORD_MISC_CPUMODE_MASK)
		.image;
}

const char *sifter_mode(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL: return "kernel";
	case PERF_RECORD_MISC_USER: return "user";
	case PERF_RECORD_MISC_HYPERVISOR: return "hypervisor";
	case PERF_RECORD_MISC_GUEST_KERNEL: return "guest_kernel";
	case PERF_RECORD_MISC_GUEST_USER: return "guest_user";
	default: return "unknown";
	}
}

static const char *plain_text(struct sifter *sifter, enum where_field field)
{
	const struct pk_sample *sample;
	const struct pk_thread *thread;
	const struct pk_image *image;
	const char *host;

	switch (field) {
	case WHERE_EVENT: return sifter->event->name;
	case WHERE_MODE: return sifter_mode(sifter->record->misc);
	case WHERE_COMM:
		thread = thread_of(sifter);
		return thread ? pk_session_comm(sifter->session, thread->comm) : NULL;
	case WHERE_DSO: image = image_of(sifter); return image ? image->path : NULL;
	case WHERE_HOST:
		host = pk_session_machine(sifter->session)->host;
		return *host ? host : NULL;
	case WHERE_CGROUP:
		sample = sifter_sample(sifter);
		if (!sample || !(sifter->event->attr.sample_type & PERF_SAMPLE_CGROUP))
			return NULL;
		return pk_session_cgroup(sifter->session, sample->cgroup);
	default: return NULL;
	}
}

/* By which number an answer is kept; UINT32_MAX: it is not. */
static uint32_t number_of(struct sifter *sifter, enum where_field field)
{
	const struct pk_thread *thread;
	const struct pk_image *image;

	switch (field) {
	case WHERE_EVENT: return sifter->event->index;
	case WHERE_MODE: return sifter->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	case WHERE_COMM: thread = thread_of(sifter); return thread ? thread->comm : UINT32_MAX;
	case WHERE_DSO: image = image_of(sifter); return image ? image->index : UINT32_MAX;
	default: return UINT32_MAX;
	}
}

static bool ask_plain(struct sifter *sifter, const struct where *node)
{
	enum where_field field = node->left->field;
	uint32_t number = number_of(sifter, field);
	struct sift_memo *memo = &sifter->memos[2 * node->memo];
	const char *text;
	bool fits;

	if (number != UINT32_MAX && number < memo->count && memo->answers[number])
		return memo->answers[number] == 2;
	text = plain_text(sifter, field);
	fits = text && (field == WHERE_DSO ? fits_path(node, text) : sifter_fits(node, text));
	if (number == UINT32_MAX || !memo_reserve(memo, (size_t)number + 1))
		return fits;
	memo->answers[number] = fits ? 2 : 1;
	return fits;
}

/* ---- Fields of tracepoints ---- */

static bool own_text(struct sifter *sifter, const struct where *node, struct pk_bytes *text)
{
	const struct binding *binding = sifter->binding ? &sifter->binding[node->own] : NULL;
	const struct pk_sample *sample;

	if (!binding || !binding->field)
		return false;
	sample = sifter_sample(sifter);
	return sample &&
	       pk_tracepoint_bytes(binding->tracepoint, binding->field, &sample->raw, text);
}

bool sifter_text(struct sifter *sifter, const struct where *node, struct pk_bytes *text)
{
	const struct pk_frame *frame;
	const struct pk_dso *dso;
	const char *plain = NULL;

	if (node->op == WHERE_STRING) {
		*text = (struct pk_bytes){(const uint8_t *)node->text, strlen(node->text)};
		return true;
	}
	if (node->field == WHERE_OWN)
		return own_text(sifter, node, text);
	if (sifter->symbolized && sifter->stack != UINT32_MAX &&
	    (node->field == WHERE_SYMBOL || node->field == WHERE_DSO)) {
		frame = pk_dictionary_get_frame(sifter->dictionary,
						stack_at(sifter, sifter->stack)->frame);
		dso = frame ? pk_dictionary_get_dso(sifter->dictionary, frame->dso) : NULL;
		if (node->field == WHERE_SYMBOL && frame)
			plain = string_of(sifter, frame->function);
		else if (dso)
			plain = string_of(sifter, dso->path);
	} else {
		plain = plain_text(sifter, node->field);
	}
	if (plain)
		*text = (struct pk_bytes){(const uint8_t *)plain, strlen(plain)};
	return plain != NULL;
}

static bool ask_own(struct sifter *sifter, const struct where *node)
{
	struct pk_bytes bytes;
	char text[1024];

	if (!own_text(sifter, node->left, &bytes))
		return false;
	if (bytes.size >= sizeof(text))
		bytes.size = sizeof(text) - 1;
	memcpy(text, bytes.data, bytes.size);
	text[bytes.size] = '\0';
	return sifter_fits(node, text);
}

bool sifter_match(struct sifter *sifter, const struct where *node)
{
	switch (node->left->field) {
	case WHERE_OWN: return ask_own(sifter, node);
	case WHERE_COMM:
	case WHERE_DSO:
	case WHERE_SYMBOL:
	case WHERE_STACK:
		if (sifter->symbolized)
			return ask_stack(sifter, node);
		return ask_plain(sifter, node);
	default: return ask_plain(sifter, node);
	}
}
