// SPDX-License-Identifier: BSD-2-Clause
/* Samples (SPEC 4.4, 5). */
#include "mkvectors.h"

void read_values(struct stream *s, uint64_t format, unsigned int n)
{
	unsigned int count = format & 8 ? 2 : 1;

	if (format & 8)
		num(s, 8, count);
	else
		num(s, 8, 500 + n);
	if (format & 1)
		num(s, 8, 2000000);
	if (format & 2)
		num(s, 8, 1000000);
	for (unsigned int i = 0; i < count; i++) {
		if (format & 8)
			num(s, 8, 500 + n + i);
		if (format & 4)
			num(s, 8, s->id + i);
		if (format & 16)
			num(s, 8, 7 + i);
	}
}

/* Returns the flags of a branch (SPEC 5.4), with the order of bits of SPEC 8.3. */
uint64_t branch_flags(const struct stream *s, unsigned int n)
{
	static const struct {
		unsigned int at, width;
	} fields[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 16}, {20, 4}, {24, 2}, {26, 4}, {30, 3}};
	static const uint16_t values[][9] = {
		{1, 0, 0, 0, 0x1234, 1, 1, 0, 1},
		{0, 1, 1, 0, 5, 15, 2, 6, 2},
		{0, 1, 0, 1, 0, 12, 3, 0, 4},
	};
	uint64_t flags = 0;

	for (unsigned int i = 0; i < 9; i++)
		flags |= (uint64_t)values[n % 3][i]
			 << (s->big ? 64 - fields[i].at - fields[i].width : fields[i].at);
	return flags;
}

static void branches(struct stream *s, uint64_t type, unsigned int nr)
{
	num(s, 8, nr);
	if (type & 1 << 17)
		num(s, 8, nr ? 5 : UINT64_MAX);
	for (unsigned int i = 0; i < nr; i++)
		PUT(s, "888", 0x401000 + i, 0x402000 + i, branch_flags(s, i));
	for (unsigned int i = 0; type & 1 << 19 && i < nr; i++)
		num(s, 8, 0x10 + i);
}

static void registers(struct stream *s, uint64_t mask, uint64_t abi)
{
	num(s, 8, abi);
	for (unsigned int bit = 0; abi && bit < 64; bit++)
		if (mask >> bit & 1)
			num(s, 8, 0x1000 + bit);
}

static void stack_dump(struct stream *s, unsigned int size)
{
	num(s, 8, size);
	for (unsigned int i = 0; i < size; i++)
		num(s, 1, i);
	if (size)
		num(s, 8, size - 8);
}

static void raw(struct stream *s, unsigned int size)
{
	num(s, 4, size);
	for (unsigned int i = 0; i < size; i++)
		num(s, 1, 0xc0 + i);
}

static void fixed_fields(struct stream *s, uint64_t type, uint64_t id, unsigned int n)
{
	if (type & IDENTIFIER)
		num(s, 8, id);
	if (type & IP)
		num(s, 8, 0x401000 + n);
	if (type & TID)
		PUT(s, "44", 100, 101);
	if (type & TIME)
		num(s, 8, s->time);
	if (type & ADDR)
		num(s, 8, 0x601000 + n);
	if (type & ID)
		num(s, 8, id);
	if (type & STREAM_ID)
		num(s, 8, 1000 + id);
	if (type & CPU)
		PUT(s, "44", 3, 0);
	if (type & PERIOD)
		num(s, 8, 4000 + n);
}

static void last_fields(struct stream *s, const struct event *e)
{
	uint64_t type = e->sample_type;

	if (type & (WEIGHT | WEIGHT_STRUCT))
		num(s, 8, 0x0003000200000001);
	if (type & DATA_SRC)
		num(s, 8, 0x68100142);
	if (type & TRANSACTION)
		num(s, 8, 0x1100000021);
	if (type & REGS_INTR)
		registers(s, e->regs_intr, 2);
	if (type & PHYS_ADDR)
		num(s, 8, 0x12345000);
	if (type & CGROUP)
		num(s, 8, 4711);
	if (type & DATA_PAGE_SIZE)
		num(s, 8, 4096);
	if (type & CODE_PAGE_SIZE)
		num(s, 8, 2 << 20);
	if (type & AUX) {
		num(s, 8, 16);
		bytes(s, "sixteen AUX byte", 16);
	}
}

