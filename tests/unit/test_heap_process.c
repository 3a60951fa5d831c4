// SPDX-License-Identifier: BSD-2-Clause
/* The ring between pk-record and libpkheap.so: order, wrapping, incomplete and invalid records. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap_process.h"
#include "stream_builder.h"

#define RING  ((uint64_t)4 * HEAP_PAGE)
#define STACK 1024

static struct heap_process *process;
static char text[4096]; /* what was read */

static void read_record(void *arg, pid_t pid, const struct heap_record *record,
			const uint64_t *registers, const void *stack)
{
	const uint8_t *bytes = stack;
	const size_t used = strlen(text);

	(void)arg;
	ck_assert_int_eq(pid, getpid());
	if (record->kind == HEAP_FREED)
		snprintf(text + used, sizeof(text) - used, "free %llx;",
			 (unsigned long long)record->address);
	else
		snprintf(text + used, sizeof(text) - used, "alloc %llx %llu sp=%llx %u:%x;",
			 (unsigned long long)record->address, (unsigned long long)record->bytes,
			 (unsigned long long)registers[HEAP_REGISTER_SP], record->stack_size,
			 record->stack_size ? bytes[record->stack_size - 1] : 0);
}

static const struct heap_reader reader = {read_record, NULL};

static void setup(void)
{
	process = heap_process_new(getpid(), RING, STACK);
	ck_assert(process);
	text[0] = '\0';
}

static void teardown(void)
{
	heap_process_free(process);
}

/* Writes a record as a process does, without its position. */
static struct heap_record *reserve(uint32_t kind, size_t size)
{
	struct heap_record *record = (struct heap_record *)((uint8_t *)process->ring + HEAP_PAGE +
							    process->ring->head % RING);

	*record = (struct heap_record){.size = (uint32_t)size, .kind = kind, .tid = 7};
	process->ring->head += size;
	return record;
}

static void publish(struct heap_record *record)
{
	const uint64_t at = (uint64_t)((uint8_t *)record - (uint8_t *)process->ring) - HEAP_PAGE;
	uint64_t head = process->ring->head - process->ring->head % RING + at;

	if (head >= process->ring->head)
		head -= RING;
	record->position = head + 1;
}

static void add_free(uint64_t address)
{
	struct heap_record *record = reserve(HEAP_FREED, sizeof(*record));

	record->address = address;
	publish(record);
}

static struct heap_record *add_allocation(uint64_t address, uint32_t stack)
{
	struct heap_allocated *allocated =
		(struct heap_allocated *)reserve(HEAP_ALLOCATED, sizeof(*allocated) + stack);

	allocated->record.address = address;
	allocated->record.bytes = 100;
	allocated->record.stack_size = stack;
	allocated->registers[HEAP_REGISTER_SP] = 0x7000;
	memset(allocated + 1, 0xab, stack);
	publish(&allocated->record);
	return &allocated->record;
}

static void read_all(bool all, uint64_t now)
{
	text[0] = '\0';
	heap_process_read(process, &reader, all, now);
}

START_TEST(records)
{
	setup();
	add_allocation(0x1000, 16);
	add_free(0x1000);
	add_allocation(0x2000, 0);
	read_all(false, 1);
	ck_assert_str_eq(text,
			 "alloc 1000 100 sp=7000 16:ab;free 1000;alloc 2000 100 sp=7000 0:0;");
	ck_assert_uint_eq(process->ring->tail, process->ring->head);
	read_all(false, 1);
	ck_assert_str_eq(text, "");
	teardown();
}
END_TEST

/* The ring is filled many times. Records cross its end. */
START_TEST(wrapping)
{
	setup();
	for (int i = 0; i < 2000; i++) {
		add_allocation((uint64_t)i, 1000);
		read_all(false, 1);
		ck_assert_int_eq(strncmp(text, "alloc ", 6), 0);
		ck_assert_ptr_nonnull(strstr(text, "1000:ab;"));
	}
	ck_assert_uint_gt(process->ring->tail, 5 * RING);
	ck_assert(!process->broken);
	teardown();
}
END_TEST

/* The reader waits for an incomplete record, but not forever. */
START_TEST(incomplete)
{
	struct heap_record *record;

	setup();
	add_free(0x1);
	record = reserve(HEAP_FREED, sizeof(*record));
	record->address = 0x2;
	add_free(0x3);
	read_all(false, 1);
	ck_assert_str_eq(text, "free 1;");
	read_all(false, 2);
	ck_assert_str_eq(text, "");
	read_all(false, UINT64_C(2000000000));
	ck_assert_str_eq(text, "free 3;");
	ck_assert_uint_eq(process->ring->lost, 1);

	record = reserve(HEAP_FREED, sizeof(*record));
	record->address = 0x4;
	read_all(false, UINT64_C(2000000001));
	publish(record);
	read_all(false, UINT64_C(2000000002));
	ck_assert_str_eq(text, "free 4;");

	/* A thread that is only stopped completes its record later. */
	record = reserve(HEAP_FREED, sizeof(*record));
	record->address = 0x5;
	record->tid = (uint32_t)getpid();
	read_all(false, UINT64_C(3000000000));
	read_all(false, UINT64_C(9000000000));
	ck_assert_str_eq(text, "");
	publish(record);
	read_all(false, UINT64_C(9000000001));
	ck_assert_str_eq(text, "free 5;");

	/* The process has ended before it wrote the size. */
	record = reserve(0, sizeof(*record));
	record->size = 0;
	read_all(true, UINT64_C(9000000002));
	ck_assert_str_eq(text, "");
	ck_assert_uint_eq(process->tail, process->ring->head);
	ck_assert_uint_eq(process->ring->lost, 2);
	ck_assert(!process->broken);
	teardown();
}
END_TEST

static void damage(int way)
{
	switch (way) {
	case 0: process->ring->head = RING + 8; break;
	case 1: process->ring->head = 12; break;
	case 2:
		add_free(1);
		((struct heap_record *)((uint8_t *)process->ring + HEAP_PAGE))->size = 8;
		break;
	case 3: add_allocation(1, 16)->size = sizeof(struct heap_allocated); break;
	case 4: add_allocation(1, 16)->stack_size = 12; break;
	case 5: ck_assert_uint_gt(add_allocation(1, 2048)->stack_size, STACK); break;
	default:
		add_free(1);
		process->ring->head -= 8;
		break;
	}
}

/* Nothing is read from a ring with invalid values. */
START_TEST(invalid)
{
	for (int i = 0; i < 7; i++) {
		setup();
		damage(i);
		read_all(true, 1);
		ck_assert_str_eq(text, "");
		ck_assert(process->broken);
		process->ring->head = process->tail;
		add_free(2);
		read_all(true, 2);
		ck_assert_str_eq(text, "");
		teardown();
	}
}
END_TEST

RUN_TESTS("heap_process", records, wrapping, incomplete, invalid)
