// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>

#include "cli.h"
#include "dump.h"

static const char *const cpumodes[8] = {NULL,	      "kernel",	      "user",
					"hypervisor", "guest-kernel", "guest-user"};

static void print_head(const struct pk_record *record)
{
	unsigned int mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	printf("%" PRIu64 " %s type=%" PRIu32 " misc=0x%x", record->offset,
	       dump_type_name(record->type), record->type, record->misc);
	if (mode < COUNT(cpumodes) && cpumodes[mode])
		printf(" (%s)", cpumodes[mode]);
	printf(" size=%u\n", record->size);
}

enum { HEX_BYTES = 16 }; /* per line */

/* Prints lines in the format of perf script -D: ". 0010: 50 4b ... PK...". */
static void print_hex(uint64_t offset, const uint8_t *data, size_t size)
{
	char hex[3 * HEX_BYTES + 1], text[HEX_BYTES + 1];

	for (size_t at = 0; at < size; at += HEX_BYTES) {
		const size_t count = size - at < HEX_BYTES ? size - at : HEX_BYTES;

		for (size_t i = 0; i < count; i++) {
			const uint8_t byte = data[at + i];

			snprintf(hex + 3 * i, 4, " %02x", byte);
			text[i] = byte >= ' ' && byte < 0x7f ? (char)byte : '.';
		}
		text[count] = '\0';
		printf(".  %04" PRIx64 ": %-*s  %s\n", offset + at, 3 * HEX_BYTES, hex, text);
	}
}

/* Finds and prints the event of a kernel record. Excludes the trailer from the bytes of the body.
 */
static void find_event(struct dump *dump)
{
	const struct pk_record *record = dump->record;
	size_t trailer;

	dump->event = NULL;
	if (!dump_is_kernel_type(record->type))
		return;
	dump->event = pk_reader_event_of(dump->reader, record);
	if (!dump->event)
		return;
	printf("  event=%u (", dump->event->index);
	for (const char *p = dump->event->name; *p; p++)
		putchar(*p < ' ' || *p == 0x7f ? '?' : *p);
	puts(")");
	if (record->type == PERF_RECORD_SAMPLE)
		return;
	trailer = dump->event->layout.trailer.size;
	if (trailer > record->size - sizeof(struct perf_header)) {
		dump_complain(dump, "too short for its trailer");
		dump->event = NULL;
	} else {
		dump->end -= trailer;
	}
}

void dump_record(struct dump *dump, const struct pk_record *record)
{
	size_t trailer = record->event ? record->event->layout.trailer.size : 0;

	dump->record = record;
	dump->complained = false;
	dump->event = record->event;
	dump->at = record->data + sizeof(struct perf_header);
	dump->end = record->data + record->size;
	if (trailer > record->size - sizeof(struct perf_header)) {
		dump_complain(dump, "too short for its trailer");
		dump->event = NULL;
	} else {
		dump->end -= trailer;
	}
	dump_body(dump);
	if (dump->event)
		dump_trailer(dump);
}

static void dump_payload(struct dump *dump)
{
	uint64_t total = 0, size_said = dump->record->payload_size;
	uint8_t first[64];
	size_t size, kept = 0;
	const uint8_t *data;

	while (pk_reader_payload(dump->reader, &data, &size) == PK_OK && size) {
		if (dump->hex)
			print_hex(dump->record->size + total, data, size);
		for (size_t i = 0; i < size && kept < sizeof(first); i++)
			first[kept++] = data[i];
		total += size;
	}
	printf("  payload=%" PRIu64 ":", total);
	for (size_t i = 0; i < kept; i++)
		printf("%02x", first[i]);
	printf("%s%s\n", total > kept ? "..." : "", total < size_said ? " (cut)" : "");
}

static void start_session(struct dump *dump)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != pk_reader_swapped(dump->reader);

	printf("%" PRIu64 " BEGIN byte_order=%s\n", dump->record->offset, big ? "big" : "little");
	pk_dictionary_clear(dump->dictionary);
	dump->session = (struct pk_session_info){0};
	dump->images = 0;
	dump->cpus = 0;
	dump->s390 = false;
}

static void dump_one(struct dump *dump, const struct pk_record *record)
{
	dump->record = record;
	dump->complained = false;
	if (record->type == PK_RECORD_BEGIN) {
		start_session(dump);
		return;
	}
	print_head(record);
	if (dump->hex)
		print_hex(0, record->data, record->size);
	dump->at = record->data + sizeof(struct perf_header);
	dump->end = record->data + record->size;
	find_event(dump);
	dump_body(dump);
	if (dump->event && record->type != PERF_RECORD_SAMPLE)
		dump_trailer(dump);
	if (record->payload_size)
		dump_payload(dump);
}

static void warn(void *arg, const struct pk_warning *warning)
{
	const struct dump *dump = arg;

	printf("%" PRIu64 " %s warning: %s\n", warning->offset, dump_type_name(warning->type),
	       warning->text);
	pk_error("%s: offset %" PRIu64 ": %s: %s", dump->path, warning->offset,
		 dump_type_name(warning->type), warning->text);
}

static int dump_all(struct dump *dump)
{
	struct pk_record record;
	enum pk_status status;

	while (!(status = pk_reader_next(dump->reader, &record)))
		dump_one(dump, &record);
	if (status != PK_END)
		pk_error("%s: %s", dump->path, pk_reader_error(dump->reader));
	return status == PK_END && !dump->malformed && !pk_reader_bad_records(dump->reader)
		       ? PK_EXIT_OK
		       : PK_EXIT_FAILED;
}

int dump_input(int fd, const char *path, bool hex)
{
	struct dump dump = {.path = path, .hex = hex};
	struct pk_reader_options options = {.fd = fd, .warn = warn, .arg = &dump};
	int status = PK_EXIT_FAILED;

	dump.dictionary = pk_dictionary_new(NULL);
	if (!dump.dictionary || pk_reader_new(&options, &dump.reader) != PK_OK)
		pk_error("%s: %s", path, pk_status_text(PK_NOMEM));
	else
		status = dump_all(&dump);
	pk_reader_free(dump.reader);
	pk_dictionary_free(dump.dictionary);
	return status;
}
