/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_KERNEL_TYPES_H
#define PK_RECORD_BPF_KERNEL_TYPES_H

/* The members of the kernel's types that the BPF programs read. The loader replaces the offsets by
 * those of the running kernel, from its BTF. NAME___before_VERSION is the type NAME of older
 * kernels. */

#include <stdint.h>

struct task_struct {
	int tgid;
	struct mm_struct *mm;
	struct signal_struct *signal;
	struct uprobe_task *utask;
} __attribute__((preserve_access_index));

struct mm_struct {
	unsigned long start_code;
	struct {
		struct xol_area *xol_area;
	} uprobes_state;
	struct {
		void *vdso;
	} context;
} __attribute__((preserve_access_index));

struct xol_area {
	unsigned long vaddr;
} __attribute__((preserve_access_index));

struct return_instance {
	unsigned long stack; /* the stack pointer where the function starts */
	unsigned long orig_ret_vaddr;
	struct return_instance *next;
} __attribute__((preserve_access_index));

struct uprobe_task {
	unsigned long vaddr;	      /* of the instruction that is executed out of its place */
	unsigned long xol_vaddr;      /* where it is executed */
	struct uprobe *active_uprobe; /* not NULL: it is being executed */
	struct return_instance *return_instances; /* the innermost one first */
} __attribute__((preserve_access_index));

struct signal_struct {
	struct {
		int counter;
	} live;
} __attribute__((preserve_access_index));

struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_pgoff, vm_flags;
	struct file *vm_file;
} __attribute__((preserve_access_index));

struct file {
	struct inode *f_inode;
} __attribute__((preserve_access_index));

struct super_block {
	uint32_t s_dev;
} __attribute__((preserve_access_index));

struct timespec64 {
	int64_t tv_sec;
	long tv_nsec;
} __attribute__((preserve_access_index));

struct inode {
	struct super_block *i_sb;
	unsigned long i_ino;
	int64_t i_size;
	int64_t i_mtime_sec; /* since Linux 6.11 */
	uint32_t i_mtime_nsec;
} __attribute__((preserve_access_index));

struct inode___before_6_11 {
	struct timespec64 __i_mtime;
} __attribute__((preserve_access_index));

struct inode___before_6_7 {
	struct timespec64 i_mtime;
} __attribute__((preserve_access_index));

#endif
