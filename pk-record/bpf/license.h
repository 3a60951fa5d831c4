/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_LICENSE_H
#define PK_RECORD_BPF_LICENSE_H

#include <bpf/bpf_helpers.h>

/* These programs are under either licence. GPL is one of them because the kernel allows helpers
 * such as probe_read only in programs with a GPL-compatible licence. */
char LICENSE[] SEC("license") = "Dual BSD/GPL";

#endif
