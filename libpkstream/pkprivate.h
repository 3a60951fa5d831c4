/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKPRIVATE_H
#define PKPRIVATE_H

/* The part of libpkstream's interface that only pk's own libraries and programs use. It has fast
 * paths for filters, and writers for records that only one program writes. This header is not
 * installed, and the shared library does not export its functions. */

#include "pkstream.h"

/* ---- Reading: fast paths ---- */

/* Makes records valid for longer. The reader calls expire(arg) before it overwrites a record that
 * it has returned since the last call of expire(). Until then, all records that it has returned
 * since that call stay valid. arg is the arg of the reader's options. */
void pk_reader_on_expire(struct pk_reader *reader, void (*expire)(void *arg));
/* From now on, the reader may map a regular file instead of reading it. This is for programs that
 * look at a small part of each record only. If the file becomes shorter meanwhile, an access can
 * cause SIGBUS. */
void pk_reader_map(struct pk_reader *reader);
/* Returns true if the input ended before its first byte. */
bool pk_reader_is_empty(const struct pk_reader *reader);
/* Records that a stage can copy without looking at them. They directly follow the record that was
 * returned last, and are already in memory. They are the definitions STRING, DSO, FRAME and STACK,
 * and SAMPLEs with a known event and all their fields. The reader regards all of them as read. If
 * there is no such record, the size is 0, and the next record must be read with pk_reader_next. */
struct pk_bunch {
	const uint8_t *data; /* the first record, in host byte order */
	size_t size;
	uint64_t records, samples;
};

void pk_reader_next_bunch(struct pk_reader *reader, struct pk_bunch *bunch);

/* Names an event of the current session. The name comes from TRACING_DATA. A name from EVENT_UPDATE
 * or EVENT_DESC, or from an earlier call, has precedence. */
PK_MUST_CHECK enum pk_status pk_reader_name_event(struct pk_reader *reader,
						  const struct pk_event *event, const char *name);

/* Adds an event to the current session, for samples that the program derives from the samples of
 * the input. No record of the input has this event. */
PK_MUST_CHECK enum pk_status pk_reader_derive_event(struct pk_reader *reader,
						    const struct perf_attr *attr, uint64_t id,
						    const char *name);

/* Returns true if records in memory have the same bytes as in the input. (Records from inside
 * COMPRESSED records are an exception.) Returns false if the reader swaps the byte order, or if the
 * input is compressed, a perf.data file or a directory. */
bool pk_reader_verbatim(const struct pk_reader *reader);

/* The offset in the input of the first PK_TRUNCATED or error, or 0 if no call has failed. */
uint64_t pk_reader_failed_at(const struct pk_reader *reader);

/* The number of records whose content was not swapped to host byte order because their layout is
 * unknown. */
uint64_t pk_reader_unswapped_records(const struct pk_reader *reader);

/* ---- Layouts ----------------------------------------------------------------------------------
 */

/* clang-format off */
/*
 * The fields of a record, definition or feature after its header. Each field is one letter.
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
 *     ( )      a group; the number before the group tells how often it is repeated
 *     { }      a group that is repeated to the end
 *
 * `fields` has the names of the fields, separated by blanks. . | ? n m * / and - have no name.
 *
 * The name of a group precedes the names of its fields.
 *
 * If a group has only one field, and this field has no name, its name in `fields` is ".".
 */
/* clang-format on */
struct pk_record_layout {
	uint16_t size_min; /* the least size of a record with its header, in bytes; 0 for
			    * definitions and features */
	const char *name, *letters, *fields;
};

/* Returns the layout of a record type, or NULL if the type is unknown. misc selects between an
 * MMAP2 with a build-id and one without. */
const struct pk_record_layout *pk_record_layout(uint32_t type, uint16_t misc);
/* Returns the layout of a record. Unlike pk_record_layout(), also recognizes the MMAP2 of RHEL 7
 * (pk_mmap2_lacks_prot). */
const struct pk_record_layout *pk_layout_of_record(const struct pk_record *record);
/* Returns the layout of a definition after its struct pk_definition_head. kind is a number of enum
 * pk_definition. Returns NULL if the kind is unknown. */
