/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKPRIVATE_H
#define PKPRIVATE_H

/* The part of libpkstream's interface that only pk's own libraries and programs use: fast paths of
 * filters, and writers of records that only one program writes. Not installed, and not exported by
 * the shared library. */

#include "pkstream.h"

/* ---- Reading: fast paths ---- */

/* Makes records valid for longer: the reader calls expire before it overwrites any record that it
 * has returned since the last call of expire. Until then, all these records stay valid. arg is that
 * of the reader's options. */
void pk_reader_on_expire(struct pk_reader *reader, void (*expire)(void *arg));
/* Lets the reader map a regular file instead of reading it, from now on: for programs that look at
 * a small part of each record. If the file becomes shorter meanwhile, an access can cause SIGBUS.
 */
void pk_reader_map(struct pk_reader *reader);
/* Whether the input ended before its first byte. */
bool pk_reader_is_empty(const struct pk_reader *reader);
/* The records that directly follow the last returned one, are already in memory, and that a stage
 * can copy without looking at them: SAMPLEs with a known event and all their fields, and the
 * definitions STRING, DSO, FRAME and STACK. The reader treats all of them as read. If there are
 * none, the next record must be read with pk_reader_next. */
struct pk_bunch {
	const uint8_t *data; /* the first record, in host byte order */
	size_t size;
	uint64_t records, samples;
};

void pk_reader_next_bunch(struct pk_reader *reader, struct pk_bunch *bunch);

/* Names an event of the current session, with a name from TRACING_DATA. Names from EVENT_UPDATE and
 * EVENT_DESC have precedence, and so has the name of an earlier call. */
PK_MUST_CHECK enum pk_status pk_reader_name_event(struct pk_reader *reader,
						  const struct pk_event *event, const char *name);

/* Whether records in memory have the same bytes as in the input, except those from COMPRESSED
 * records. Returns false if the byte order was swapped, if the input is compressed, or if it is a
 * perf.data file or directory. */
bool pk_reader_verbatim(const struct pk_reader *reader);

/* The offset in the input of the first TRUNCATED or error, or 0 if no call failed. */
uint64_t pk_reader_failed_at(const struct pk_reader *reader);

/* The number of records of unknown layout whose content was not swapped to host byte order. */
uint64_t pk_reader_unswapped_records(const struct pk_reader *reader);

/* ---- Layouts ----------------------------------------------------------------------------------
 */

/* clang-format off */
/*
 * The content of records, definitions and features after their headers: a letter for each field.
 *
 *     1 2 4 8  unsigned number of so many bytes, printed in decimal
 *     a b c d  unsigned number of 1, 2, 4, 8 bytes, printed in hexadecimal
 *     i j      signed number of 4, 8 bytes
 *     n m      u32, u64 that is not printed
 *     s        text with a NUL, padded to a multiple of 8 bytes from the start of the record
 *     t        u32 size, then text of that size
 *     x        build-id, in PK_BUILD_ID_MAX bytes; the number before it is its size
 *     y z      8 bytes; 16 bytes of text
 *     .        a byte without meaning
 *     |        the fields after this are not printed one by one
 *     ?        the fields after this can be missing
 *     * /      u64, u32 numbers to the end
 *     -        bytes to the end
 *     ( )      a group, repeated as often as the number before it tells
 *     { }      a group, repeated to the end
 *
 * `fields` has their names, separated by blanks. There is none for . | ? n m * / and -. The name of
 * a group precedes the names of its fields. "." names the only field of a group, which has no name
 * of its own.
 */
/* clang-format on */
struct pk_record_layout {
	uint16_t size_min; /* least size of a record with its header; 0 for definitions
			    * and features */
	const char *name, *letters, *fields;
};

/* The layout of a record type, or NULL if the type is unknown. misc selects the MMAP2 with a
 * build-id. */
const struct pk_record_layout *pk_record_layout(uint32_t type, uint16_t misc);
/* The same for a record: also recognizes the MMAP2 of RHEL 7 (pk_mmap2_lacks_prot). */
const struct pk_record_layout *pk_layout_of_record(const struct pk_record *record);
/* The layout of a definition (enum pk_definition) after its struct pk_definition_head. Returns NULL
 * if it is unknown. */
const struct pk_record_layout *pk_definition_layout(unsigned int kind);
/* The layout of a feature's content (enum perf_feature). Returns NULL if it is unknown. */
const struct pk_record_layout *pk_feature_layout(uint64_t feature);
/* True if perf 6.1 stops reading with an error at this HEADER_FEATURE, because its id is too large.
 * An empty HEADER_FEATURE, which marks the end of features, may have an id larger by one
 * (SPEC 6.1, 9.13). */
bool pk_feature_is_new(const struct pk_record *record);
/* The number of bytes of the field that a letter stands for, or 0 if the size varies or the letter
 * is no field. */
