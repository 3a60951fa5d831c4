/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKPRIVATE_H
#define PKPRIVATE_H

/*
 * What pk's own libraries and programs use of libpkstream beyond its public interface: fast paths
 * of filters, and writers of what only one program writes. Not installed, and not exported by the
 * shared library.
 */

#include "pkstream.h"

/* ---- Reading: fast paths ---- */

/* Calls expire before records handed out since the last time may be overwritten: they are valid
 * until then rather than until the next call. arg is that of the reader's options. */
void pk_reader_on_expire(struct pk_reader *reader, void (*expire)(void *arg));
/*
 * The records that directly follow the one last returned, are in memory already, and tell a stage
 * that passes everything on nothing that it has to know: SAMPLEs, each of an event and passing
 * pk_sample_check, and the definitions STRING, DSO, FRAME and STACK. All at once; they count as
 * read. No records: none, or the next one needs looking at.
 */
struct pk_bunch {
	const uint8_t *data; /* as a record's */
	size_t size;
	uint64_t records, samples;
};

void pk_reader_next_bunch(struct pk_reader *reader, struct pk_bunch *bunch);

/* A name for an event of the current session that the stream does not name, but what the caller
 * knows (tracing data) does. Names that the stream tells are kept. */
PK_MUST_CHECK enum pk_status pk_reader_name_event(struct pk_reader *reader,
						  const struct pk_event *event, const char *name);

/* True if the records of that session lie in memory as they were read, but those out of COMPRESSED
 * ones. */
bool pk_reader_verbatim(const struct pk_reader *reader);

/* How many records of unknown layout kept the other byte order in their payload. */
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
	uint16_t size_min; /* of a record with its header; 0 for definitions and features */
	const char *name, *letters, *fields;
};

/* The layout of a record type, which misc may change; NULL: unknown. Static. */
const struct pk_record_layout *pk_record_layout(uint32_t type, uint16_t misc);
/* That of a record, by its content where kernels differ; swapped: its numbers have the other byte
 * order. */
const struct pk_record_layout *pk_layout_of_record(const struct pk_record *record, bool swapped);
/* Of what follows the first 24 bytes of a definition (enum pk_definition). */
const struct pk_record_layout *pk_definition_layout(unsigned int kind);
/* Of a feature's content (enum perf_feature). */
const struct pk_record_layout *pk_feature_layout(uint64_t feature);
/* A HEADER_FEATURE, or a mark of their end, at which perf 6.1 stops (SPEC 6.1, 9.13). */
bool pk_feature_is_new(const struct pk_record *record);
/* How many bytes a letter stands for; 0: that varies, or none. */
size_t pk_letter_size(char letter);

/* ---- Reading in order: fast paths ---- */

/*
 * A record that will come, n calls of pk_order_next from now, with its event; NULL: not known yet.
 * For who wants to fetch what it will need; n of up to 4 costs no wait for the record itself.
 */
const uint8_t *pk_order_ahead(const struct pk_order *order, size_t n,
			      const struct pk_event **event);
/*
 * While through is set, every record comes as the reader has it, FINISHED_ROUND too, and without
 * event and time; pk_reader_next_bunch may be used. To be set where nothing waits: when
 * PK_RECORD_BEGIN is the current record, or pk_order_sorted.
 */
void pk_order_through(struct pk_order *order, bool through);
/* The session has said that it is in order: nothing waits, and nothing will. */
bool pk_order_sorted(const struct pk_order *order);
/*
 * For a filter that passes on the stream as it is and looks at it in order: tee gets every record
 * (FINISHED_ROUND, too) as it was read, and may read its payload. All records that it made due have
 * been delivered by then, so that what the filter writes in reply to them stands before what will
 * make the next reader deliver them.
 */
typedef void (*pk_tee_fn)(void *arg, const struct pk_record *record);
void pk_order_tee(struct pk_order *order, pk_tee_fn tee, void *arg);

/* ---- Samples ---- */