const struct pk_record_layout *pk_definition_layout(unsigned int kind);
/* Returns the layout of the content of a feature (enum perf_feature). Returns NULL if the layout is
 * unknown. */
const struct pk_record_layout *pk_feature_layout(uint64_t feature);
/* Returns true if the id of the HEADER_FEATURE is too large for perf 6.1, which stops reading with
 * an error at such a record. An empty HEADER_FEATURE, which marks the end of the features, may have
 * an id that is larger by one (SPEC 6.1, 9.13). */
bool pk_feature_is_new(const struct pk_record *record);
/* Returns the number of bytes of the field for which a letter stands. Returns 0 if the size varies,
 * or if the letter is not a field. */
size_t pk_letter_size(char letter);

/* Tells what is at the end of a kernel record. Returns 1 if there is a text, which starts at
 * size_min - 1. A larger result is the size in bytes of each element of a list. The number of
 * elements is the u64 before the offset size_min. Returns 0 if there is neither a text nor a list.
 */
unsigned int pk_record_unit(uint32_t type);

/* Returns the event that an EVENT_UPDATE with this id changes (SPEC 4.3), or NULL if there is no
 * such event. */
const struct pk_event *pk_events_updated(const struct pk_events *events, uint64_t id);

/* Like pk_dictionary_frames(), for strings and for DSOs. */
struct pk_id_range pk_dictionary_strings(const struct pk_dictionary *dictionary);
struct pk_id_range pk_dictionary_dsos(const struct pk_dictionary *dictionary);
/* Like pk_dictionary_stack(), for a whole call path. `frames` has the frames from the innermost to
 * the outermost. The last one becomes a child of the stack `parent`. Replaces each frame by the id
 * of its stack. The new stacks are defined by one record, or by several if they do not fit into
 * one. Returns PK_NOMEM if memory is exhausted or no id is left. */
PK_MUST_CHECK enum pk_status pk_dictionary_path(struct pk_dictionary *dictionary, uint32_t parent,
						uint32_t *frames, size_t count);

/* ---- Reading in order: fast paths ---- */

/* Returns a record that pk_order_next will return later, and sets *event to its event. The caller
 * can prefetch memory for this record. n counts the calls of pk_order_next: 1 is the next call.
 * Returns NULL if that record is not known yet. For n up to 12, pk_order_next has already
 * prefetched the first 256 bytes of most records. It does not do so for the first and the last of
 * the records that were released together. */
const uint8_t *pk_order_ahead(const struct pk_order *order, size_t n,
			      const struct pk_event **event);
/* If through is true, pk_order_next returns every record when it is read, with the event NULL and
 * the time PK_NO_TIME. In this mode, it also returns FINISHED_ROUND, and the caller may use
 * pk_reader_next_bunch. Call this function only if no record waits to be sorted: when
 * PK_RECORD_BEGIN is the current record, or if pk_order_sorted() is true. */
void pk_order_through(struct pk_order *order, bool through);
/* Returns true if an ORDER record has declared that the records after it are in order. Then no
 * record waits to be sorted. (The last ORDER record is the valid one. ORDER records of an unknown
 * kind are ignored.) */
bool pk_order_sorted(const struct pk_order *order);
/* For a filter that writes the stream in the order of its input, but evaluates it in time order.
 * tee is called with every record, in the order in which the records are read. It is also called
 * with FINISHED_ROUND, but not with SAMPLEs of unknown events. tee may read the payload of the
 * record. A record (a FINISHED_ROUND, for example) can release queued records. pk_order_next then
 * returns the queued records before tee is called with that record. So the filter can write
 * additions for the queued records before the record that makes the next reader release them. */
typedef void (*pk_tee_fn)(void *arg, const struct pk_record *record);
void pk_order_tee(struct pk_order *order, pk_tee_fn tee, void *arg);

/* ---- Samples ---- */

/* The sample_type of the attr in the stream. */
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
/* The fields at the start of a SAMPLE of the event. Unknown fields, and the fields after them, are
 * not included. */
