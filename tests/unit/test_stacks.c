// SPDX-License-Identifier: BSD-2-Clause
/* Tests how the addresses of a sample become a stack of the dictionary. */
#include <stdio.h>

#include "stacks.h"
#include "task_builder.h"

#define KERNEL PERF_CONTEXT_KERNEL
#define USER   PERF_CONTEXT_USER

static struct pk_dictionary *dictionary;
static struct pk_stacks *stacks;
static struct pk_event event;
static unsigned int resolved; /* number of calls of resolve() */
static bool retry;	      /* resolve() finds no name, but can find it later */
static bool nothing;	      /* resolve() finds no name */
static bool whole;	      /* names are those of functions of 16 bytes, not of addresses */
static bool appeared;	      /* resolve() reports that the image has symbols now */

/* The name of an address is k1000 in the kernel, u1000 in user space, and so on. */
/* The functions that are inlined at the address 0x66. */
static const struct pk_inlined inlined[] = {{"inner", "in.h", 1, 5}, {"outer", "in.h", 2, 6}};
static bool called[256]; /* by address: true if it was a return address */

static void resolve(void *arg, const struct pk_location *location, struct pk_resolved *result)
{
	static char name[64];
	const char *mode = location->flags == PK_FRAME_KERNEL			   ? "k"
			   : location->flags == PK_FRAME_USER			   ? "u"
			   : location->flags == PK_FRAME_HYPERVISOR		   ? "h"
			   : location->flags == (PK_FRAME_GUEST | PK_FRAME_KERNEL) ? "gk"
			   : location->flags == (PK_FRAME_GUEST | PK_FRAME_USER)   ? "gu"
										   : "?";

	ck_assert_ptr_eq(arg, &resolved);
	ck_assert_ptr_null(result->function);
	resolved++;
	result->retry = retry;
	result->appeared = appeared;
	if (retry || nothing)
		return;
	result->function_size = (size_t)snprintf(
		name, sizeof(name), "%s%llx", mode,
		(unsigned long long)(location->address & (whole ? ~UINT64_C(0xf) : ~UINT64_C(0))));
	result->function = name;
	result->symbol_start = location->address & ~UINT64_C(0xf);
	result->same = (struct pk_range){result->symbol_start, result->symbol_start + 16};
	called[location->address & 0xff] = location->called;
	result->interrupts = location->address == 0x55;
	if (location->address == 0x66) {
		result->inlined = inlined;
		result->inlined_count = 2;
		result->file = "outer.c";
		result->line = 3;
	}
	if (location->address == 0x99)
		result->module = "ext4";
}

static void begin(uint64_t sample_type)
{
	event = (struct pk_event){.attr = {.sample_type = sample_type}};
	/* Calculates the layout as a reader does. */
	event.layout.fixed_size = 8;
	if (sample_type & PERF_SAMPLE_IP) {
		event.layout.ip = event.layout.fixed_size;
		event.layout.fixed_size += 8;
	}
	if (sample_type & PERF_SAMPLE_TID) {
		event.layout.tid = event.layout.fixed_size;
		event.layout.fixed_size += 8;
	}
	if (sample_type & PERF_SAMPLE_CALLCHAIN)
		event.layout.callchain = event.layout.fixed_size;
	session = pk_session_new();
	dictionary = pk_dictionary_new(NULL);
	stacks = pk_stacks_new(dictionary, PK_FRAMES_OF_ADDRESSES, resolve, &resolved);
	resolved = 0;
	retry = nothing = appeared = whole = false;
}

static void end(void)
{
	pk_stacks_free(stacks);
	pk_dictionary_free(dictionary);
	pk_session_free(session);
}

#define CHAINS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN)