/* pk_sample_decode() without the fields: whether the record holds them all; those that layout tells
 * the place of, if !event->usable. */
PK_MUST_CHECK enum pk_status pk_sample_check(const struct pk_event *event,
					     const struct pk_record *record);

/* Where the fields of a SAMPLE stand, in their order. */
struct pk_sample_places {
	unsigned int count;
	uint16_t end; /* of the last field; trailers follow */
	struct {
		uint64_t bit; /* PERF_SAMPLE_* */
		uint16_t at, size;
	} fields[32];
};

/* Statuses as of pk_sample_decode. */
PK_MUST_CHECK enum pk_status pk_sample_places(const struct pk_event *event,
					      const struct pk_record *record,
					      struct pk_sample_places *places);

/* ---- Writing ---- */

/* Calls write_lent to write large runs of lent bytes in their turn; false with errno. arg is that
 * of the writer's options. */
void pk_writer_on_lent(struct pk_writer *writer,
		       bool (*write_lent)(void *arg, const void *data, size_t size));
/*
 * pk_writer_bytes() for bytes that lie still: they are not copied, and runs of neighbours are
 * written as one. Whoever lends settles before the bytes change; all other calls on the writer do
 * it by themselves.
 */
enum pk_status pk_writer_lend(struct pk_writer *writer, const void *data, size_t size,
			      uint64_t records, uint64_t samples);
enum pk_status pk_writer_settle(struct pk_writer *writer);

/* Like pk_writer_append; all after the header is zero. */
void *pk_writer_zeroed(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t size);
/* The same for a record with a text: the text stands at `at` and is padded to a multiple of 8
 * bytes; trailer bytes follow. NULL also for a text that is too long, which does not stick. */
void *pk_writer_with_text(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t at,
			  const char *text, size_t trailer);
/* Appends a copy of the record with more bytes at its end. The caller fills these. */
uint8_t *pk_writer_extend(struct pk_writer *writer, const struct pk_record *record, size_t more);

/* Records and samples since pk_writer_header. */
uint64_t pk_writer_records(const struct pk_writer *writer);
uint64_t pk_writer_samples(const struct pk_writer *writer);
/* All bytes handed to the writer so far, all sessions. */
uint64_t pk_writer_size(const struct pk_writer *writer);

/* A file in $TMPDIR that nobody else sees and that is gone when it is closed. -1 with errno. */
int pk_temporary_open(void);

/* ---- Compressing whatever is written, into one zstd frame ---- */

struct pk_compressor;

/* write is like write(2), but takes all or fails with -1. NULL: out of memory. */
struct pk_compressor *
pk_compressor_new(int level, ssize_t (*write)(void *arg, const void *buf, size_t size), void *arg);
void pk_compressor_free(struct pk_compressor *compressor);
/* PK_IO: write failed. */
PK_MUST_CHECK enum pk_status pk_compressor_write(struct pk_compressor *compressor, const void *data,
						 size_t size);
/* Writes what it still holds, so that a reader gets all that was written so far. */
PK_MUST_CHECK enum pk_status pk_compressor_flush(struct pk_compressor *compressor);
/* Ends the frame. */
PK_MUST_CHECK enum pk_status pk_compressor_end(struct pk_compressor *compressor);

/* ---- What another machine cannot look up by itself (SPEC 9.11) ---- */

#define PK_OFFSITE_TEXT_MAX 32000 /* bytes of one text; longer ones are cut, or left out */

/* IMAGE: an object whose symbols are given; what they refer to is id. Ids count as others do. */
struct pk_image_info {
	uint32_t id;
	uint32_t kind;		/* enum pk_dso_kind */
	uint32_t pid;		/* JIT: whose */
	uint32_t build_id_size; /* 0 unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	const char *path; /* reading: in the record */
};

/* A symbol, in terms of struct pk_frame's address. name is not NUL-terminated. */
struct pk_symbol_info {
	uint64_t start, size;
	uint32_t flags; /* 0 */
	const char *name;
	size_t name_size;
};