static inline uint64_t pk_event_decoded_type(const struct pk_event *event)
{
	return event->off_cpu ? event->recorded_type : event->attr.sample_type;
}
/* pk_sample_ip() returns the ip of a SAMPLE, or 0 if the SAMPLE has no ip. The SAMPLE must have at
 * least layout.fixed_size bytes. pk_off_cpu_ip() does this for off-CPU samples, whose ip is in RAW.
 */
uint64_t pk_off_cpu_ip(const struct pk_event *event, const struct pk_record *record);
static inline uint64_t pk_sample_ip(const struct pk_event *event, const struct pk_record *record)
{
	if (event->layout.ip)
		return pk_load_u64(record->data + event->layout.ip);
	return event->off_cpu ? pk_off_cpu_ip(event, record) : 0;
}
/* Returns the status that pk_sample_decode() would return. */
PK_MUST_CHECK enum pk_status pk_sample_check(const struct pk_event *event,
					     const struct pk_record *record);

/* The offsets and sizes of the fields of a SAMPLE in bytes. The items have the order of the fields
 * in the record. */
struct pk_sample_places {
	unsigned int count;
	uint16_t end; /* end of the last field; trailers follow */
	struct {
		uint64_t bit; /* the field: one of the bits PERF_SAMPLE_* */
		uint16_t at, size;
	} fields[32];
};

/* Returns the status that pk_sample_decode() would return. */
PK_MUST_CHECK enum pk_status pk_sample_places(const struct pk_event *event,
					      const struct pk_record *record,
					      struct pk_sample_places *places);

/* ---- Writing ---- */

/* These functions store numbers in host byte order, and return the address after the numbers. */
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

/* Flushes the writer. From then on, the writer's functions return `status`, and the error text is
 * `text`. */
enum pk_status pk_writer_fail(struct pk_writer *writer, enum pk_status status, const char *text);
/* Sets the function that writes lent bytes, in pieces of at least 64 KiB. The function writes all
 * bytes, or returns another status than PK_OK and sets errno. Its arg is the arg of the writer's
 * options. Without such a function, and for shorter pieces, lent bytes are written like other
 * bytes. */
void pk_writer_on_lent(struct pk_writer *writer,
		       enum pk_status (*write_lent)(void *arg, const void *data, size_t size));
/* Like pk_writer_bytes(), but the writer does not copy or write the bytes yet. Adjacent ranges are
 * collected, and are written in one call. pk_writer_settle() writes the bytes. The caller must call
 * it before it changes the bytes. Other calls that append or flush also write them. */
enum pk_status pk_writer_lend(struct pk_writer *writer, const void *data, size_t size,
			      uint64_t records, uint64_t samples);
enum pk_status pk_writer_settle(struct pk_writer *writer);

/* Like pk_writer_append(), but sets the bytes after the header to 0. */
void *pk_writer_zeroed(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t size);
/* Like pk_writer_zeroed(), for a record with a text. The text starts at offset `at` of the record,
 * and is padded with NULs to a multiple of 8 bytes. `trailer` zero bytes follow the text. Returns
 * NULL after an error, or if the text is too long. In the latter case, the writer can still be
 * used. */
void *pk_writer_with_text(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t at,
			  const char *text, size_t trailer);
/* Appends a copy of the record with `more` additional bytes at its end. The caller fills the
 * additional bytes. Returns the start of the copy, or NULL after an error. */
uint8_t *pk_writer_extend(struct pk_writer *writer, const struct pk_record *record, size_t more);

/* The number of records since pk_writer_header(), and the number of SAMPLEs among these records. */
uint64_t pk_writer_records(const struct pk_writer *writer);
uint64_t pk_writer_samples(const struct pk_writer *writer);
/* The number of bytes that were appended in all sessions. Bytes that are still buffered are
 * included. */
uint64_t pk_writer_size(const struct pk_writer *writer);

/* Creates a file without a name in $TMPDIR. If TMPDIR is not set or empty, creates it in /tmp. The
 * system removes the file when it is closed. Returns -1 and sets errno on failure. */
int pk_temporary_open(void);

/* ---- Compression into one zstd frame ---- */

struct pk_compressor;

/* write is like write(2), but must write all bytes or return -1. Returns NULL if memory is
 * exhausted. */