static uint32_t stack_in(uint16_t misc, uint32_t pid, uint64_t ip, const uint64_t *chain,
			 size_t count)
{
	struct built b = {0};
	struct pk_record record;
	uint32_t stack;

	open_record(&b, PERF_RECORD_SAMPLE, misc);
	if (event.layout.ip)
		put(&b, 8, ip);
	if (event.layout.tid)
		PUT(&b, "44", pid, pid);
	if (event.layout.callchain) {
		put(&b, 8, count);
		for (size_t i = 0; i < count; i++)
			put(&b, 8, chain[i]);
	}
	close_record(&b);
	record = last_built(&b);
	stack = pk_stacks_of(stacks, session, &event, &record);
	built_clear(&b);
	return stack;
}

#define STACK_AT(misc, pid, ip, ...)                                                               \
	stack_in(misc, pid, ip, (const uint64_t[]){__VA_ARGS__},                                   \
		 sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
#define STACK(misc, pid, ...) STACK_AT(misc, pid, 0, __VA_ARGS__)

/* Returns the stack as a folded line. */
static const char *text_of(uint32_t stack)
{
	static char text[1000];
	size_t at = sizeof(text) - 1;

	text[at] = '\0';
	while (stack) {
		const struct pk_stack *s = pk_dictionary_get_stack(dictionary, stack);
		const struct pk_frame *frame = pk_dictionary_get_frame(dictionary, s->frame);
		const char *name = pk_dictionary_get_string(dictionary, frame->function, NULL);

		ck_assert_int_eq(!!(frame->flags & PK_FRAME_UNRESOLVED), !name);
		ck_assert_int_eq(!!(frame->flags & PK_FRAME_COMM), !s->parent);
		if (!name)
			name = "-";
		at -= strlen(name);
		memcpy(text + at, name, strlen(name));
		if (s->parent)
			text[--at] = ';';
		stack = s->parent;
	}
	return text + at;
}

START_TEST(order)
{
	begin(CHAINS);
	comm_is(5, 5, "five");
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 0x10, 0x20, USER, 0x30, 0x40)),
			 "five;u40;u30;k20;k10");
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x30)), "five;u30");
	ck_assert_str_eq(text_of(STACK(2, 6, USER, 0x30)), ":6;u30");
	end();
	pk_stacks_free(NULL);
}
END_TEST

/* Tests the markers of SPEC 5.3. */
START_TEST(markers)
{
	begin(CHAINS);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(STACK(4, 5, PERF_CONTEXT_GUEST_KERNEL, 1, PERF_CONTEXT_GUEST_USER,
				       2, PERF_CONTEXT_GUEST, 3, PERF_CONTEXT_HV, 4)),
			 "c;h4;gu3;gu2;gk1");
	/* Addresses before the first marker have the mode of the sample, or user mode if the mode
	 * of the sample is unknown. */
	ck_assert_str_eq(text_of(STACK(1, 5, 1, 2)), "c;k2;k1");
	ck_assert_str_eq(text_of(STACK(2, 5, 1, 2)), "c;u2;u1");
	ck_assert_str_eq(text_of(STACK(0, 5, 1, 2)), "c;u2;u1");
	ck_assert_str_eq(text_of(STACK(5, 5, 1, 2)), "c;gu2;gu1");
	/* After an unknown marker, the mode is unknown until the next marker. */
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 1, (uint64_t)-4095, 2, USER, 3)),
			 "c;u3;?2;k1");
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, (uint64_t)-4096, USER)),
			 "c;kfffffffffffff000");
	end();
}
END_TEST

/* Callchains whose user addresses are in a CALLCHAIN_DEFERRED. They are counted for a warning.
 * Cookies have no influence on the stack. */
START_TEST(unmerged)
{
	struct pk_stacks_count count;
	uint32_t first;

	begin(CHAINS);
	comm_is(5, 5, "c");
	first = STACK(1, 5, KERNEL, 1, 2, PERF_CONTEXT_USER_DEFERRED, 0x123456789);
	ck_assert_str_eq(text_of(first), "c;k2;k1");
	ck_assert_uint_eq(STACK(1, 5, KERNEL, 1, 2, PERF_CONTEXT_USER_DEFERRED, 5), first);
	ck_assert_uint_eq(STACK(1, 5, KERNEL, 1, 2), first);
	ck_assert_uint_eq(resolved, 2);
	/* If there is only a marker and a cookie, the stack has the own address of the sample. */
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x77, PERF_CONTEXT_USER_DEFERRED, 5)), "c;u77");
	/* The marker without a cookie. */
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 1, PERF_CONTEXT_USER_DEFERRED)), "c;k1");
	pk_stacks_counted(stacks, &count);
	ck_assert_uint_eq(count.samples, 5);
	ck_assert_uint_eq(count.stacks_unmerged, 3);
	end();
}
END_TEST