size_t pk_letter_size(char letter);

/* How a record of the kernel ends. The unit is 1 for a text, which starts at size_min - 1. A larger
 * one is the size of an element of a list, whose u64 number precedes size_min. It is 0 if there is
 * neither. */
unsigned int pk_record_unit(uint32_t type);

/* The event that an EVENT_UPDATE with this id changes (SPEC 4.3), or NULL if there is none. */
const struct pk_event *pk_events_updated(const struct pk_events *events, uint64_t id);

/* As pk_dictionary_frames(), for the other kinds. */
struct pk_id_range pk_dictionary_strings(const struct pk_dictionary *dictionary);
struct pk_id_range pk_dictionary_dsos(const struct pk_dictionary *dictionary);
/* pk_dictionary_stack() for a path: frames, the innermost first, below the stack `parent`. Replaces
 * each frame by its stack. New stacks are defined by one record. PK_NOMEM: out of memory or ids. */
PK_MUST_CHECK enum pk_status pk_dictionary_path(struct pk_dictionary *dictionary, uint32_t parent,
						uint32_t *frames, size_t count);

/* ---- Reading in order: fast paths ---- */

/* Lookahead for prefetching: the record that the nth next call of pk_order_next will return (1 is
 * the next one), and its event. Returns NULL if it is not known yet. For n up to 12, pk_order_next
 * has already prefetched the first 256 bytes of most records, but not of the first and the last of
 * those that were released together. */
const uint8_t *pk_order_ahead(const struct pk_order *order, size_t n,
			      const struct pk_event **event);
/* While through is set, pk_order_next returns every record when it is read, also FINISHED_ROUND,
 * with event NULL and time PK_NO_TIME, and the caller may use pk_reader_next_bunch. Change it only
 * if no record waits to be sorted: when PK_RECORD_BEGIN is the current record, or if
 * pk_order_sorted() is true. */
void pk_order_through(struct pk_order *order, bool through);
/* True if the last ORDER record of a known kind declares that the records after it are in order: no
 * record waits to be sorted. */
bool pk_order_sorted(const struct pk_order *order);
/* For a filter that writes the stream in the order of its input, but evaluates it in time order:
 * tee is called with every record in the order of reading (also FINISHED_ROUND, not SAMPLEs of
 * unknown events), and may read its payload. If a record (a FINISHED_ROUND, for example) releases
 * queued records, pk_order_next returns these before tee is called with it. So the filter's
 * additions for the released records precede the record that makes the next reader release them. */
typedef void (*pk_tee_fn)(void *arg, const struct pk_record *record);
void pk_order_tee(struct pk_order *order, pk_tee_fn tee, void *arg);

/* ---- Samples ---- */

/* sample_type of the stream's attr. */
static inline uint64_t pk_event_recorded_type(const struct pk_event *event)
{
	return event->recorded_type ? event->recorded_type : event->attr.sample_type;
}
/* The attr as it is in the stream. */
static inline struct perf_attr pk_event_recorded_attr(const struct pk_event *event)
{
	struct perf_attr attr = event->attr;

	attr.sample_type = pk_event_recorded_type(event);
	return attr;
}
/* The fields that a SAMPLE of the event starts with, up to unknown ones. */
static inline uint64_t pk_event_decoded_type(const struct pk_event *event)
{
	return event->off_cpu ? event->recorded_type : event->attr.sample_type;
}
/* The ip of a SAMPLE of at least layout.fixed_size bytes, wherever it is, or 0 if it has none. */
uint64_t pk_off_cpu_ip(const struct pk_event *event, const struct pk_record *record);
static inline uint64_t pk_sample_ip(const struct pk_event *event, const struct pk_record *record)
{
	if (event->layout.ip)
		return pk_load_u64(record->data + event->layout.ip);
	return event->off_cpu ? pk_off_cpu_ip(event, record) : 0;
}
/* Returns the status of pk_sample_decode(). */
PK_MUST_CHECK enum pk_status pk_sample_check(const struct pk_event *event,
					     const struct pk_record *record);

/* Offsets and sizes in bytes of the fields of a SAMPLE, in their order in the record. */
struct pk_sample_places {
	unsigned int count;
	uint16_t end; /* end of the last field; trailers follow */
	struct {
		uint64_t bit; /* PERF_SAMPLE_* */
		uint16_t at, size;
	} fields[32];
};

/* Returns the statuses of pk_sample_decode. */
PK_MUST_CHECK enum pk_status pk_sample_places(const struct pk_event *event,
					      const struct pk_record *record,
					      struct pk_sample_places *places);

/* ---- Writing ---- */

/* Store numbers in host byte order, and return the place after them. */
static inline uint8_t *pk_put_u64(uint8_t *at, uint64_t value)
{
	pk_store_u64(at, value);
	return at + sizeof(value);
}

