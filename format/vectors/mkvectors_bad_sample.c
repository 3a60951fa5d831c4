// SPDX-License-Identifier: BSD-2-Clause
/* Malformed samples (SPEC 12). Each stream ends with a valid sample. */
#include "mkvectors.h"

static void begin(struct stream *s, const struct event *e)
{
	header(s);
	usual_event(s);
	event(s, e, 2, 1);
}

static void good_end(struct stream *s)
{
	usual_sample(s, 0x401004);
}

/* Samples that are cut after every field, from the header on. */
static void sample_short(struct stream *s)
{
	static const uint64_t fields[] = {2, 0x401000, 0x6500000064, 5, 0x601000, 7, 8, 9, 10};
	static const struct event e = {.sample_type = IDENTIFIER | IP | TID | TIME | ADDR |
						      STREAM_ID | CPU | PERIOD | WEIGHT};

	begin(s, &e);
	for (unsigned int count = 0; count <= 9; count++) {
		rec(s, 9, 2);
		for (unsigned int i = 0; i < count; i++)
			num(s, 8, fields[i]);
		end(s);
	}
	rec(s, 9, 2);
	PUT(s, "884", 2, 0x401000, 100);
	end(s);
	good_end(s);
}

static void sample_callchain(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | CALLCHAIN};

	begin(s, &e);
	REC(s, 9, 2, "8888", 2, 3, 0x401000, 0x402000);
	REC(s, 9, 2, "8888", 2, 0x2000000000000000, 0x401000, 0x402000);
	REC(s, 9, 2, "8888", 2, 0x2000000000000002, 0x401000, 0x402000);
	REC(s, 9, 2, "8888", 2, UINT64_MAX, 0x401000, 0x402000);
	REC(s, 9, 2, "8", 2);
	REC(s, 9, 2, "888", 2, 1, MARKER(640)); /* the cookie is missing, but the record is valid */
	good_end(s);
}

static void sample_read(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | READ, .read_format = 0x1f};

	begin(s, &e);
	REC(s, 9, 2, "8888888", 2, 2, 10, 10, 1, 2, 3);
	REC(s, 9, 2, "8888888", 2, 0x1555555555555556, 10, 10, 1, 2, 3);
	REC(s, 9, 2, "888", 2, 0, 10);
	rec(s, 8, 0);
	PUT(s, "44", 100, 101);
	PUT(s, "8888", 0x0800000000000000, 10, 10, 1);
	end(s);
	good_end(s);
}

static void sample_branch(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | BRANCH_STACK,
				       .branch_type = 8 | 1 << 19};

	begin(s, &e);
	REC(s, 9, 2, "88888", 2, 2, 1, 2, 3);
	REC(s, 9, 2, "88888", 2, 1, 1, 2, 3); /* the record has no counters */
	REC(s, 9, 2, "88888", 2, 0x0aaaaaaaaaaaaaab, 1, 2, 3);
	good_end(s);
}

static void sample_regs(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | REGS_USER | REGS_INTR,
				       .regs_user = 7,
				       .regs_intr = UINT64_MAX};

	begin(s, &e);
	REC(s, 9, 2, "8888", 2, 2, 1, 2);
	REC(s, 9, 2, "88888", 2, 0, 2, 1, 2);
	REC(s, 9, 2, "88888888", 2, 99, 1, 2, 3, 0, 4,
	    5); /* the abi is unknown, but registers follow */
	good_end(s);
}

static void sample_raw(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | RAW};
	static const uint32_t sizes[] = {13, 0xffffffff, 0xfffffffc, 0x80000000};

	begin(s, &e);
	for (unsigned int i = 0; i < 4; i++)
		REC(s, 9, 2, "8448", 2, sizes[i], 1, 2);
	REC(s, 9, 2, "8", 2);
	good_end(s);
}

static void sample_stack(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | STACK_USER | PHYS_ADDR,
				       .stack_user = 16};

	begin(s, &e);
	REC(s, 9, 2, "888888", 2, 16, 1, 2, 17, 3); /* dyn_size is 17, greater than the stack */
	REC(s, 9, 2, "888888", 2, 16, 1, 2, UINT64_MAX, 3);
	REC(s, 9, 2, "88888", 2, 16, 1, 2, 16);
	REC(s, 9, 2, "88888", 2, UINT64_MAX, 1, 2, 16);
	REC(s, 9, 2, "88888", 2, UINT64_MAX - 7, 1, 2, 16);
	good_end(s);
}

static void sample_aux(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | AUX};

	begin(s, &e);
	REC(s, 9, 2, "888", 2, 9, 1);
	REC(s, 9, 2, "888", 2, UINT64_MAX, 1);
	good_end(s);
}

/* RAW is too short for the fields of SPEC 5.6. */
static void sample_off_cpu(struct stream *s)
{
	static const struct event e = {.type = 1, .config = 10, .sample_type = IDENTIFIER | RAW};

	begin(s, &e);
	name(s, 2, "offcpu-time");
	REC(s, 9, 1, "844488884", 2, 44, 100, 101, 5000, 2, 1, 2, 0);
	REC(s, 9, 1, "844488884", 2, 44, 100, 101, 5000, UINT64_MAX, 1, 2, 0);
	REC(s, 9, 1, "844488884", 2, 44, 100, 101, 5000, UINT64_C(1) << 61, 1, 2, 0);
	REC(s, 9, 1, "844488884", 2, 44, 100, 101, 5000, 3, 1, 2, 0);
	REC(s, 9, 1, "844488884", 2, 20, 100, 101, 5000, 0, 1, 2, 0);
	REC(s, 9, 1, "844", 2, 4, 0);
	REC(s, 9, 1, "84448884", 2, 36, 100, 101, 5000, 0, 1, 0);
	good_end(s);
}

/* A sample with an id that no event has. */
static void sample_id(struct stream *s)
{
	static const struct event e = {.sample_type = IDENTIFIER | IP};

	begin(s, &e);
	REC(s, 9, 2, "88", 77, 0x401000);
	good_end(s);
}

const struct vector bad_sample_vectors[] = {
	{"sample-short", sample_short, true},
	{"sample-callchain", sample_callchain, true},
	{"sample-read", sample_read, true},
	{"sample-branch", sample_branch, true},
	{"sample-regs", sample_regs, true},
	{"sample-raw", sample_raw, true},
	{"sample-stack", sample_stack, true},
	{"sample-aux", sample_aux, true},
	{"sample-id", sample_id, true},
	{"sample-off-cpu", sample_off_cpu, true},
	{NULL, NULL, false},
};
