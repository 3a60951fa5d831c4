/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages: what every program that writes a stream adds to the stream (SPEC 9.1 to 9.3, 9.9, 9.10).
 * Programs include pkstream.h. */
#ifndef PKSTREAM_STAGE_H
#define PKSTREAM_STAGE_H

#include "pkstream_definition.h"
#include "pkstream_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a stage writes about itself. */
struct pk_stage_options {
	const char *program; /* name of the program. program and argv must stay valid as long as the
			      * stage. */
	int argc;
	char *const *argv;
	uint32_t order;	   /* the order of this stage's output (PK_ORDER_*); NONE if the stage keeps
			    * the order of its input */
	uint32_t trailers; /* the trailers (PK_TRAILER_*) that this stage adds to samples */
	/* Used by the first program of a pipeline. The other programs copy the SESSION of the
	 * input. If the input has no SESSION, they write a SESSION with the byte order of the
	 * input. */
	struct pk_session_info session;
	/* If true, STAGE has the program's name, but no version, host, time and arguments. In this
	 * case, pk_stage_record() does not convert features that perf 6.1 does not know. The caller
	 * must handle such features. */
	bool anonymous;
};

struct pk_stage;

/* The caller must free writer after the stage. */
PK_API PK_MUST_CHECK enum pk_status pk_stage_new_sized(struct pk_writer *writer,
						       const struct pk_stage_options *options,
						       size_t options_size,
						       struct pk_stage **stage);
static inline PK_MUST_CHECK enum pk_status pk_stage_new(struct pk_writer *writer,
							const struct pk_stage_options *options,
							struct pk_stage **stage)
{
	return pk_stage_new_sized(writer, options, sizeof(*options), stage);
}

PK_API void pk_stage_free(struct pk_stage *stage);
/* Call this function with every record that the stage reads, before any other use of the record. It
 * returns true if the stage must not write the record, because the function has handled it. Such
 * records are PK_RECORD_BEGIN (a header is written), SESSION, END, and ORDER if the stage has its
 * own order. They are also features that perf 6.1 does not know, which are written as FEATURE_PART
 * records unless they are empty.
 *
 * The SESSION of this stage is written in place of the input's SESSION. The STAGE and ORDER of this
 * stage are written before the first record after a HEADER_ATTR that is not itself HEADER_ATTR,
 * SESSION, STAGE or ORDER. If the input has no SESSION, SESSION is written there, too. swapped is
 * the result of pk_reader_swapped() at PK_RECORD_BEGIN. */
PK_API bool pk_stage_record(struct pk_stage *stage, const struct pk_record *record, bool swapped);
/* Returns the SESSION of the input. All members are 0 if none was read yet, or if its version is
 * unknown. */
PK_API const struct pk_session_info *pk_stage_input(const struct pk_stage *stage);
/* For the first program of a pipeline. Call this function after the HEADER_ATTR records were
 * written. It writes SESSION, STAGE and ORDER. */
PK_API void pk_stage_start(struct pk_stage *stage);
/* Adds to a loss (see struct pk_loss). pk_stage_end() writes one LOSS record for each cause, with
 * the sums. */
PK_API void pk_stage_lose(struct pk_stage *stage, enum pk_loss_cause cause, uint64_t count,
			  uint64_t total);
/* Call this function at the end of a session. It writes LOSS records. It also writes END if
 * complete is true, unless the input was an incomplete pk stream, without END. It writes nothing if
 * STAGE was not written. */
PK_API void pk_stage_end(struct pk_stage *stage, bool complete);

#ifdef __cplusplus
}
#endif
#endif