static inline uint8_t *pk_put_two_u32(uint8_t *at, uint32_t first, uint32_t second)
{
	pk_store_u32(at, first);
	pk_store_u32(at + sizeof(first), second);
	return at + 2 * sizeof(first);
}

/* Flushes, and makes the writer return status, with this text as its error, from now on. */
enum pk_status pk_writer_fail(struct pk_writer *writer, enum pk_status status, const char *text);
/* Sets the function that writes lent bytes, in runs of 64 KiB or more. It writes all bytes, or
 * returns false with errno set. arg is that of the writer's options. Without it, or for shorter
 * runs, lent bytes are written like others. */
void pk_writer_on_lent(struct pk_writer *writer,
		       enum pk_status (*write_lent)(void *arg, const void *data, size_t size));
/* Like pk_writer_bytes(), but the writer does not copy or write the bytes yet: adjacent ranges are
 * collected and written in one call. The caller must call pk_writer_settle(), which writes them,
 * before it changes the bytes. Other calls that append or flush do this, too. */
enum pk_status pk_writer_lend(struct pk_writer *writer, const void *data, size_t size,
			      uint64_t records, uint64_t samples);
enum pk_status pk_writer_settle(struct pk_writer *writer);

/* Like pk_writer_append. The bytes after the header are zero. */
void *pk_writer_zeroed(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t size);
/* The same for a record with a text. The text starts at offset `at` of the record and is padded
 * with NULs to a multiple of 8 bytes. `trailer` zero bytes follow. Returns NULL after an error, or
 * if the text is too long. The latter is not a sticky error. */
void *pk_writer_with_text(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t at,
			  const char *text, size_t trailer);
/* Appends a copy of the record with `more` additional bytes at its end, which the caller fills.
 * Returns the start of the copy, or NULL after an error. */
uint8_t *pk_writer_extend(struct pk_writer *writer, const struct pk_record *record, size_t more);

/* The number of records, and of SAMPLEs among them, since pk_writer_header(). */
uint64_t pk_writer_records(const struct pk_writer *writer);
uint64_t pk_writer_samples(const struct pk_writer *writer);
/* The number of bytes appended in all sessions, written or still buffered. */
uint64_t pk_writer_size(const struct pk_writer *writer);

/* Creates a file without a name in $TMPDIR, or in /tmp if TMPDIR is not set or empty. The system
 * removes it when it is closed. Returns -1 with errno. */
int pk_temporary_open(void);

/* ---- Compression into one zstd frame ---- */

struct pk_compressor;

/* write is like write(2), but must write all bytes or return -1. NULL: out of memory. */
struct pk_compressor *
pk_compressor_new(int level, ssize_t (*write)(void *arg, const void *buf, size_t size), void *arg);
void pk_compressor_free(struct pk_compressor *compressor);
/* Returns PK_IO if write failed, and PK_NOMEM if zstd failed. */
PK_MUST_CHECK enum pk_status pk_compressor_write(struct pk_compressor *compressor, const void *data,
						 size_t size);
/* Writes all data that zstd has buffered, so that a reader can decompress everything so far. */
PK_MUST_CHECK enum pk_status pk_compressor_flush(struct pk_compressor *compressor);
/* Ends the frame, and writes the rest of it. */
PK_MUST_CHECK enum pk_status pk_compressor_end(struct pk_compressor *compressor);

/* ---- Names for other machines (SPEC 9.11) ---- */

/* Limit for the bytes of one text. Longer names of symbols are cut. Images and source entries with
 * longer texts are not written. */
#define PK_OFFSITE_TEXT_MAX 32000

/* IMAGE is an object with symbols, to which SYMBOLS and SOURCE refer by id. Ids count from 1 on, as
 * in other definitions. */
struct pk_image_info {
	uint32_t id;
	uint32_t kind;		/* enum pk_dso_kind */
	uint32_t pid;		/* for JIT: the process whose code it is; else 0 */
	uint32_t build_id_size; /* 0 unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	const char *path; /* when reading: points into the record */
};

/* A symbol. start is the same kind of address as in struct pk_frame, size is in bytes. name is not
 * NUL-terminated. */
struct pk_symbol_info {
	uint64_t start, size;
	uint32_t flags; /* reserved, 0 */
	const char *name;
	size_t name_size;
};

#define PK_SOURCE_INLINED 1u /* inlined into the function of the next entry */

/* One of the functions at an address. The entries are the inlined functions, innermost first, then
 * the function itself. Texts are not NUL-terminated. A size of 0 means that the text is unknown. */
struct pk_source_info {
	const char *function, *file;
	size_t function_size, file_size;
	uint32_t line, column, flags; /* PK_SOURCE_* */
};

