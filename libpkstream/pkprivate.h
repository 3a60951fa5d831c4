/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKPRIVATE_H
#define PKPRIVATE_H

/* The part of libpkstream's interface that only pk's own libraries and programs use: fast paths of
 * filters, and writers of records that only one program writes. Not installed, and not exported by
 * the shared library. */

#include "pkstream.h"

/* ---- Reading: fast paths ---- */

/* Calls expire before the records returned since the last call of expire can be overwritten. So
 * records stay valid until expire is called, not until the next call on the reader. arg is that of
 * the reader's options. */
void pk_reader_on_expire(struct pk_reader *reader, void (*expire)(void *arg));
/* The records that directly follow the last returned one, are already in memory, and that a stage
 * can pass on without looking at them: SAMPLEs, each with an event and valid for pk_sample_check,
 * and the definitions STRING, DSO, FRAME and STACK. All of them count as read. No records: the next
 * record must be read with pk_reader_next. */
struct pk_bunch {
	const uint8_t *data; /* as in a record */
	size_t size;
	uint64_t records, samples;
};

void pk_reader_next_bunch(struct pk_reader *reader, struct pk_bunch *bunch);

/* Names an event of the current session that the stream does not name. The caller has the name from
 * tracing data. A name in the stream has precedence. */
PK_MUST_CHECK enum pk_status pk_reader_name_event(struct pk_reader *reader,
						  const struct pk_event *event, const char *name);

/* True if the records of that session are in memory as they were read, except those from COMPRESSED
 * records. */
bool pk_reader_verbatim(const struct pk_reader *reader);

/* Returns how many records of unknown layout kept their payload in the other byte order. */
uint64_t pk_reader_unswapped_records(const struct pk_reader *reader);

/* ---- Layouts ----------------------------------------------------------------------------------
 */

/*
 * What records, definitions and features consist of, after their headers: a letter for each field.
 *
 *     1 2 4 8  number of so many bytes, decimal      . a byte that means nothing
 *     a b c d  likewise, hexadecimal                 | fields after this are not printed one by one
 *     i j      signed number of 4, 8 bytes           ? fields after this may be missing
 *     n m      u32, u64 that is not printed          * / u64, u32 numbers to the end
 *     s        text with a NUL, in a field of a      - bytes to the end
 *              multiple of 8 bytes from the start    ( ) a group, as often as the number before
 * says of the record                         { } a group, as often as there is room t        u32
 * size, then text of that size      x build-id, in PK_BUILD_ID_MAX bytes; the number y z      8
 * bytes; 16 bytes of text               before is its size
 *
 * `fields` names them, separated by blanks: none for . | ? n m * / and -, one for each group before
 * those of its fields. "." names the only field of a group, which has no name of its own.
 */
struct pk_record_layout {
	uint16_t size_min; /* least size of a record with its header; 0 for definitions and
			    * features */
	const char *name, *letters, *fields;
};

/* The layout of a record type; misc can select a variant. NULL: unknown. Static. */
const struct pk_record_layout *pk_record_layout(uint32_t type, uint16_t misc);
/* The layout of a record, by its content where kernels differ. swapped: its numbers are still in
 * the other byte order. */
const struct pk_record_layout *pk_layout_of_record(const struct pk_record *record, bool swapped);
/* The layout after the first 24 bytes of a definition (enum pk_definition). */
const struct pk_record_layout *pk_definition_layout(unsigned int kind);
/* The layout of a feature's content (enum perf_feature). */
const struct pk_record_layout *pk_feature_layout(uint64_t feature);
/* Whether perf 6.1 stops at the record: it stops at a HEADER_FEATURE, or a mark of the end of
 * features, that it does not know (SPEC 6.1, 9.13). */
bool pk_feature_is_new(const struct pk_record *record);
/* The number of bytes for a letter; 0: variable, or none. */
size_t pk_letter_size(char letter);

/* ---- Reading in order: fast paths ---- */

/* Lookahead for prefetching: the record that pk_order_next will return after n further calls, and
 * its event. NULL: not known yet. Up to n = 4, the record itself is in the cache. */
const uint8_t *pk_order_ahead(const struct pk_order *order, size_t n,
			      const struct pk_event **event);
