// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

/* ---- Records ---- */

/* If each allocation is recorded, a full ring makes the program wait. Once per second, it checks
 * that pk-record still runs. */
#define STEP	     200000 /* ns */
#define STEPS_SECOND 5000
#define STEPS_MAX    (60 * STEPS_SECOND)

/* The value of `tail` at the end of the last wait in vain. Until `tail` changes, nobody waits. */
static _Atomic(uint64_t) given_up = UINT64_MAX;

/* Waits until the reader has read something after `tail`. Returns false if it does not. */
static bool wait_for_room(uint64_t tail)
{
	const struct timespec step = {.tv_nsec = STEP};

	if (heap_link.mean > 1 || atomic_load(&given_up) == tail)
		return false;
	for (int i = 1; i <= STEPS_MAX; i++) {
		nanosleep(&step, NULL);
		if (atomic_load(heap_shared(&heap_link.ring->tail)) != tail)
			return true;
		if (i % STEPS_SECOND == 0 && !link_is_alive())
			break;
	}
	atomic_store(&given_up, tail);
	return false;
}

/* Reserves room in the ring. Returns NULL if there is none. Sets *position for publish(). */
static struct heap_record *reserve(size_t size, uint64_t *position)
{
	struct heap_ring *ring = heap_link.ring;
	uint64_t head = atomic_load(heap_shared(&ring->head));
	struct heap_record *record;

	do {
		uint64_t tail = atomic_load(heap_shared(&ring->tail));

		while (head + size - tail > heap_link.size) {
			if (!wait_for_room(tail))
				return NULL;
			tail = atomic_load(heap_shared(&ring->tail));
			head = atomic_load(heap_shared(&ring->head));
		}
	} while (!atomic_compare_exchange_weak(heap_shared(&ring->head), &head, head + size));
	record = (struct heap_record *)(heap_link.data + head % heap_link.size);
	*position = head + 1;
	*record =
		(struct heap_record){.size = (uint32_t)size, .tid = (uint32_t)syscall(SYS_gettid)};
	return record;
}

static void publish(struct heap_record *record, uint64_t position)
{
	atomic_store_explicit(heap_shared(&record->position), position, memory_order_release);
}

static void lose(size_t bytes)
{
	atomic_fetch_add(heap_shared(&heap_link.ring->lost), 1);
	atomic_fetch_add(heap_shared(&heap_link.ring->lost_bytes), bytes);
}

/* ---- Stacks ---- */

extern void *__libc_stack_end __attribute__((weak));

/* Returns the number of bytes from `sp` to the end of the stack, or `limit` if that is less. In
 * glibc and musl, the stack of a thread ends before its pthread_t. On another stack, such as that
 * of a coroutine, the number is too large, which is harmless. */
static size_t stack_bytes(uintptr_t sp, size_t limit)
{
	const uintptr_t self = (uintptr_t)pthread_self(),
			main = &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
	size_t bytes = limit;

	if (self > sp && self - sp < bytes)
		bytes = self - sp;
	if (main > sp && main - sp < bytes)
		bytes = main - sp;
	return bytes & ~(size_t)7;
}

/* Copies the stack from `sp` on. Returns the number of bytes. Memory that is not mapped must not
 * end the program, so the kernel copies. If the kernel refuses to copy, only the rest of the page
 * is copied. */
static size_t copy_stack(uint8_t *to, uintptr_t sp, size_t size)
{
	enum { PAGE = 4096, PIECES = 17 };
	struct iovec pieces[PIECES], whole = {to, size};
	unsigned int count = 0;
	ssize_t copied;

	for (size_t done = 0, piece; done < size && count < PIECES; done += piece) {
		piece = PAGE - (sp + done) % PAGE;
		if (piece > size - done)
			piece = size - done;
		pieces[count++] = (struct iovec){(void *)(sp + done), piece};
	}
	copied = process_vm_readv(getpid(), &whole, 1, pieces, count, 0);
	if (copied > 0)
		return (size_t)copied & ~(size_t)7;
	memcpy(to, (void *)sp, pieces[0].iov_len);
	return pieces[0].iov_len & ~(size_t)7;
}

/* ---- Samples ---- */

static void write_allocation(const struct heap_registers *registers, const void *p, size_t bytes)
{
	const uintptr_t sp = registers->values[HEAP_REGISTER_SP];
	const size_t stack = stack_bytes(sp, heap_link.stack_size);
	struct heap_record *record;
	struct heap_allocated *allocated;
	uint64_t position;

	record = reserve(sizeof(*allocated) + stack, &position);
	if (!record) {
		lose(bytes);
		if (heap_link.mean > 1)
			live_remove(p);
		return;
	}
	allocated = (struct heap_allocated *)record;
	record->kind = HEAP_ALLOCATED;
	record->time = heap_now();
	record->address = (uintptr_t)p;
	record->bytes = bytes;
	memcpy(allocated->registers, registers->values, sizeof(allocated->registers));
	record->stack_size = (uint32_t)copy_stack((uint8_t *)(allocated + 1), sp, stack);
	publish(record, position);
}

void heap_allocated(const struct heap_registers *registers, const void *p, size_t size)
{
	struct heap_thread *thread = &heap_thread;
	const int error = errno;
	int cancel;

	thread->taken++;
	if (thread->inside) {
		/* A signal handler has called the allocator. */
		if (heap_link.ring)
			lose(size);
		return;
	}
	thread->inside = true;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (!thread->random && heap_link.mean) {
		thread_start(thread, heap_link.mean);
		thread->left -= (int64_t)size;
	}
	if (thread->left < 0 && (heap_link.ring || link_start())) {
		thread_draw(thread, heap_link.mean);
		if (heap_link.mean > 1 && !live_add(p))
			lose(size);
		else
			write_allocation(registers, p, size);
	}
	pthread_setcancelstate(cancel, NULL);
	thread->inside = false;
	errno = error;
}

bool heap_forget(const void *p)
{
	if (heap_link.mean != 1)
		return live_remove(p);
	return p && heap_link.ring && !heap_thread.inside;
}

void heap_remember(const void *p)
{
	if (heap_link.mean != 1)
		live_add(p);
}

void heap_freed(const void *p, uint64_t time)
{
	const int error = errno;
	struct heap_record *record;
	uint64_t position;
	int cancel;

	heap_thread.inside = true;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	record = heap_link.ring ? reserve(sizeof(*record), &position) : NULL;
	if (record) {
		record->kind = HEAP_FREED;
		record->time = time;
		record->address = (uintptr_t)p;
		publish(record, position);
	} else if (heap_link.ring) {
		atomic_fetch_add(heap_shared(&heap_link.ring->lost_frees), 1);
	}
	pthread_setcancelstate(cancel, NULL);
	heap_thread.inside = false;
	errno = error;
}