START_TEST(no_callchain)
{
	begin(PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(stack_in(1, 5, 0x10, NULL, 0)), "c;k10");
	ck_assert_str_eq(text_of(stack_in(2, 5, 0x10, NULL, 0)), "c;u10");
	ck_assert_str_eq(text_of(stack_in(3, 5, 0x10, NULL, 0)), "c;h10");
	ck_assert_str_eq(text_of(stack_in(4, 5, 0x10, NULL, 0)), "c;gk10");
	end();
	begin(CHAINS);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(stack_in(1, 5, 0x10, NULL, 0)), "c;k10");
	end();
	begin(PERF_SAMPLE_TID);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(stack_in(1, 5, 0, NULL, 0)), "c");
	end();
	begin(PERF_SAMPLE_IP);
	ck_assert_str_eq(text_of(stack_in(2, 5, 0x10, NULL, 0)), ":-1;u10");
	end();
}
END_TEST

/* The first address after a marker is an interrupted address. Addresses after a function that
 * handles a signal or an exception are also interrupted addresses. All others are return addresses.
 */
START_TEST(callers)
{
	begin(CHAINS);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 1, 2, 0x55, 3, 4, USER, 5, 6)),
			 "c;u6;u5;k4;k3;k55;k2;k1");
	ck_assert(!called[1] && called[2] && called[0x55] && !called[3] && called[4]);
	ck_assert(!called[5] && called[6]);
	end();
}
END_TEST

/* An interrupted address and an equal return address are cached separately, because they have
 * different frames. */
START_TEST(callers_are_cached_apart)
{
	begin(CHAINS);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 7)), "c;k7");
	ck_assert(!called[7]);
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 8, 7)), "c;k7;k8");
	ck_assert(called[7]);
	ck_assert_uint_eq(resolved, 3);
	end();
}
END_TEST

START_TEST(inlines)
{
	const struct pk_frame *frame;
	const struct pk_stack *stack;
	uint32_t id;

	begin(CHAINS);
	comm_is(5, 5, "c");
	id = STACK(2, 5, USER, 0x66, 0x70);
	ck_assert_str_eq(text_of(id), "c;u70;u66;outer;inner");
	stack = pk_dictionary_get_stack(dictionary, id);
	frame = pk_dictionary_get_frame(dictionary, stack->frame);
	ck_assert_uint_eq(frame->flags, PK_FRAME_USER | PK_FRAME_INLINED);
	ck_assert_uint_eq(frame->address, 0x66);
	ck_assert_uint_eq(frame->symbol_start, 0x60);
	ck_assert_uint_eq(frame->line, 1);
	ck_assert_uint_eq(frame->column, 5);
	ck_assert_str_eq(pk_dictionary_get_string(dictionary, frame->file, NULL), "in.h");
	stack = pk_dictionary_get_stack(dictionary,
					pk_dictionary_get_stack(dictionary, stack->parent)->parent);
	frame = pk_dictionary_get_frame(dictionary, stack->frame);
	ck_assert_uint_eq(frame->flags, PK_FRAME_USER);
	ck_assert_uint_eq(frame->line, 3);
	ck_assert_uint_eq(STACK(2, 5, USER, 0x66, 0x70), id);
	ck_assert_uint_eq(resolved, 2);
	end();
}
END_TEST

/* Only the leaf is requested. It is the first address in the mode of the marker before it, with the
 * functions that are inlined there. */