void sample_fields(struct stream *s, const struct event *e, uint64_t id, unsigned int n)
{
	uint64_t type = e->sample_type;

	fixed_fields(s, type, id, n);
	if (type & READ)
		read_values(s, e->read_format, n);
	if (type & CALLCHAIN)
		PUT(s, "888888", 5, MARKER(128), 0xffffffff81000010, MARKER(512), 0x401000,
		    0x402000);
	if (type & RAW)
		raw(s, 12);
	if (type & BRANCH_STACK)
		branches(s, e->branch_type, 3);
	if (type & REGS_USER)
		registers(s, e->regs_user, 2);
	if (type & STACK_USER)
		stack_dump(s, 24);
	last_fields(s, e);
}

static void sample(struct stream *s, const struct event *e, uint64_t id, unsigned int n)
{
	s->time += 1000;
	rec(s, 9, 2 | 1 << 14);
	sample_fields(s, e, id, n);
	end(s);
}

/* One event for each bit of sample_type, so that one stream has different sample_types. */
static void sample_bits(struct stream *s)
{
	struct event e[25];

	header(s);
	for (unsigned int bit = 0; bit < 25; bit++) {
		e[bit] = (struct event){
			.type = 4,
			.config = bit,
			.sample_type = IDENTIFIER | UINT64_C(1) << bit,
			.read_format = 4,
			.branch_type = 8,
			.regs_user = 0x101,
			.regs_intr = 0x8000000000000003,
			.stack_user = 64,
		};
		event(s, &e[bit], bit + 1, 1);
	}
	for (unsigned int bit = 0; bit < 25; bit++)
		sample(s, &e[bit], bit + 1, bit);
	s->event = NULL;
}

static void sample_all(struct stream *s)
{
	static const struct event e = {
		.type = 4,
		.sample_type = (1 << 25) - 1,
		.read_format = 0x1f,
		.branch_type = 8 | 1 << 17,
		.regs_user = 0xff0fff,
		.regs_intr = 0x7,
		.stack_user = 64,
	};

	header(s);
	event(s, &e, 1, 2);
	sample(s, &e, 1, 0);
	sample(s, &e, 2, 1);
}

/* Samples without an id, because there is only one event. */
static void sample_plain(struct stream *s)
{
	static const struct event e = {.sample_type = IP | TID | TIME | PERIOD};

	header(s);
	event(s, &e, 1, 1);
	sample(s, &e, 1, 0);
	sample(s, &e, 1, 1);
}

/* Writes read values in SAMPLE and in READ records. */
static void reads(struct stream *s, unsigned int first, unsigned int step)
{
	static struct event e[32];

	header(s);
	for (unsigned int i = first; i < 32; i += step) {
		e[i] = (struct event){.type = 4,
				      .config = i,
				      .sample_type = IDENTIFIER | IP | TIME | READ | CALLCHAIN,
				      .read_format = i,
				      .flags = SAMPLE_ID_ALL};
		event(s, &e[i], 2 * i + 1, 2);
	}
	for (unsigned int i = first; i < 32; i += step) {
		s->id = 2 * i + 1;
		s->event = &e[i];
		sample(s, &e[i], s->id, i);
		rec(s, 8, 0);
		PUT(s, "44", 100, 101);
		read_values(s, i, i);
		trailer(s);
		end(s);
	}
}

/* The read_format that perf requests. */
static void sample_read(struct stream *s)
{
	reads(s, 4, 8);
}

static void sample_read_group(struct stream *s)
{
	reads(s, 12, 32);
}

/* Every read_format, and a group without members. */
static void sample_read_all(struct stream *s)
{
	reads(s, 0, 1);
	rec(s, 9, 2);
	PUT(s, "8888", 17, 0x401000, s->time, 0);
	PUT(s, "88", 1, 0x401000);
	end(s);
}

static void chain(struct stream *s, const uint64_t *ips, unsigned int count)
{
	rec(s, 9, 2);
	PUT(s, "88", 0x401000, count);
	for (unsigned int i = 0; i < count; i++)
		num(s, 8, ips[i]);
	end(s);
}

