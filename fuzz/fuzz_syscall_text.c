/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/trace/syscall_text.c */
/* Tests the texts of system calls. The input has an ABI in one byte, the size of a sample's raw
 * bytes in two bytes, the raw bytes, and a payload of TRACING_DATA. The sample is read with every
 * format of a system call in the payload. If a text is stored for later samples, it must be the
 * same as the text of a first sample. */
#include <stdlib.h>
#include <string.h>

#include "check_that.h"
#include "syscall_text.h"
#include "tracepoint_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD	    3u
#define FORMATS_MAX 16u

struct texts {
	struct buffer name, arguments, result;
};

static void free_texts(struct texts *texts)
{
	free(texts->name.data);
	free(texts->arguments.data);
	free(texts->result.data);
}

static void make_texts(struct texts *texts, const struct pk_call_sample *sample)
{
	struct pk_bytes arguments;

	*texts = (struct texts){0};
	pk_call_name(&texts->name, sample);
	pk_call_arguments(&texts->arguments, sample);
	check_that(!texts->name.failed && !texts->arguments.failed);
	buffer_char(&texts->name, '\0');
	arguments =
		(struct pk_bytes){(const uint8_t *)texts->arguments.data, texts->arguments.size};
	pk_call_result(&texts->result, texts->name.data, &arguments, sample->abi,
		       sample->raw->size ? (int64_t)sample->raw->data[0] - 128 : 0);
}

static void check_same(const struct buffer *a, const struct buffer *b)
{
	check_that(a->size == b->size && (!a->size || !memcmp(a->data, b->data, a->size)));
}

/* Formats a sample twice: with the data that earlier samples left in `calls`, and without them. */
static void try_sample(const struct pk_call_sample *sample)
{
	struct pk_calls calls = {0};
	const struct pk_call *known = NULL;
	struct pk_call_sample alone = *sample, again = *sample;
	struct texts first, second, third;

	alone.calls = &calls;
	again.known = &known;
	make_texts(&first, &alone);
	make_texts(&second, sample);
	make_texts(&third, &again);
	check_same(&first.name, &second.name);
	check_same(&first.name, &third.name);
	check_same(&first.arguments, &second.arguments);
	check_same(&first.arguments, &third.arguments);
	check_same(&first.result, &second.result);
	free_texts(&first);
	free_texts(&second);
	free_texts(&third);
	pk_calls_clear(&calls);
}

/* Uses a separate copy of the bytes, so that a sanitizer reports a read after their end. */
static void try_bytes(const struct pk_call_sample *call, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	const struct pk_bytes raw = {copy + 1, size};
	struct pk_call_sample sample = *call;

	if (!copy)
		return;
	memcpy(copy + 1, data, size);
	sample.raw = &raw;
	try_sample(&sample);
	try_sample(&sample);
	free(copy);
}

static void try_all(struct pk_tracepoints *all, enum pk_abi abi, const uint8_t *data, size_t size)
{
	struct pk_calls calls = {0};
	struct pk_call_sample sample = {.calls = &calls, .tracepoints = all, .abi = abi};

	for (size_t i = 0; i < all->count && i < FORMATS_MAX; i++) {
		sample.tracepoint = pk_tracepoints_find(all, all->list[i].id);
		if (!sample.tracepoint || !pk_call_is_start(sample.tracepoint))
			continue;
		try_bytes(&sample, data, size);
		try_bytes(&sample, data, size / 2);
	}
	pk_calls_clear(&calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_tracepoints *all = pk_tracepoints_new();
	size_t raw;

	if (all && size >= HEAD) {
		raw = (size_t)(data[1] | data[2] << 8);
		if (raw > size - HEAD)
			raw = size - HEAD;
		if (pk_tracepoints_load(all, data + HEAD + raw, size - HEAD - raw) != PK_NOMEM)
			try_all(all, (enum pk_abi)(data[0] % PK_ABIS), data + HEAD, raw);
	}
	pk_tracepoints_free(all);
	return 0;
}
