/* SPDX-License-Identifier: BSD-2-Clause */
/* pk's definitions inside EVENT_UPDATE (SPEC 9). Programs include pkstream.h. */
#ifndef PKSTREAM_DEFINITION_H
#define PKSTREAM_DEFINITION_H

#include "pk_abi.h"
#include "pkstream_record.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PK_FORMAT_VERSION 1

/* The kinds of pk's definitions (SPEC 9). */
enum pk_definition {
	PK_DEFINITION_NONE = 0, /* not a definition of pk */
	PK_SESSION = 1,
	PK_STAGE = 2,
	PK_ORDER = 3,
	PK_STRING = 4,
	PK_DSO = 5,
	PK_FRAME = 6,
	PK_STACK = 7,
	PK_LOSS = 8,
	PK_RESET = 9,
	PK_FINISH = 10, /* called END in the SPEC */
	PK_IMAGE = 11,
	PK_SYMBOLS = 12,
	PK_SOURCE = 13,
	PK_FORGET = 14,
	PK_FEATURE_PART = 15, /* a part of a feature that cannot be written as one HEADER_FEATURE */
	PK_ARGUMENTS = 16,    /* the arguments of a probe */
	PK_LABEL = 17,	      /* a name and a value that the user gave to the recording */
	PK_RATE = 18,	      /* a new frequency of an event */
};

/* The bytes "pkstrm". The last 16 bits are a number of enum pk_definition. */
#define PK_SUBTYPE_BASE UINT64_C(0x706b7374726d0000)

/* Returns which kind of definition a record is. The result is a number of enum pk_definition, or a
 * larger number if the kind was defined by a newer version of pk. */
static inline unsigned int pk_definition_of(const struct pk_record *record)
{
	const struct pk_definition_head *head = (const struct pk_definition_head *)record->data;

	if (record->type != PERF_RECORD_EVENT_UPDATE || record->size < sizeof(*head) ||
	    (head->subtype & ~UINT64_C(0xffff)) != PK_SUBTYPE_BASE)
		return PK_DEFINITION_NONE;
	return (unsigned int)(head->subtype & 0xffff);
}

/* Bits of pk_session_info.trailers. */
#define PK_TRAILER_STACK 1u /* every SAMPLE ends with a stack trailer */
#define PK_TRAILER_CHAIN 2u /* a SAMPLE can have a chain trailer before the stack trailer */

/* The content of a SESSION record. */
struct pk_session_info {
	uint16_t version;   /* PK_FORMAT_VERSION of the writer */
	uint8_t byte_order; /* byte order of raw payloads: 1 is little-endian, 2 is big-endian (as
			     * in EI_DATA of ELF) */
	uint8_t word_size;  /* word size of the recorded machine in bytes; 0 if unknown */
	uint32_t trailers;  /* bits PK_TRAILER_* */
	uint32_t e_machine; /* one of ELF's EM_*; 0 if unknown */
};

#define PK_ORDER_NONE	    0u /* not sorted; only the records of each ring buffer are in order */
#define PK_ORDER_TIME	    1u
#define PK_ORDER_PROCESSING 2u /* the order in which the records must be processed (SPEC 7.4) */

/* The content of a LOSS record. */
struct pk_loss {
	uint32_t stage; /* id of the stage that reports the loss */
	uint32_t cause; /* a number of enum pk_loss_cause */
	uint64_t count;
	uint64_t total; /* number of all items, including the lost items; 0 if unknown */
};

/* What was lost. */
enum pk_loss_cause {
	PK_LOSS_RECORDS_LOST = 1,      /* records that did not fit into a buffer */
	PK_LOSS_SAMPLES_LOST = 2,      /* samples that were dropped */
	PK_LOSS_RECORDS_BAD = 3,       /* malformed records that were skipped */
	PK_LOSS_STACKS_TRUNCATED = 4,  /* callchains cut at the recording's limit or at 64 KiB */
	PK_LOSS_FRAMES_UNRESOLVED = 5, /* frames without a name */
	PK_LOSS_RECORDS_LATE = 6,      /* records too late to be sorted */
	PK_LOSS_STACKS_UNMERGED = 7,   /* deferred user callchains that are missing */
	PK_LOSS_RECORDS_UNSWAPPED = 8, /* records whose layout is unknown, so that they were not
					* swapped to the byte order of the host */
	PK_LOSS_DEFINITIONS_BAD = 9,   /* invalid definitions or stack ids */
	PK_LOSS_SPANS_DROPPED = 10,    /* open spans that were dropped at a limit */
	PK_LOSS_SPANS_UNENDED = 11,    /* starts that another start of the same key replaced */
	PK_LOSS_SPANS_UNSTARTED = 12,  /* ends without a start */
	PK_LOSS_SPANS_GAPS = 13,       /* spans during which records were lost */
	PK_LOSS_SPANS_OPEN = 14,       /* spans that had no end when the recording ended */
	PK_LOSS_STACKS_CUT = 15,       /* stacks that end in code without frame pointers */
	PK_LOSS_STACKS_TORN = 16,      /* stacks that lack frames of an interpreter */
	PK_LOSS_TRACES_CUT = 17, /* buffers of a hardware trace from which bytes are missing */
	PK_LOSS_CAUSE_MAX = 18,
};

#define PK_LABEL_NAME_MAX  64	/* largest size of a label's name in bytes */
#define PK_LABEL_VALUE_MAX 4096 /* largest size of a label's value in bytes */

/* The texts end with a NUL. They are valid as long as the record. */
struct pk_label {
	const char *name, *value;
};

/* Decodes a LABEL record. The caller must have checked the kind of the definition. Returns
 * PK_CORRUPT if the record is too short, or if the name or the value is not valid (SPEC 9.16). */
PK_API PK_MUST_CHECK enum pk_status pk_label_decode(const struct pk_record *record,
						    struct pk_label *label);

/* These functions decode a SESSION and a LOSS record. The caller must have checked the kind of the
 * definition. They return PK_CORRUPT if the record is too short, and PK_UNSUPPORTED if a newer
 * version of pk wrote the SESSION. */
PK_API PK_MUST_CHECK enum pk_status pk_session_info_decode(const struct pk_record *record,
							   struct pk_session_info *info);
PK_API PK_MUST_CHECK enum pk_status pk_loss_decode(const struct pk_record *record,
						   struct pk_loss *loss);

#ifdef __cplusplus
}
#endif
#endif