static void sample_callchains(struct stream *s)
{
	static const struct event e = {.sample_type = IP | CALLCHAIN};
	static const uint64_t modes[] = {
		MARKER(32),   0xf001,
		MARKER(128),  0xf002,
		MARKER(512),  0xf003,
		MARKER(2048), 0xf004,
		MARKER(2176), 0xf005,
		MARKER(2560), 0xf006,
		MARKER(4095), 0xf007 /* the last marker is of an unknown mode */,
	};

	header(s);
	event(s, &e, 1, 1);
	chain(s, NULL, 0);
	chain(s, (const uint64_t[]){0x401000, 0x402000}, 2);
	chain(s, modes, sizeof(modes) / sizeof(modes[0]));
	chain(s,
	      (const uint64_t[]){MARKER(128), 0xffffffff81000010, MARKER(640), 0x0000000300000001},
	      4);
	chain(s, (const uint64_t[]){MARKER(640), 0x0000000500000002}, 2);
	chain(s, (const uint64_t[]){MARKER(4096)}, 1);
}

static const struct event branch_events[] = {
	{.sample_type = IDENTIFIER | IP | BRANCH_STACK, .branch_type = 8, .size = 80},
	{.sample_type = IDENTIFIER | IP | BRANCH_STACK, .branch_type = 8 | 1 << 17, .size = 80},
	{.sample_type = IDENTIFIER | IP | BRANCH_STACK | PERIOD | WEIGHT,
	 .branch_type = 8 | 1 << 17,
	 .size = 80},
	{.sample_type = IDENTIFIER | IP | BRANCH_STACK,
	 .branch_type = 8 | 1 << 17 | 1 << 19,
	 .size = 80},
};

static void branch_samples(struct stream *s, unsigned int count)
{
	header(s);
	for (unsigned int i = 0; i < count; i++)
		event(s, &branch_events[i], i + 1, 1);
	for (unsigned int i = 0; i < count; i++)
		sample(s, &branch_events[i], i + 1, i);
	for (unsigned int i = 0; i < count && i != 2; i++) {
		rec(s, 9, 2);
		PUT(s, "88", i + 1, 0x401000);
		branches(s, branch_events[i].branch_type, 0);
		end(s);
	}
}

static void sample_branches(struct stream *s)
{
	branch_samples(s, 3);
}

static void sample_branch_counters(struct stream *s)
{
	branch_samples(s, 4);
}

/* Samples without branches, which do not have hw_idx, either (SPEC 5.4). */
static void sample_branches_none(struct stream *s)
{
	branch_samples(s, 3);
	REC(s, 9, 2, "888", 2, 0x401000, 0);
	REC(s, 9, 2, "88888", 3, 0x401000, 1, 0,
	    0x77); /* no branches in the field, but other fields before and after it */
	REC(s, 9, 2, "888888", 3, 0x401000, 1, 0, UINT64_MAX, 0x77);
}

static void sample_stacks(struct stream *s)
{
	static const struct event e = {.sample_type = IP | REGS_USER | STACK_USER | PHYS_ADDR,
				       .regs_user = 0xff0fff,
				       .stack_user = 64};

	header(s);
	event(s, &e, 1, 1);
	sample(s, &e, 1, 0);
	REC(s, 9, 1, "8888", 1, 0, 0, 0x1000);	   /* a sample without registers and stack */
	REC(s, 9, 1, "88888", 2, 0, 0, 0, 0x2000); /* eight bytes more than needed */
	rec(s, 9, 2);
	num(s, 8, 3);
	registers(s, e.regs_user, 1);
	PUT(s, "88888", 16, 0x1122334455667788, 0x99aabbccddeeff00, 0, 0x3000);
	end(s);
}

static void raw_samples(struct stream *s, const unsigned int *sizes, unsigned int count)
{
	static const struct event e = {.type = 4, .sample_type = IP | RAW | PHYS_ADDR};

	header(s);
	event(s, &e, 1, 1);
	for (unsigned int i = 0; i < count; i++) {
		rec(s, 9, 2);
		num(s, 8, 0x401000);
		raw(s, sizes[i]);
		num(s, 8, 0x5000);
		pad8(s);
		end(s);
	}
}

static void sample_raw(struct stream *s)
{
	raw_samples(s, (const unsigned int[]){4, 12, 28}, 3);
}

/* Sizes of raw data that kernels do not write, but that readers accept. */
static void sample_raw_odd(struct stream *s)
{
	raw_samples(s, (const unsigned int[]){0, 3, 8}, 3);
}