/* The entries of a SYMBOLS or SOURCE record. */
struct pk_offsite_list {
	uint32_t image;	  /* id of an IMAGE */
	uint32_t left;	  /* number of entries that remain */
	uint64_t address; /* of a SOURCE record; 0 for SYMBOLS */
	const uint8_t *at, *end;
};

/* Decode an IMAGE record, and the head of a SYMBOLS or SOURCE record. Returns PK_CORRUPT if the
 * record is too short, the path has no NUL, or the build-id is longer than PK_BUILD_ID_MAX. */
PK_MUST_CHECK enum pk_status pk_image_info_decode(const struct pk_record *record,
						  struct pk_image_info *info);
PK_MUST_CHECK enum pk_status pk_offsite_entries(const struct pk_record *record,
						struct pk_offsite_list *list);
/* Return the next entry of a SYMBOLS or SOURCE record. They return PK_END if the list has no more
 * entries, and PK_CORRUPT if the record ends within the entry. */
PK_MUST_CHECK enum pk_status pk_symbol_info_next(struct pk_offsite_list *list,
						 struct pk_symbol_info *info);
PK_MUST_CHECK enum pk_status pk_source_info_next(struct pk_offsite_list *list,
						 struct pk_source_info *info);

/* A SYMBOLS or SOURCE record that is being built. */
struct pk_offsite {
	uint32_t image, count, size;
	uint8_t data[PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_source)];
};

/* Returns PK_UNSUPPORTED, which is no sticky error, if the path is longer than
 * PK_OFFSITE_TEXT_MAX. */
enum pk_status pk_image_info_write(struct pk_writer *writer, const struct pk_image_info *info);
void pk_offsite_start(struct pk_offsite *offsite, uint32_t image);
/* Adds an entry. If the record has no room for it, writes the record and starts the next one. */
enum pk_status pk_symbol_info_add(struct pk_offsite *offsite, struct pk_writer *writer,
				  const struct pk_symbol_info *info);
/* Writes the record if it has entries, and starts the next one for the same image. */
enum pk_status pk_symbol_info_write(struct pk_offsite *offsite, struct pk_writer *writer);
/* Returns false if the record has no room, or a text is longer than PK_OFFSITE_TEXT_MAX. */
bool pk_source_info_add(struct pk_offsite *offsite, const struct pk_source_info *info);
enum pk_status pk_source_info_write(struct pk_offsite *offsite, struct pk_writer *writer,
				    uint64_t address);
/* Writes FORGET: all IMAGE, SYMBOLS and SOURCE before it become invalid. Ids of images continue. */
enum pk_status pk_forget_write(struct pk_writer *writer);

/* perf's name of a register: number is its bit in sample_regs_user or sample_regs_intr, e_machine
 * is ELF's EM_*. Returns NULL if it is unknown. */
const char *pk_register_name(uint32_t e_machine, unsigned int number);

/* ---- Arguments of probes (SPEC 9.14) ---- */

#define PK_ARGUMENTS_MAX 1024 /* of one event */

/* Writes ARGUMENTS for the event that has the id. */
enum pk_status pk_arguments_write(struct pk_writer *writer, uint64_t id,
				  const struct pk_arguments *arguments);
/* The registers that samples need for the arguments, as bits of sample_regs_user. */
uint64_t pk_arguments_registers(const struct pk_arguments *arguments);

/* ---- Labels (SPEC 9.16) ---- */

/* Whether this can be the name of a label: a letter or '_', then letters, digits and '_', at most
 * PK_LABEL_NAME_MAX bytes. */
bool pk_label_name_is_valid(const char *name);
/* Writes a LABEL. Its name must be valid, and its value have at most PK_LABEL_VALUE_MAX bytes. */
enum pk_status pk_label_write(struct pk_writer *writer, const struct pk_label *label);

/* ---- Stages ---- */

/* For a stage that writes own records before pk_stage_record() has written SESSION, STAGE and
 * ORDER. Writes these, unless they have been written. Returns false if no HEADER_ATTR was read yet.
 * Then nothing may be written. */
bool pk_stage_open(struct pk_stage *stage, bool swapped);

/* For a filter that chooses its options after it has read the events of a session. Sets order and
 * trailers. If STAGE has been written, ORDER is written at once. Returns false if SESSION has been
 * written. Then the trailers that it declares stay. */
bool pk_stage_change(struct pk_stage *stage, uint32_t order, uint32_t trailers);

/* Calls opening(arg) in each session before SESSION is written: the stage can write more
 * HEADER_ATTR records then. */
void pk_stage_on_open(struct pk_stage *stage, void (*opening)(void *arg), void *arg);

/* For a stage that ignores the rest of the session: pk_stage_end() writes END even if the input's
 * END was not read. */
void pk_stage_enough(struct pk_stage *stage);

/* Approximate memory of the dictionary in bytes. */
size_t pk_dictionary_memory(const struct pk_dictionary *dictionary);

#endif
