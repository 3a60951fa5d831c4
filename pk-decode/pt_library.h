/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_LIBRARY_H
#define PK_PT_LIBRARY_H

/* Intel's decoder of Intel PT traces, libipt. It is loaded when the first trace is decoded. It was
 * not written for hostile input: a crash of the library ends the decoding, but not the program. */

#include "pkstream.h"

/* The processor and the settings with which a trace was recorded. */
struct pt_settings {
	bool intel; /* the model is known */
	uint16_t family;
	uint8_t model, stepping;
	uint32_t tsc_numerator, tsc_denominator; /* TSC ticks for one tick of the crystal clock */
	uint8_t mtc_frequency, nominal_ratio;
};

/* Where the code of a trace comes from. */
struct pt_source {
	/* Copies up to `size` bytes of code at `ip` to `to`. Returns their number. */
	size_t (*read)(void *arg, uint64_t ip, uint8_t *to, size_t size);
	/* Sets *start and *end to a range of at most PT_RANGE_MAX bytes that contains `ip`, and
	 * that is a part of one map. Several address spaces should have equal ranges of a file.
	 * Returns false if there is no code. */
	bool (*range)(void *arg, uint64_t ip, uint64_t *start, uint64_t *end);
	void *arg;
};

#define PT_RANGE_MAX (UINT64_C(256) << 10)

/* The code of an address space. If all numbers of two spaces are equal, their code is equal. */
struct pt_space {
	uint64_t maps, generated, kernel;
};

enum pt_class {
	PT_OTHER,
	PT_CALL,
	PT_RETURN,
	PT_JUMP,
	PT_CONDITIONAL,
	PT_SYSCALL,
	PT_SYSRET,
	PT_UNKNOWN, /* the library does not know it; only in steps of pt_decoder_next() */
};

enum pt_step_kind {
	PT_STEP_BLOCK,	  /* instructions that follow each other in memory */
	PT_STEP_START,	  /* the trace starts at `to` */
	PT_STEP_STOP,	  /* the last instruction of the block before it leaves the traced code */
	PT_STEP_ASYNC,	  /* an interruption between instructions: from `from` to `to` */
	PT_STEP_OVERFLOW, /* the processor has lost packets */
	PT_STEP_ERROR,	  /* the trace could not be decoded, up to a later place */
	PT_STEP_END,
	PT_STEP_NO_MEMORY,
	PT_STEP_CRASH, /* the library has crashed or hangs; no decoder may be used again */
};

struct pt_step {
	enum pt_step_kind kind;
	/* For PT_STEP_BLOCK: the addresses of the first and of the last instruction. For
	 * PT_STEP_ASYNC: the source. 0 if it is unknown. */
	uint64_t from, last;
	uint64_t to;	     /* 0 if it is unknown, or if it is not traced */
	enum pt_class class; /* of the last instruction of a block */
	uint32_t count;	     /* number of instructions of the block */
	bool is_64;	     /* for blocks: code of 64-bit mode */
	bool no_code;	     /* for PT_STEP_ERROR: the code is not available */
	uint64_t tsc;	     /* valid if has_tsc */
	bool has_tsc;
};

struct pt_decoder;
/* The code that was read, in a form in which the library is fast. */
struct pt_sections;

/* Returns PK_UNSUPPORTED if the library is missing, or pk was built without its header. */
PK_MUST_CHECK enum pk_status pt_library_load(void);
/* Returns NULL if memory is exhausted. Free it after the decoders that use it. */
struct pt_sections *pt_sections_new(void);
void pt_sections_free(struct pt_sections *sections);
/* Makes a decoder for a trace. The trace must be valid until the decoder is freed. `sections` can
 * be NULL. Returns NULL if memory is exhausted. */
struct pt_decoder *pt_decoder_new(const struct pt_settings *settings, uint8_t *trace, size_t size,
				  const struct pt_source *source, struct pt_sections *sections);
void pt_decoder_free(struct pt_decoder *decoder);
/* Says that the trace continues in this address space. If this function was not called, the decoder
 * keeps no code. */
void pt_decoder_enter(struct pt_decoder *decoder, const struct pt_space *space);
/* Decodes the next step. */
void pt_decoder_next(struct pt_decoder *decoder, struct pt_step *step);

#endif