/* Writes one sample with the fields of SPEC 5.6 in RAW. */
static void off_cpu(struct stream *s, const uint64_t *ips, unsigned int count)
{
	rec(s, 9, 1);
	PUT(s, "8844844", 7, 0xffffffff81000010, 7, 8, s->time += 1000, 3, 0);
	PUT(s, "84", 1, 4 + 24 + 8 * count + 8);
	PUT(s, "4488", 100, 101, 5000000, count);
	for (unsigned int i = 0; i < count; i++)
		num(s, 8, ips[i]);
	PUT(s, "848", 77, 0, 1);
	end(s);
}

static void sample_off_cpu(struct stream *s)
{
	static const struct event e = {.type = 1,
				       .config = 10,
				       .sample_type = IDENTIFIER | IP | TID | TIME | CPU | PERIOD |
						      RAW | CGROUP,
				       .flags = SAMPLE_ID_ALL};
	const uint64_t ips[] = {-512ull, 0x401000, 0x402000};

	header(s);
	event(s, &e, 7, 1);
	name(s, 7, "offcpu-time");
	off_cpu(s, ips, 3);
	off_cpu(s, ips, 1);
	off_cpu(s, ips, 0);
}

static void sample_ids_same(struct stream *s)
{
	static const struct event a = {
		.config = 1, .sample_type = IP | TID | TIME | ID | CPU, .flags = SAMPLE_ID_ALL};
	static const struct event b = {.config = 2,
				       .sample_type = IP | TID | TIME | ID | CPU | PERIOD,
				       .flags = SAMPLE_ID_ALL};

	header(s);
	event(s, &a, 11, 2);
	event(s, &b, 21, 2);
	sample(s, &a, 12, 0);
	sample(s, &b, 21, 1);
	s->id = 22;
	rec(s, 14, 0);
	trailer(s);
	end(s);
	rec(s, 14, 0);
	zero_trailer(s);
	end(s);
	sample(s, &a, 0, 2);
}

/* A record with an id that no event has. For records other than SAMPLE, the first event is used. */
static void ids_unknown(struct stream *s)
{
	sample_ids_same(s);
	s->id = 10;
	rec(s, 14, 0);
	trailer(s);
	end(s);
}

/* Events whose samples have the id at different offsets. */
static void sample_ids_differ(struct stream *s)
{
	static const struct event a = {
		.config = 1, .sample_type = IP | TID | ID, .flags = SAMPLE_ID_ALL};
	static const struct event b = {
		.config = 2, .sample_type = IDENTIFIER | IP | TIME | CPU, .flags = SAMPLE_ID_ALL};

	header(s);
	event(s, &a, 11, 2);
	event(s, &b, 21, 2);
	sample(s, &a, 11, 0);
	sample(s, &b, 22, 1);
	s->id = 12;
	rec(s, 14, 0);
	trailer(s);
	end(s);
	s->event = &b;
	s->id = 21;
	rec(s, 14, 0);
	trailer(s);
	end(s);
	s->event = &a;
	rec(s, 14, 0);
	zero_trailer(s);
	end(s);
}

/* Additional bytes after the last field of samples (SPEC 5.1) and of other records (SPEC 10.2). */
static void sample_extra_bytes(struct stream *s)
{
	header(s);
	usual_event(s);
	REC(s, 9, 2, "8844888", 1, 0x401000, 100, 101, s->time, 0x1122, 0x3344);
	REC(s, 68, 0, "8", 0x5566);
	REC(s, 82, 0, "8", 0x7788);
	REC(s, 79, 0, "88888888", 10, 1, 0, 0, 0, 0, 0x99aa, 0xbbcc);
	usual_sample(s, 0x401001);
}

const struct vector sample_vectors[] = {
	{"sample-bits", sample_bits, true},
	{"sample-all", sample_all, true},
	{"sample-plain", sample_plain, true},
	{"sample-read", sample_read, true},
	{"sample-read-group", sample_read_group, true},
	{"sample-read-all", sample_read_all, true},
	{"sample-callchains", sample_callchains, true},
	{"sample-branches", sample_branches, true},
	{"sample-branch-counters", sample_branch_counters, true},
	{"sample-branches-none", sample_branches_none, true},
	{"sample-stacks", sample_stacks, true},
	{"sample-raw", sample_raw, true},
	{"sample-raw-odd", sample_raw_odd, true},
	{"sample-off-cpu", sample_off_cpu, true},
	{"sample-ids-same", sample_ids_same, true},
	{"ids-unknown", ids_unknown, true},
	{"sample-ids-differ", sample_ids_differ, true},
	{"sample-extra-bytes", sample_extra_bytes, true},
	{NULL, NULL, false},
};