struct pk_compressor *
pk_compressor_new(int level, ssize_t (*write)(void *arg, const void *buf, size_t size), void *arg);
void pk_compressor_free(struct pk_compressor *compressor);
/* Returns PK_IO if write failed, and PK_NOMEM if zstd failed. */
PK_MUST_CHECK enum pk_status pk_compressor_write(struct pk_compressor *compressor, const void *data,
						 size_t size);
/* Writes all data that zstd has buffered. A reader can then decompress all data that was written so
 * far. */
PK_MUST_CHECK enum pk_status pk_compressor_flush(struct pk_compressor *compressor);
/* Writes the rest of the frame, including its end. */
PK_MUST_CHECK enum pk_status pk_compressor_end(struct pk_compressor *compressor);

/* ---- Names for other machines (SPEC 9.11) ---- */

/* The largest size of one text in bytes. Longer names of symbols are cut. Images and source entries
 * with longer texts are not written. */
#define PK_OFFSITE_TEXT_MAX 32000

/* The content of an IMAGE record. An image is an object with symbols. SYMBOLS and SOURCE records
 * refer to it by its id. The ids start at 1, as in other definitions. */
struct pk_image_info {
	uint32_t id;
	uint32_t kind;		/* a number of enum pk_dso_kind */
	uint32_t pid;		/* for kind JIT, the process that has the code; otherwise 0 */
	uint32_t build_id_size; /* in bytes; 0 if the build-id is unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	const char *path; /* path of the object; a decoded path points into the record */
};

/* A symbol. `start` is the same kind of address as in struct pk_frame. `size` is in bytes. `name`
 * does not end with a NUL. */
struct pk_symbol_info {
	uint64_t start, size;
	uint32_t flags; /* reserved, must be 0 */
	const char *name;
	size_t name_size;
};

#define PK_SOURCE_INLINED 1u /* the function is inlined into the function of the next entry */

/* One of the functions at an address. A SOURCE record first has the inlined functions, from the
 * innermost to the outermost, and then the function that contains all of them. The texts do not end
 * with a NUL. A size of 0 means that the text is unknown. */
struct pk_source_info {
	const char *function, *file;
	size_t function_size, file_size;
	uint32_t line, column, flags; /* `flags` has bits PK_SOURCE_* */
};

/* Reads the entries of a SYMBOLS or SOURCE record. */
struct pk_offsite_list {
	uint32_t image;	  /* id of an IMAGE record */
	uint32_t left;	  /* number of entries that were not read yet */
	uint64_t address; /* the address of a SOURCE record; 0 for SYMBOLS */
	const uint8_t *at, *end;
};

/* These functions decode an IMAGE record, and the part of a SYMBOLS or SOURCE record before its
 * entries. They return PK_CORRUPT if the record is too short, the path has no NUL, or the build-id
 * is longer than PK_BUILD_ID_MAX bytes. */
PK_MUST_CHECK enum pk_status pk_image_info_decode(const struct pk_record *record,
						  struct pk_image_info *info);
PK_MUST_CHECK enum pk_status pk_offsite_entries(const struct pk_record *record,
						struct pk_offsite_list *list);
/* These functions return the next entry of a SYMBOLS or SOURCE record. They return PK_END if the
 * list has no more entries, and PK_CORRUPT if the record ends within the entry. */
PK_MUST_CHECK enum pk_status pk_symbol_info_next(struct pk_offsite_list *list,
						 struct pk_symbol_info *info);
PK_MUST_CHECK enum pk_status pk_source_info_next(struct pk_offsite_list *list,
						 struct pk_source_info *info);

/* A SYMBOLS or SOURCE record that is being built. */
struct pk_offsite {
	uint32_t image, count, size;
	uint8_t data[PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_source)];
};

/* Writes an IMAGE record. If the path is longer than PK_OFFSITE_TEXT_MAX bytes, returns
 * PK_UNSUPPORTED, and the writer can still be used. */
enum pk_status pk_image_info_write(struct pk_writer *writer, const struct pk_image_info *info);
void pk_offsite_start(struct pk_offsite *offsite, uint32_t image);
/* Adds an entry to the SYMBOLS record. If the record has no room for the entry, writes the record
 * and adds the entry to the next record. */