START_TEST(leaves)
{
	struct pk_stacks_count count;
	uint64_t chain[200] = {USER};
	uint32_t id;

	begin(CHAINS);
	pk_stacks_leaves(stacks, true);
	pk_stacks_forget(stacks);
	comm_is(5, 5, "c");
	id = STACK(2, 5, USER, 0x66, 0x70);
	ck_assert_str_eq(text_of(id), "c;u66;outer;inner");
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 5, USER, 1)), "c;k5");
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, USER, 1)), "c;u1");
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 1, USER)), "c;u1");
	ck_assert_uint_eq(STACK(2, 5, USER, 0x66, 0x90), id);
	ck_assert_uint_eq(resolved, 3);
	comm_is(5, 5, "d");
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x66)), "d;u66;outer;inner");
	retry = true;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 9)), "d;-");
	retry = false;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 9)), "d;u9");
	ck_assert_uint_eq(resolved, 5);
	appeared = true;
	STACK(2, 5, USER, 10);
	appeared = false;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x66)), "d;u66;outer;inner");
	ck_assert_uint_eq(resolved, 7);
	for (size_t i = 1; i < COUNT(chain); i++)
		chain[i] = i;
	nothing = true;
	chain[1] = 100;
	stack_in(2, 5, 0, chain, COUNT(chain));
	pk_stacks_counted(stacks, &count);
	ck_assert_uint_eq(count.samples, 11);
	ck_assert_uint_eq(count.frames, 11);
	ck_assert_uint_eq(count.frames_unresolved, 2);
	ck_assert_uint_eq(count.stacks_truncated, 0);
	end();
}
END_TEST

/* If two samples have the same addresses, maps and name, the addresses are looked up once. */
START_TEST(lookups)
{
	uint32_t first, other;

	begin(CHAINS);
	comm_is(5, 5, "c");
	maps((struct mapped){
		.pid = 5, .start = 0x1000, .size = 0x1000, .pgoff = 0x5000, .name = "/a"});
	first = STACK(2, 5, USER, 0x1010, 0x1020);
	ck_assert_str_eq(text_of(first), "c;u5020;u5010");
	ck_assert_uint_eq(resolved, 2);
	ck_assert_uint_eq(STACK(2, 5, USER, 0x1010, 0x1020), first);
	ck_assert_uint_eq(resolved, 2);
	/* Another callchain of the same frames. */
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x1010, 0x1020, 0x1020)), "c;u5020;u5020;u5010");
	ck_assert_uint_eq(resolved, 2);
	/* A forked process shares the maps and the name of its parent. */
	forks(5, 5, 6, 6, 0);
	ck_assert_uint_eq(STACK(2, 6, USER, 0x1010, 0x1020), first);
	ck_assert_uint_eq(resolved, 2);
	/* With another name, the same frames are another stack. */
	comm_is(6, 6, "d");
	other = STACK(2, 6, USER, 0x1010, 0x1020);
	ck_assert_str_eq(text_of(other), "d;u5020;u5010");
	ck_assert_uint_eq(resolved, 2);
	comm_is(6, 6, "c");
	ck_assert_uint_eq(STACK(2, 6, USER, 0x1010, 0x1020), first);
	/* The same file is mapped at another address. */
	maps((struct mapped){
		.pid = 6, .start = 0x8000, .size = 0x1000, .pgoff = 0x5000, .name = "/a"});
	ck_assert_uint_eq(STACK(2, 6, USER, 0x8010, 0x8020), first);
	ck_assert_uint_eq(resolved, 2);
	/* In one of the two processes, another file replaces the file. */
	maps((struct mapped){
		.pid = 6, .start = 0x1000, .size = 0x1000, .pgoff = 0x7000, .name = "/b"});
	ck_assert_str_eq(text_of(STACK(2, 6, USER, 0x1010, 0x1020)), "c;u7020;u7010");
	ck_assert_uint_eq(resolved, 4);
	ck_assert_uint_eq(STACK(2, 5, USER, 0x1010, 0x1020), first);
	ck_assert_uint_eq(resolved, 4);
	end();
}
END_TEST

