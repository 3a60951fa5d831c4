/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_KERNEL_TYPES_H
#define PK_RECORD_BPF_KERNEL_TYPES_H

/* The members of kernel structures that the BPF programs read. When the programs are loaded, libbpf
 * replaces the offsets of these members by the offsets in the running kernel, from the kernel's
 * BTF. NAME___before_VERSION is the structure NAME in kernels that are older than this version. */

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

/* The memory that the kernel adds to a process for copies of instructions that have probes. */
struct xol_area {
	unsigned long vaddr;
} __attribute__((preserve_access_index));

/* A call of a function with a return probe, which has not returned yet. */
struct return_instance {
	unsigned long stack; /* the stack pointer at the start of the function */
	unsigned long orig_ret_vaddr;
	struct return_instance *next;
} __attribute__((preserve_access_index));

/* The state of the probes (uprobes) of a task. */
struct uprobe_task {
	unsigned long vaddr; /* address of the instruction that has the probe */
	unsigned long
		xol_vaddr; /* address at which the kernel executes a copy of this instruction */
	struct uprobe *active_uprobe;		  /* not NULL while the copy is executed */
	struct return_instance *return_instances; /* the calls that have a return probe and have not
						   * returned; the innermost call is first */
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
