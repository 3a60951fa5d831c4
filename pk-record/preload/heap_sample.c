// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
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
	*record = (struct heap_record){.size = (uint32_t)size, .tid = thread_id(&heap_thread)};
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

/* Returns the end of the stack that `sp` points into. In glibc and musl, the stack of a thread ends
 * before its pthread_t. On another stack, such as that of a coroutine, the result is too large,
 * which is harmless. */
static uintptr_t stack_end(uintptr_t sp)
{
	const uintptr_t self = (uintptr_t)pthread_self(),
			main = &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
	uintptr_t end = UINTPTR_MAX;

	if (self > sp)
		end = self;
	if (main > sp && main < end)
		end = main;
	return end;
}

/* Lets the kernel copy the stack from `sp` on, because memory that is not mapped must not end the
 * program. If the kernel refuses to copy, only the rest of the page is copied. Returns the number
 * of bytes. */
static size_t copy_checked(uint8_t *to, uintptr_t sp, size_t size)
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

/* Copies the stack from `sp` on, which ends at `end`. Returns the number of bytes. A checked copy
 * that reaches the end of the stack, or a part that was checked before, shows that all memory from
 * `sp` to the end is mapped. It stays mapped as long as the thread runs. */
static size_t copy_stack(uint8_t *to, uintptr_t sp, size_t size, uintptr_t end)
{
	struct heap_thread *thread = &heap_thread;
	const bool same = thread->stack_end == end;
	size_t copied;

	if (same && sp >= thread->stack_checked) {
		memcpy(to, (void *)sp, size);
		return size;
	}
	copied = copy_checked(to, sp, size);
	if (copied == size &&
	    (end - sp - size < 8 || (same && sp + size >= thread->stack_checked))) {
		thread->stack_end = end;
		thread->stack_checked = sp;
	}
	return copied;
}

/* ---- Samples ---- */

static void write_allocation(const struct heap_registers *registers, const void *p, size_t bytes)
{
	const uintptr_t sp = registers->values[HEAP_REGISTER_SP];
	const uintptr_t end = stack_end(sp);
	const size_t limit = heap_link.stack_size,
		     stack = (end - sp < limit ? end - sp : limit) & ~(size_t)7;
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
	record->stack_size = (uint32_t)copy_stack((uint8_t *)(allocated + 1), sp, stack, end);
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
	/* A library can allocate memory before the constructor of this one has connected. */
	if (!thread->random && (heap_link.mean || link_start())) {
		thread_start(thread, heap_link.mean);
		thread->left -= (int64_t)size;
	}
	if (thread->left < 0 && thread->random && (heap_link.ring || link_start())) {
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

bool heap_forget_sampled(const void *p)
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