/* The same address occurs in more processes than the cache of addresses has entries. Each process
 * has its own maps. */
START_TEST(processes)
{
	begin(CHAINS);
	for (uint32_t pid = 1; pid <= 50000; pid++) {
		comm_is(pid, pid, "c");
		maps((struct mapped){.pid = pid,
				     .start = 0x1000,
				     .size = 0x1000,
				     .pgoff = pid & 1 ? 0x5000 : 0x7000,
				     .name = "/a"});
		ck_assert_str_eq(text_of(STACK(2, pid, USER, 0x1010)),
				 pid & 1 ? "c;u5010" : "c;u7010");
	}
	ck_assert_uint_eq(resolved, 2);
	end();
}
END_TEST

/* All addresses of a function have the same frame. For a return address, the byte before it is
 * looked up, because the return address of a call at the end of a function is in the next function.
 */
START_TEST(functions)
{
	const struct pk_frame *frame;
	uint32_t first;

	begin(CHAINS);
	pk_stacks_free(stacks);
	stacks = pk_stacks_new(dictionary, PK_FRAMES_OF_FUNCTIONS, resolve, &resolved);
	comm_is(5, 5, "c");
	maps((struct mapped){.pid = 5, .start = 0x1000, .size = 0x1000, .name = "/a"});
	first = STACK(2, 5, USER, 0x1013, 0x1028);
	ck_assert_uint_eq(resolved, 2);
	ck_assert_uint_eq(STACK(2, 5, USER, 0x101f, 0x1021), first);
	ck_assert_uint_eq(resolved, 2);
	frame = pk_dictionary_get_frame(dictionary,
					pk_dictionary_get_stack(dictionary, first)->frame);
	ck_assert_uint_eq(frame->flags, PK_FRAME_USER | PK_FRAME_FUNCTION);
	ck_assert_uint_eq(frame->address, 0x10);
	ck_assert_uint_ne(STACK(2, 5, USER, 0x1020, 0x1028), first);
	ck_assert_uint_eq(resolved, 3);
	/* All addresses without a name have the same frame. */
	nothing = true;
	first = STACK(2, 5, USER, 0x9013, 0x9128);
	ck_assert_uint_eq(STACK(2, 5, USER, 0x8013, 0x8128), first);
	frame = pk_dictionary_get_frame(dictionary,
					pk_dictionary_get_stack(dictionary, first)->frame);
	ck_assert_uint_eq(frame->flags, PK_FRAME_USER | PK_FRAME_FUNCTION | PK_FRAME_UNRESOLVED);
	ck_assert_uint_eq(frame->address, 0);
	end();
}
END_TEST

START_TEST(kernel_maps_change)
{
	begin(CHAINS);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 0x2010)), "c;k2010");
	maps((struct mapped){
		.pid = UINT32_MAX, .start = 0x2000, .size = 0x1000, .name = "[ext4]", .mode = 1});
	ck_assert_str_eq(text_of(STACK(1, 5, KERNEL, 0x2010)), "c;k10");
	end();
}
END_TEST

/* JIT code without a name can have a name later. Other code cannot. */
START_TEST(retries)
{
	begin(CHAINS);
	comm_is(5, 5, "c");
	retry = true;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x10, 0x20)), "c;-;-");
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x10, 0x20)), "c;-;-");
	ck_assert_uint_eq(resolved, 4);
	retry = false;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x10, 0x20)), "c;u20;u10");
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x10, 0x20)), "c;u20;u10");
	ck_assert_uint_eq(resolved, 6);
	nothing = true;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x30)), "c;-");
	nothing = false;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x30)), "c;-");
	ck_assert_uint_eq(resolved, 7);
	/* Addresses are looked up again if the lookup of another address shows that the image has
	 * symbols now. */
	appeared = true;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x40)), "c;u40");
	appeared = false;
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x30)), "c;u30");
	ck_assert_uint_eq(resolved, 9);
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 0x30)), "c;u30");
	ck_assert_uint_eq(resolved, 9);
	end();
}
END_TEST

