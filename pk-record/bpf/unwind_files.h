/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_FILES_H
#define PK_RECORD_BPF_UNWIND_FILES_H

/* Gives numbers to mapped files. A file is identified by what the kernel knows of its content. */

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "kernel_types.h"
#include "maps.h"
#include "unwind_shapes.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(struct unwind_numbers));
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
} numbers SEC(".maps");

/* The numbers of the files that were mapped by recorded processes. */
MAP(files, HASH, sizeof(struct unwind_file), sizeof(uint32_t), UNWIND_OBJECTS_MAX);

static void read_key(const struct inode *inode, struct unwind_file *key)
{
	const struct inode___before_6_11 *before = (const void *)inode;
	const struct inode___before_6_7 *old = (const void *)inode;

	key->inode = BPF_CORE_READ(inode, i_ino);
	key->size = BPF_CORE_READ(inode, i_size);
	key->device = BPF_CORE_READ(inode, i_sb, s_dev);
	if (bpf_core_field_exists(inode->i_mtime_sec)) {
		key->seconds = BPF_CORE_READ(inode, i_mtime_sec);
		key->nanoseconds = BPF_CORE_READ(inode, i_mtime_nsec);
	} else if (bpf_core_field_exists(before->__i_mtime)) {
		key->seconds = BPF_CORE_READ(before, __i_mtime.tv_sec);
		key->nanoseconds = BPF_CORE_READ(before, __i_mtime.tv_nsec);
	} else {
		key->seconds = BPF_CORE_READ(old, i_mtime.tv_sec);
		key->nanoseconds = BPF_CORE_READ(old, i_mtime.tv_nsec);
	}
}

static void count_full(uint64_t *count)
{
	__sync_fetch_and_add(count, 1);
}

static struct unwind_numbers *get_numbers(void)
{
	const uint32_t first = 0;

	return bpf_map_lookup_elem(&numbers, &first);
}

/* Returns the number that identifies a file. If the file has no number, gives it the next one.
 * Returns 0 if there are no more numbers. */
static uint32_t number_of(const struct inode *inode)
{
	struct unwind_numbers *n = get_numbers();
	struct unwind_file key = {0};
	uint32_t *known, number;

	read_key(inode, &key);
	known = bpf_map_lookup_elem(&files, &key);
	if (known || !n)
		return known ? *known : 0;
	if (n->next >= UNWIND_OBJECTS_MAX) {
		count_full(&n->full);
		return 0;
	}
	number = __sync_fetch_and_add(&n->next, 1);
	if (number >= UNWIND_OBJECTS_MAX)
		return 0;
	if (!bpf_map_update_elem(&files, &key, &number, BPF_NOEXIST))
		return number;
	known = bpf_map_lookup_elem(
		&files, &key); /* another CPU has given a number to the file at the same time */
	return known ? *known : 0;
}

#endif
