/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_DECODER_H
#define PK_PT_DECODER_H

/* Decoders of traces of all branches: Intel PT and CoreSight. Such a trace needs the code of the
 * program. */

#include "pkstream.h"

/* Where the code of a trace comes from, and whose code it is. */
struct pt_source {
	/* Copies up to `size` bytes of code at `ip` to `to`. Returns their number. */
	size_t (*read)(void *arg, uint64_t ip, uint8_t *to, size_t size);
	/* Sets *start and *end to a range of at most PT_RANGE_MAX bytes that contains `ip`, and
	 * that is a part of one map. Several address spaces should have equal ranges of a file.
	 * Returns false if there is no code. */
	bool (*range)(void *arg, uint64_t ip, uint64_t *start, uint64_t *end);
	/* Says that this thread runs from here on. Called by decoders whose trace has threads. */
	void (*enter)(void *arg, uint32_t tid);
	void *arg;
};

#define PT_RANGE_MAX (UINT64_C(256) << 10)

/* The code of an address space. If all numbers of two spaces are equal, their code is equal. */
struct pt_space {
	uint64_t maps, generated, kernel;
};

enum pt_isa {
	PT_X86_32,
	PT_X86_64,
	PT_A64,
	PT_A32,
	PT_T32,
};

enum pt_class {
	PT_OTHER,
	PT_CALL,
	PT_RETURN,
	PT_JUMP,
	PT_CONDITIONAL,
	PT_SYSCALL,
	PT_SYSRET,
	PT_INTERRUPT, /* only in steps of PT_STEP_EXCEPTION */
	PT_UNKNOWN,   /* the library does not know it */
};

enum pt_step_kind {
	PT_STEP_BLOCK, /* instructions that follow each other in memory */
	PT_STEP_SYNC,  /* a place in the trace where the decoding starts */
	PT_STEP_START, /* the trace starts at `to` */
	PT_STEP_STOP,  /* the last instruction of the block before it leaves the traced code */
	PT_STEP_ASYNC, /* an interruption between instructions: from `from` to `to` */
	/* The last block ends with an exception of this class, and continues in the next block.
	 * `from` is the address to which the exception returns, or 0. */
	PT_STEP_EXCEPTION,
	PT_STEP_OVERFLOW, /* the processor has lost packets */
	PT_STEP_ERROR,	  /* the trace could not be decoded, up to a later place */
	PT_STEP_END,
	PT_STEP_NO_MEMORY,
	PT_STEP_CRASH, /* the library has crashed or hangs; no decoder may be used again */
};

struct pt_step {
	enum pt_step_kind kind;
	enum pt_class class; /* of the last instruction of a block */
	/* For PT_STEP_BLOCK: the addresses of the first and of the last instruction. For
	 * PT_STEP_ASYNC: the source. 0 if it is unknown. */
	uint64_t from, last;
	uint64_t to;	 /* 0 if it is unknown, or if it is not traced */
	uint64_t next;	 /* the address after a block, or 0 if it is unknown */
	uint64_t tsc;	 /* of the start of a block; valid if has_tsc */
	uint32_t count;	 /* number of instructions of the block */
	enum pt_isa isa; /* of a block */
	uint32_t tid;	 /* UINT32_MAX if it is not in the trace */
	bool taken;	 /* the last instruction is a branch that was taken, also to `next` */
	bool no_code;	 /* for PT_STEP_ERROR: the code is not available */
	bool has_tsc;
};

/* A decoder. It is the first member of the struct of a library. */
struct pt_decoder {
	const struct pt_library *library;
	struct pt_step *steps; /* those from `returned` on are the next ones */
	size_t count, returned;
	uint64_t tsc; /* the step after them is at this time or later; valid if has_tsc */
	bool has_tsc;
};

struct pt_library {
	void (*enter)(struct pt_decoder *decoder, const struct pt_space *space);
	/* Decodes one or more steps, when all steps were returned. Sets steps, count and returned.
	 * There are several steps only if the space and the records until their time cannot change
	 * between them. */
	void (*decode)(struct pt_decoder *decoder);
	void (*free)(struct pt_decoder *decoder);
};

/* Says that the trace continues in this address space. If this function was not called, the decoder
 * keeps no code. */
static inline void pt_decoder_enter(struct pt_decoder *decoder, const struct pt_space *space)
{
	decoder->library->enter(decoder, space);
}

/* Returns the next step, which is valid until the next call. */
static inline struct pt_step *pt_decoder_next(struct pt_decoder *decoder)
{
	if (decoder->returned == decoder->count)
		decoder->library->decode(decoder);
	return &decoder->steps[decoder->returned++];
}

/* Sets *tsc to a time that the next step does not precede. Returns false if it is unknown. */
static inline bool pt_decoder_time(const struct pt_decoder *decoder, uint64_t *tsc)
{
	const bool decoded = decoder->returned < decoder->count;
	const struct pt_step *next = decoded ? &decoder->steps[decoder->returned] : NULL;

	*tsc = next ? next->tsc : decoder->tsc;
	return next ? next->has_tsc : decoder->has_tsc;
}

static inline void pt_decoder_free(struct pt_decoder *decoder)
{
	if (decoder)
		decoder->library->free(decoder);
}

#endif