#define PK_SOURCE_INLINED 1u /* into the one that follows */

/* One of the functions at an address, the innermost first. Texts are not NUL-terminated; of size 0:
 * unknown. */
struct pk_source_info {
	const char *function, *file;
	size_t function_size, file_size;
	uint32_t line, column, flags; /* PK_SOURCE_* */
};

/* The entries of a SYMBOLS or SOURCE record. */
struct pk_offsite_list {
	uint32_t image;	  /* id of an IMAGE */
	uint32_t left;	  /* entries that the record says there are */
	uint64_t address; /* SOURCE */
	const uint8_t *at, *end;
};

/* The record must be of the kind. PK_CORRUPT: too short, or no end of a text. */
PK_MUST_CHECK enum pk_status pk_image_info_decode(const struct pk_record *record,
						  struct pk_image_info *info);
PK_MUST_CHECK enum pk_status pk_offsite_entries(const struct pk_record *record,
						struct pk_offsite_list *list);
/* The next entry of a SYMBOLS, or of a SOURCE; PK_END behind the last one. */
PK_MUST_CHECK enum pk_status pk_symbol_info_next(struct pk_offsite_list *list,
						 struct pk_symbol_info *info);
PK_MUST_CHECK enum pk_status pk_source_info_next(struct pk_offsite_list *list,
						 struct pk_source_info *info);

/* A SYMBOLS or SOURCE record that is being put together. */
struct pk_offsite {
	uint32_t image, count, size;
	uint8_t data[PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_source)];
};

/* PK_UNSUPPORTED, which does not stick: the path is too long. */
enum pk_status pk_image_info_write(struct pk_writer *writer, const struct pk_image_info *info);
void pk_offsite_start(struct pk_offsite *offsite, uint32_t image);
/* Writes what is there when there is no room. */
enum pk_status pk_symbol_info_add(struct pk_offsite *offsite, struct pk_writer *writer,
				  const struct pk_symbol_info *info);
enum pk_status pk_symbol_info_write(struct pk_offsite *offsite, struct pk_writer *writer);
/* False: no room. */
bool pk_source_info_add(struct pk_offsite *offsite, const struct pk_source_info *info);
enum pk_status pk_source_info_write(struct pk_offsite *offsite, struct pk_writer *writer,
				    uint64_t address);
/* All of these definitions so far are void; ids go on. */
enum pk_status pk_forget_write(struct pk_writer *writer);

/* perf's name of a register, a bit of sample_regs_user or sample_regs_intr, on a machine (ELF's
 * EM_*); NULL: not known. */
const char *pk_register_name(uint32_t e_machine, unsigned int number);

/* ---- Arguments of probes (SPEC 9.14) ---- */

#define PK_ARGUMENTS_MAX 1024 /* of one event */

/* Writes ARGUMENTS for the event that has the id. */
enum pk_status pk_arguments_write(struct pk_writer *writer, uint64_t id,
				  const struct pk_arguments *arguments);
/* Registers that samples have to have, by bits of sample_regs_user. */
uint64_t pk_arguments_registers(const struct pk_arguments *arguments);

/* ---- Stages ---- */

/* For a stage that writes something of its own before it has written what it read: writes SESSION,
 * STAGE and ORDER if they are still to come. False: there is no event yet, and nothing may be
 * written. */
bool pk_stage_open(struct pk_stage *stage, bool swapped);

/*
 * For a filter that knows only when it has seen a session's events what it will do: order and
 * trailers of the options, from here on. ORDER is written at once where STAGE has been. False: too
 * late for the trailers.
 */
bool pk_stage_change(struct pk_stage *stage, uint32_t order, uint32_t trailers);

/* The rest of the session is not wanted: it is complete without the input's END. */
void pk_stage_enough(struct pk_stage *stage);

/* Bytes of memory that it takes, roughly. */
size_t pk_dictionary_memory(const struct pk_dictionary *dictionary);

#endif