/* Tests all fields of a frame except its name. */
START_TEST(frames)
{
	static const char id[] = "build-id of twenty b";
	const struct pk_frame *frame;
	const struct pk_dso *dso;

	begin(CHAINS);
	comm_is(5, 5, "c");
	maps((struct mapped){
		.pid = 5, .start = 0x1000, .size = 0x1000, .name = "/a", .build_id = id});
	maps((struct mapped){.pid = 5, .start = 0x2000, .size = 0x1000, .name = "//anon"});
	frame = pk_dictionary_get_frame(
		dictionary, pk_dictionary_get_stack(dictionary, STACK(2, 5, USER, 0x1019))->frame);
	ck_assert_uint_eq(frame->flags, PK_FRAME_USER);
	ck_assert_uint_eq(frame->address, 0x19);
	ck_assert_uint_eq(frame->symbol_start, 0x10);
	dso = pk_dictionary_get_dso(dictionary, frame->dso);
	ck_assert_str_eq(pk_dictionary_get_string(dictionary, dso->path, NULL), "/a");
	ck_assert_uint_eq(dso->kind, PK_DSO_FILE);
	ck_assert_mem_eq(dso->build_id, id, 20);
	frame = pk_dictionary_get_frame(
		dictionary, pk_dictionary_get_stack(dictionary, STACK(2, 5, USER, 0x2019))->frame);
	ck_assert_uint_eq(frame->flags, PK_FRAME_USER | PK_FRAME_JIT);
	frame = pk_dictionary_get_frame(
		dictionary, pk_dictionary_get_stack(dictionary, STACK(2, 5, USER, 0x9000))->frame);
	ck_assert_uint_eq(frame->dso, 0);
	ck_assert_uint_eq(frame->address, 0x9000);
	/* The name of the module in kallsyms has precedence over the name in the map. */
	frame = pk_dictionary_get_frame(
		dictionary, pk_dictionary_get_stack(dictionary, STACK(1, 5, KERNEL, 0x99))->frame);
	dso = pk_dictionary_get_dso(dictionary, frame->dso);
	ck_assert_str_eq(pk_dictionary_get_string(dictionary, dso->path, NULL), "[ext4]");
	ck_assert_uint_eq(dso->kind, PK_DSO_MODULE);
	end();
}
END_TEST

START_TEST(counts)
{
	struct pk_stacks_count count;
	uint64_t chain[200];

	begin(CHAINS);
	for (uint64_t i = 0; i < COUNT(chain); i++)
		chain[i] = i + 1;
	stack_in(2, 5, 0, chain, 126);
	pk_stacks_counted(stacks, &count);
	ck_assert_uint_eq(count.stacks_truncated, 0);
	stack_in(2, 5, 0, chain, 127);
	stack_in(2, 5, 0, chain, 127);
	event.attr.sample_max_stack = 10;
	stack_in(2, 5, 0, chain, 9);
	nothing = true;
	chain[9] = 1000;
	stack_in(2, 5, 0, chain, 10);
	pk_stacks_counted(stacks, &count);
	ck_assert_uint_eq(count.stacks_truncated, 3);
	ck_assert_uint_eq(count.samples, 5);
	ck_assert_uint_eq(count.frames, 126 + 127 + 127 + 9 + 10);
	ck_assert_uint_eq(count.frames_unresolved, 1);
	stack_in(2, 5, 0, chain, 10);
	pk_stacks_counted(stacks, &count);
	ck_assert_uint_eq(count.frames_unresolved, 2);
	end();
}
END_TEST