/* While through is set, every record is returned as it was read, also FINISHED_ROUND, and without
 * event and time; pk_reader_next_bunch may be used. Set it only if no record is queued: when
 * PK_RECORD_BEGIN is the current record, or if pk_order_sorted. */
void pk_order_through(struct pk_order *order, bool through);
/* The session declares that its records are in order: no record is or will be queued. */
bool pk_order_sorted(const struct pk_order *order);
/* For a filter that passes the stream through and reads it in time order: tee gets every record as
 * it was read (also FINISHED_ROUND), and may read its payload. The records that it releases
 * are delivered before that. So what the filter writes for them precedes the record that makes the
 * next reader deliver them. */
typedef void (*pk_tee_fn)(void *arg, const struct pk_record *record);
void pk_order_tee(struct pk_order *order, pk_tee_fn tee, void *arg);

/* ---- Samples ---- */

/* pk_sample_decode() without the fields: checks that the record has all of them. If !event->usable,
 * checks only the fields whose place layout knows. */
PK_MUST_CHECK enum pk_status pk_sample_check(const struct pk_event *event,
					     const struct pk_record *record);

/* Offsets of the fields of a SAMPLE, in their order. */
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

/* Calls write_lent to write large runs of lent bytes. It returns false with errno set after an
 * error. arg is that of the writer's options. */
void pk_writer_on_lent(struct pk_writer *writer,
		       bool (*write_lent)(void *arg, const void *data, size_t size));
/* Like pk_writer_bytes() for bytes that do not change: they are not copied, and neighbouring ranges
 * are written in one call. The lender must call settle before it changes the bytes; all other calls
 * on the writer settle automatically. */
enum pk_status pk_writer_lend(struct pk_writer *writer, const void *data, size_t size,
			      uint64_t records, uint64_t samples);
enum pk_status pk_writer_settle(struct pk_writer *writer);

/* Like pk_writer_append; the bytes after the header are zero. */
void *pk_writer_zeroed(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t size);
/* The same for a record with a text: the text starts at offset `at` and is padded to a multiple of
 * 8 bytes; trailer bytes follow. NULL: an error, or the text is too long, which does not stick. */
void *pk_writer_with_text(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t at,
			  const char *text, size_t trailer);
/* Appends a copy of the record with additional bytes at its end. The caller fills them. */
uint8_t *pk_writer_extend(struct pk_writer *writer, const struct pk_record *record, size_t more);

/* Records and samples since pk_writer_header. */
uint64_t pk_writer_records(const struct pk_writer *writer);
uint64_t pk_writer_samples(const struct pk_writer *writer);
/* All bytes that the writer got so far, in all sessions. */
uint64_t pk_writer_size(const struct pk_writer *writer);

/* Creates a file in $TMPDIR without a name; it is removed when it is closed. -1 with errno. */
int pk_temporary_open(void);

/* ---- Compression into one zstd frame ---- */

struct pk_compressor;

/* write is like write(2), but writes all bytes or fails with -1. NULL: out of memory. */
struct pk_compressor *
pk_compressor_new(int level, ssize_t (*write)(void *arg, const void *buf, size_t size), void *arg);
void pk_compressor_free(struct pk_compressor *compressor);
/* PK_IO: write failed. */
PK_MUST_CHECK enum pk_status pk_compressor_write(struct pk_compressor *compressor, const void *data,
						 size_t size);
/* Writes all buffered data, so that a reader gets everything written so far. */
PK_MUST_CHECK enum pk_status pk_compressor_flush(struct pk_compressor *compressor);
/* Ends the frame. */
PK_MUST_CHECK enum pk_status pk_compressor_end(struct pk_compressor *compressor);

/* ---- Names for other machines (SPEC 9.11) ---- */

/* Limit for the bytes of one text; longer texts are cut or skipped. */
#define PK_OFFSITE_TEXT_MAX 32000

/* IMAGE: an object with symbols, to which SYMBOLS and SOURCE refer by id. Ids are assigned as in
 * other definitions. */
struct pk_image_info {
	uint32_t id;
	uint32_t kind;		/* enum pk_dso_kind */
	uint32_t pid;		/* JIT: whose */
	uint32_t build_id_size; /* 0 unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	const char *path; /* when reading: points into the record */
};

