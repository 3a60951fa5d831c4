/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPE_H
#define PK_SPE_H

/* Decodes the output of Arm's Statistical Profiling Extension (SPE), as the Arm Architecture
 * Reference Manual describes it. The processor samples operations. It writes a record for each
 * sampled operation. A record is a sequence of packets. A packet TIMESTAMP or END ends the record.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of spe_record.events. */
enum {
	SPE_EXCEPTION = 1 << 0,
	SPE_RETIRED = 1 << 1,
	SPE_L1D_ACCESS = 1 << 2,
	SPE_L1D_MISS = 1 << 3,
	SPE_TLB_ACCESS = 1 << 4,
	SPE_TLB_MISS = 1 << 5, /* the translation needed a walk of the page tables */
	SPE_NOT_TAKEN = 1 << 6,
	SPE_MISPREDICTED = 1 << 7,
	SPE_LLC_ACCESS = 1 << 8,
	SPE_LLC_MISS = 1 << 9,
	SPE_REMOTE = 1 << 10, /* an access to another socket */
	SPE_IN_TRANSACTION = 1 << 16,
	SPE_L2D_ACCESS = 1 << 19,
	SPE_L2D_MISS = 1 << 20,
	SPE_MODIFIED = 1 << 21, /* the snooped cache line was modified */
	SPE_FETCHED = 1 << 22,	/* the line was already being fetched */
	SPE_SNOOPED = 1 << 23,	/* the data came from the cache of another processor */
};

/* The class of an operation. */
enum spe_class {
	SPE_OTHER = 0,
	SPE_MEMORY = 1, /* a load, a store or an atomic operation */
	SPE_BRANCH = 2, /* a branch, or a return from an exception */
	SPE_NO_CLASS,
};

/* How a branch is related to calls. Processors before SPE 1.4 do not report it. */
enum spe_branch_kind {
	SPE_BRANCH_UNKNOWN = 0,
	SPE_BRANCH_CALL = 1,
	SPE_BRANCH_RETURN = 2,
	SPE_BRANCH_OTHER = 3,
};

/* A sampled operation. Addresses, the time and latencies are 0 if the record does not have them. */
struct spe_record {
	uint64_t events;
	enum spe_class class;
	bool store;		   /* for SPE_MEMORY */
	bool conditional;	   /* for SPE_BRANCH */
	bool indirect;		   /* for SPE_BRANCH */
	enum spe_branch_kind kind; /* for SPE_BRANCH */
	uint64_t ip;
	uint64_t target;   /* of the branch */
	uint64_t address;  /* virtual address of the data */
	uint64_t physical; /* physical address of the data */
	uint64_t time;	   /* the value of the system's counter */
	uint64_t context;  /* CONTEXTIDR, where Linux stores the id of the thread */
	uint64_t source;   /* where the data came from; the meaning depends on the processor */
	uint32_t latency;  /* cycles from the dispatch to the completion */
	bool has_time, has_context, has_source;
};

enum spe_step {
	SPE_STEP_MORE,	 /* the packet was decoded, the record continues */
	SPE_STEP_RECORD, /* the packet ended a record */
	SPE_STEP_SHORT,	 /* the packet needs more bytes */
	SPE_STEP_BAD,	 /* no packet starts with this byte */
};

/* A decoder for one trace. */
struct spe_decoder {
	struct spe_record record; /* valid after SPE_STEP_RECORD */
	uint64_t offset;	  /* number of bytes decoded so far, for packets of alignment */
	bool any;		  /* the record has packets already */
	bool ended;		  /* the record is complete, the next packet starts a new record */
};

/* Decodes one packet. `left` is the number of bytes from `at` on. Sets *used to the number of bytes
 * that were decoded. This is 0 for SPE_STEP_SHORT, and 1 for SPE_STEP_BAD. */
enum spe_step spe_decode(struct spe_decoder *decoder, const uint8_t *at, size_t left, size_t *used);
/* Forgets the packets of a record that is not complete. Returns false if there are none. */
bool spe_drop(struct spe_decoder *decoder);

/* Returns the source of the data and the result of the access, as PERF_SAMPLE_DATA_SRC. Returns 0
 * if the operation is not SPE_MEMORY. `midr` is the number of the processor's model, or 0 if it is
 * unknown. `reported` has the events that the processor can report, or 0 if they are unknown. */
uint64_t spe_data_source(const struct spe_record *record, uint64_t midr, uint64_t reported);

#endif