/* An invalid sample has no stack. */
START_TEST(malformed)
{
	struct pk_stacks_count count;
	struct built b = {0};
	struct pk_record record;

	begin(CHAINS);
	for (unsigned int words = 0; words < 4; words++) {
		open_record(&b, PERF_RECORD_SAMPLE, 2);
		for (unsigned int i = 0; i < words; i++)
			put(&b, 8, 1);
		close_record(&b);
		record = last_built(&b);
		ck_assert_uint_eq(pk_stacks_of(stacks, session, &event, &record), 0);
		built_clear(&b);
	}
	/* The fields after the callchain do not fit into the record. */
	event.attr.sample_type |= PERF_SAMPLE_WEIGHT;
	ck_assert_uint_eq(STACK(2, 5, 1), 0);
	pk_stacks_counted(stacks, &count);
	ck_assert_uint_eq(count.samples_bad, 5);
	ck_assert_uint_eq(count.samples, 0);
	end();
}
END_TEST

/* There are more callchains than the cache can store. Then a new session starts. */
START_TEST(many)
{
	uint32_t first[1000];

	begin(CHAINS);
	comm_is(5, 5, "c");
	for (uint64_t turn = 0; turn < 2; turn++) {
		for (uint64_t i = 0; i < 9000; i++) {
			uint64_t chain[1001] = {USER};
			uint32_t stack;

			for (uint64_t j = 1; j < 1001; j++)
				chain[j] = 1 + j % 10;
			chain[50] = 100 + i;
			stack = stack_in(2, 5, 0, chain, COUNT(chain));
			if (!turn && i < COUNT(first))
				first[i] = stack;
			else if (i < COUNT(first))
				ck_assert_uint_eq(stack, first[i]);
			if (turn && i > COUNT(first))
				break;
		}
	}
	ck_assert_uint_eq(resolved, 9000 + 10 + 1); /* 1 address occurs as a leaf and as a caller */
	pk_session_free(session);
	session = pk_session_new();
	comm_is(5, 5, "other");
	pk_stacks_forget(stacks);
	pk_dictionary_clear(dictionary);
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 1)), "other;u1");
	end();
}
END_TEST

/* The own address of the sample is not the first address of its callchain. */
START_TEST(own)
{
	begin(CHAINS);
	whole = true;
	comm_is(5, 5, "c");
	/* Both addresses are in the same function. */
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x10, USER, 0x1c, 0x20)), "c;u20;u10");
	/* The interrupt came after a call: 0x2e, in the function of the own address, called 0x30.
	 */
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x29, USER, 0x30, 0x2e, 0x40)), "c;u40;u20");
	/* The interrupt came after a return. */
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x80, USER, 0x30, 0x40)), "c;u40;u30;u80");
	/* The interrupt came after the start of a system call, which is in the callchain. */
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x81, KERNEL, 1, 2, USER, 0x83, 0x40)),
			 "c;u40;u80");
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x81, KERNEL, 1, 2)), "c;u80");
	/* The sample is in the kernel, and its callchain has only user addresses. */
	ck_assert_str_eq(text_of(STACK_AT(1, 5, 0x80, USER, 0x30, 0x40)), "c;u40;u30;k80");
	/* The callchain has only markers. */
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x30, USER)), "c;u30");
	ck_assert_str_eq(text_of(STACK_AT(4, 5, 0x10, KERNEL, USER)), "c;gk10");
	/* The mode of the own address is unknown. */
	ck_assert_str_eq(text_of(STACK_AT(0, 5, 0x80, USER, 0x30, 0x40)), "c;u40;u30");
	pk_stacks_forget(stacks);
	pk_stacks_leaves(stacks, true);
	ck_assert_str_eq(text_of(STACK_AT(2, 5, 0x80, USER, 0x30, 0x40)), "c;u80");
	end();
}
END_TEST

START_TEST(no_resolver)
{
	begin(CHAINS);
	pk_stacks_free(stacks);
	stacks = pk_stacks_new(dictionary, PK_FRAMES_OF_ADDRESSES, NULL, NULL);
	comm_is(5, 5, "c");
	ck_assert_str_eq(text_of(STACK(2, 5, USER, 1, 2)), "c;-;-");
	end();
}
END_TEST

RUN_TESTS("stacks", order, markers, unmerged, no_callchain, lookups, processes, functions, callers,
	  callers_are_cached_apart, inlines, leaves, kernel_maps_change, retries, frames, counts,
	  malformed, many, own, no_resolver)
