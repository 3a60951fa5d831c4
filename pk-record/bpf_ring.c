// SPDX-License-Identifier: BSD-2-Clause
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf_ring.h"
#include "pkutil.h"

/* The kernel maps a page with the consumer's position, a page with the producer's, and the data
 * twice, so that each record is contiguous. */
static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

bool bpf_ring_map(struct bpf_ring *ring, int fd, size_t size)
{
	const size_t page = page_size();
	void *consumed = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), *produced;

	if (consumed == MAP_FAILED)
		return false;
	produced = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, fd, (off_t)page);
	if (produced == MAP_FAILED) {
		munmap(consumed, page);
		return false;
	}
	*ring = (struct bpf_ring){.consumed = consumed,
				  .produced = produced,
				  .data = (const uint8_t *)produced + page,
				  .size = size};
	return true;
}

void bpf_ring_unmap(struct bpf_ring *ring)
{
	if (!ring->data)
		return;
	munmap(ring->consumed, page_size());
	munmap((void *)(uintptr_t)ring->produced, page_size() + 2 * ring->size);
	*ring = (struct bpf_ring){.data = NULL};
}

size_t bpf_ring_read(struct bpf_ring *ring, size_t most,
		     void (*each)(void *arg, const uint8_t *data, size_t size), void *arg)
{
	const uint64_t end = __atomic_load_n(ring->produced, __ATOMIC_ACQUIRE);
	const uint64_t start = __atomic_load_n(ring->consumed, __ATOMIC_RELAXED);
	uint64_t at = start;
	size_t count = 0;

	while (at < end && at - start < most) {
		const uint8_t *record = ring->data + (at & (ring->size - 1));
		const uint32_t word = __atomic_load_n((const uint32_t *)record, __ATOMIC_ACQUIRE);
		const uint32_t size = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (word & BPF_RINGBUF_BUSY_BIT || size > ring->size - BPF_RINGBUF_HDR_SZ)
			break;
		if (!(word & BPF_RINGBUF_DISCARD_BIT)) {
			each(arg, record + BPF_RINGBUF_HDR_SZ, size);
			count++;
		}
		at += PK_ALIGN8((uint64_t)size + BPF_RINGBUF_HDR_SZ);
	}
	__atomic_store_n(ring->consumed, at, __ATOMIC_RELEASE);
	return count;
}