/* A symbol. Addresses are of the same kind as in struct pk_frame. name is not NUL-terminated. */
struct pk_symbol_info {
	uint64_t start, size;
	uint32_t flags; /* 0 */
	const char *name;
	size_t name_size;
};

#define PK_SOURCE_INLINED 1u /* inlined into the next one */

/* One of the functions at an address, the innermost first. Texts are not NUL-terminated; size 0:
 * unknown. */
struct pk_source_info {
	const char *function, *file;
	size_t function_size, file_size;
	uint32_t line, column, flags; /* PK_SOURCE_* */
};

/* The entries of a SYMBOLS or SOURCE record. */
struct pk_offsite_list {
	uint32_t image;	  /* id of an IMAGE */
	uint32_t left;	  /* number of entries that remain */
	uint64_t address; /* SOURCE */
	const uint8_t *at, *end;
};

/* The record must be of that kind. PK_CORRUPT: it is too short, or a text has no NUL. */
PK_MUST_CHECK enum pk_status pk_image_info_decode(const struct pk_record *record,
						  struct pk_image_info *info);
PK_MUST_CHECK enum pk_status pk_offsite_entries(const struct pk_record *record,
						struct pk_offsite_list *list);
/* Returns the next entry of a SYMBOLS or SOURCE record; PK_END after the last one. */
PK_MUST_CHECK enum pk_status pk_symbol_info_next(struct pk_offsite_list *list,
						 struct pk_symbol_info *info);
PK_MUST_CHECK enum pk_status pk_source_info_next(struct pk_offsite_list *list,
						 struct pk_source_info *info);

/* A SYMBOLS or SOURCE record that is being built. */
struct pk_offsite {
	uint32_t image, count, size;
	uint8_t data[PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_source)];
};

/* PK_UNSUPPORTED, which does not stick: the path is too long. */
enum pk_status pk_image_info_write(struct pk_writer *writer, const struct pk_image_info *info);
void pk_offsite_start(struct pk_offsite *offsite, uint32_t image);
/* Writes the record first if it has no room. */
enum pk_status pk_symbol_info_add(struct pk_offsite *offsite, struct pk_writer *writer,
				  const struct pk_symbol_info *info);
enum pk_status pk_symbol_info_write(struct pk_offsite *offsite, struct pk_writer *writer);
/* False: no room. */
bool pk_source_info_add(struct pk_offsite *offsite, const struct pk_source_info *info);
enum pk_status pk_source_info_write(struct pk_offsite *offsite, struct pk_writer *writer,
				    uint64_t address);
/* Makes all of these definitions invalid; ids continue. */
enum pk_status pk_forget_write(struct pk_writer *writer);

/* perf's name of a register, a bit of sample_regs_user or sample_regs_intr, on a machine (ELF's
 * EM_*); NULL: unknown. */
const char *pk_register_name(uint32_t e_machine, unsigned int number);

/* ---- Arguments of probes (SPEC 9.14) ---- */

#define PK_ARGUMENTS_MAX 1024 /* of one event */

/* Writes ARGUMENTS for the event that has the id. */
enum pk_status pk_arguments_write(struct pk_writer *writer, uint64_t id,
				  const struct pk_arguments *arguments);
/* The registers that samples need for the arguments, as bits of sample_regs_user. */
uint64_t pk_arguments_registers(const struct pk_arguments *arguments);

/* ---- Stages ---- */

/* For a stage that writes its own records before it has passed on a record: writes SESSION, STAGE
 * and ORDER unless they have been written. False: no event is defined yet, and nothing may be
 * written. */
bool pk_stage_open(struct pk_stage *stage, bool swapped);

/* For a filter that chooses its options after it has seen the events of a session: sets order and
 * trailers from here on. If STAGE has been written, ORDER is written at once. False: too late to
 * change the trailers. */
bool pk_stage_change(struct pk_stage *stage, uint32_t order, uint32_t trailers);

/* Drops the rest of the session: it is complete without the input's END. */
void pk_stage_enough(struct pk_stage *stage);

/* Approximate memory of the dictionary in bytes. */
size_t pk_dictionary_memory(const struct pk_dictionary *dictionary);

#endif