enum pk_status pk_symbol_info_add(struct pk_offsite *offsite, struct pk_writer *writer,
				  const struct pk_symbol_info *info);
/* Writes the SYMBOLS record if it has entries, and starts the next record for the same image. */
enum pk_status pk_symbol_info_write(struct pk_offsite *offsite, struct pk_writer *writer);
/* Adds an entry to the SOURCE record. Returns false if the record has no room for the entry, or if
 * a text is longer than PK_OFFSITE_TEXT_MAX bytes. */
bool pk_source_info_add(struct pk_offsite *offsite, const struct pk_source_info *info);
enum pk_status pk_source_info_write(struct pk_offsite *offsite, struct pk_writer *writer,
				    uint64_t address);
/* Writes a FORGET record. All IMAGE, SYMBOLS and SOURCE records before it become invalid. The ids
 * of images continue; they do not start at 1 again. */
enum pk_status pk_forget_write(struct pk_writer *writer);

/* Returns perf's name of a register. number is the register's bit in sample_regs_user or
 * sample_regs_intr. e_machine is one of ELF's EM_*. Returns NULL if the register is unknown. */
const char *pk_register_name(uint32_t e_machine, unsigned int number);

/* ---- Arguments of probes (SPEC 9.14) ---- */

#define PK_ARGUMENTS_MAX 1024 /* the most arguments of one event */

/* Returns true if the arguments of the event are fields of registers in its raw bytes. */
static inline bool pk_event_has_registers(const struct pk_event *event)
{
	return event->arguments && event->arguments->count &&
	       event->arguments->items[0].kind == PK_ARGUMENT_IBS;
}
/* Writes an ARGUMENTS record for the event with this id. */
enum pk_status pk_arguments_write(struct pk_writer *writer, uint64_t id,
				  const struct pk_arguments *arguments);
/* Returns the registers that samples must have so that the arguments can be read. The result has
 * bits of sample_regs_user. */
uint64_t pk_arguments_registers(const struct pk_arguments *arguments);

/* ---- Labels (SPEC 9.16) ---- */

/* Returns true if the text can be the name of a label. Such a name starts with a letter or '_', and
 * continues with letters, digits and '_'. It has at most PK_LABEL_NAME_MAX bytes. */
bool pk_label_name_is_valid(const char *name);
/* Writes a LABEL record. The name of the label must be valid, and its value may have at most
 * PK_LABEL_VALUE_MAX bytes. */
enum pk_status pk_label_write(struct pk_writer *writer, const struct pk_label *label);

/* ---- Frequencies (SPEC 9.17) ---- */

/* Writes a RATE record for the event with this id. The frequency is in Hz. */
enum pk_status pk_rate_write(struct pk_writer *writer, uint64_t id, uint64_t frequency,
			     uint32_t cause);

/* ---- Stages ---- */

/* For a stage that writes records of its own before pk_stage_record() has written SESSION, STAGE
 * and ORDER. Writes these three records unless they were written before. If no HEADER_ATTR was read
 * yet, returns false, and the stage must not write its records yet. */
bool pk_stage_open(struct pk_stage *stage, bool swapped);

/* For a filter that chooses its options after it has read the events of a session. Sets the options
 * order and trailers. If STAGE was already written, ORDER is written at once. If SESSION was
 * already written, returns false, because SESSION still declares the previous trailers. */
bool pk_stage_change(struct pk_stage *stage, uint32_t order, uint32_t trailers);

/* In each session, opening(arg) will be called before SESSION is written. The stage can write more
 * HEADER_ATTR records in that function. */
void pk_stage_on_open(struct pk_stage *stage, void (*opening)(void *arg), void *arg);

/* For a stage that ignores the remaining records of the session. After this call, pk_stage_end()
 * writes END even if the END of the input was not read. */
void pk_stage_enough(struct pk_stage *stage);

/* Returns the approximate size of the dictionary in memory, in bytes. */
size_t pk_dictionary_memory(const struct pk_dictionary *dictionary);

#endif
