/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_BPF_CODE_H
#define PK_ANNOTATE_BPF_CODE_H

/* The code of BPF programs, as compiled by the kernel, from the feature BPF_PROG_INFO. */

#include "pkstream.h"

/* The functions of the BPF programs of a session, sorted by address. Zeroed, it is empty. */
struct bpf_code {
	struct bpf_piece {
		uint64_t address; /* address of its first byte in the kernel's memory */
		uint8_t *bytes;
		size_t size;
	} * pieces;
	size_t count, capacity;
};

/* Replaces the programs by those of the feature. Skips malformed ones, those without code, and all
 * that follow an invalid size. */
PK_MUST_CHECK enum pk_status pk_bpf_code_read(struct bpf_code *code,
					      const struct pk_feature_content *feature);
/* The piece that contains an address, or NULL. */
const struct bpf_piece *pk_bpf_code_at(const struct bpf_code *code, uint64_t address);
void pk_bpf_code_clear(struct bpf_code *code);

#endif
