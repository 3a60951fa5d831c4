// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "second.h"
#include "second_load.h"
#include "vector.h"

/* clang-format off */
#define FUNCTIONS(use) \
	use(tep_alloc) use(tep_find_event) use(tep_free) use(tep_parse_event) \
	use(tep_print_event) use(tep_set_file_bigendian) use(tep_set_function_resolver) \
	use(tep_set_local_bigendian) use(tep_set_loglevel) use(tep_set_long_size) \
	use(trace_seq_destroy) use(trace_seq_init) use(trace_seq_reset) use(trace_seq_terminate)
/* clang-format on */

static struct {
#define POINTER(name) typeof(name) *name;
	FUNCTIONS(POINTER)
} libtraceevent;

/* The library reads beyond the end of short samples. So this number of zero bytes follows the copy
 * of a sample. */
#define ZEROS 4096

/* The state of libtraceevent. */
struct printer {
	struct tep_handle *tep; /* has the formats that were needed so far */
	struct trace_seq text;
	uint8_t *raw; /* a copy of the sample */
	size_t capacity;
	const struct pk_tracepoint_origin *origin;
};

static void close_printer(void *state)
{
	struct printer *printer = state;

	if (printer->tep) {
		libtraceevent.trace_seq_destroy(&printer->text);
		libtraceevent.tep_free(printer->tep);
	}
	free(printer->raw);
	free(printer);
}

static void *open_printer(void)
{
	struct printer *printer = calloc(1, sizeof(*printer));

	if (!printer)
		return NULL;
	printer->tep = libtraceevent.tep_alloc();
	if (printer->tep) {
		libtraceevent.trace_seq_init(&printer->text);
		libtraceevent.tep_set_loglevel(TEP_LOG_NONE);
		return printer;
	}
	close_printer(printer);
	return NULL;
}

static char *find_symbol(void *arg, unsigned long long *address, char **module)
{
	const struct pk_tracepoint_origin *origin = ((struct printer *)arg)->origin;
	uint64_t start = *address;
	const char *name =
		origin->symbol ? origin->symbol(origin->symbol_arg, *address, &start) : NULL;

	*module = NULL;
	*address = start;
	return (char *)(uintptr_t)name;
}

static struct tep_event *find_event(struct printer *printer,
				    const struct pk_tracepoint_origin *origin)
{
	struct tep_handle *tep = printer->tep;
	struct tep_event *event = libtraceevent.tep_find_event(tep, (int)origin->id);

	if (event)
		return event;
	libtraceevent.tep_set_file_bigendian(tep, origin->big_endian ? TEP_BIG_ENDIAN
								     : TEP_LITTLE_ENDIAN);
	libtraceevent.tep_set_local_bigendian(tep, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
							   ? TEP_LITTLE_ENDIAN
							   : TEP_BIG_ENDIAN);
	libtraceevent.tep_set_long_size(tep, origin->long_size);
	libtraceevent.tep_set_function_resolver(tep, find_symbol, printer);
	libtraceevent.tep_parse_event(tep, (const char *)origin->format.data, origin->format.size,
				      origin->system);
	return libtraceevent.tep_find_event(tep, (int)origin->id);
}

static const char *print_text(void *state, const struct pk_tracepoint_origin *origin,
			      const struct pk_bytes *raw, size_t *size)
{
	struct printer *printer = state;
	struct tep_record record = {.size = (int)raw->size};

	printer->origin = origin;
	if (!find_event(printer, origin) ||
	    pk_reserve(&printer->raw, &printer->capacity, 0, raw->size + ZEROS, 1) != PK_OK)
		return NULL;
	memcpy(printer->raw, raw->data, raw->size);
	memset(printer->raw + raw->size, 0, ZEROS);
	record.data = printer->raw;
	libtraceevent.trace_seq_reset(&printer->text);
	libtraceevent.tep_print_event(printer->tep, &printer->text, &record, "%s", TEP_PRINT_INFO);
	libtraceevent.trace_seq_terminate(&printer->text);
	*size = strlen(printer->text.buffer);
	return printer->text.buffer;
}

enum pk_status pk_second_libtraceevent(struct pk_second *second, struct pk_messages *messages)
{
	static const struct pk_tracepoint_printer printer = {open_printer, print_text,
							     close_printer};
#define WANTED(name) {#name, &libtraceevent.name},
	static const struct pk_wanted wanted[] = {FUNCTIONS(WANTED)};

	PK_TRY(pk_second_load("libtraceevent.so.1", "libtraceevent1", wanted,
			      sizeof(wanted) / sizeof(*wanted), messages));
	second->printer = &printer;
	return PK_OK;
}
