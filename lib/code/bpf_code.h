/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_BPF_CODE_H
#define PK_ANNOTATE_BPF_CODE_H

/* Finds the machine code of BPF programs, which the kernel compiled. The code comes from the
 * feature BPF_PROG_INFO. */

#include "pkstream.h"

/* The functions of the BPF programs of a session, sorted by address. If all members are zero, there
 * are no functions. */
struct bpf_code {
	struct bpf_piece {
		uint64_t address; /* the address of the first byte in the kernel's memory */
		uint8_t *bytes;
		size_t size;
	} * pieces;
	size_t count, capacity;
};

/* Replaces the functions by the functions of the programs in the feature. Skips programs that are
 * malformed or have no code. After an invalid size, skips all programs that follow. */
PK_MUST_CHECK enum pk_status pk_bpf_code_read(struct bpf_code *code,
					      const struct pk_feature_content *feature);
/* Returns the function that contains the address, or NULL if there is none. */
const struct bpf_piece *pk_bpf_code_at(const struct bpf_code *code, uint64_t address);
void pk_bpf_code_clear(struct bpf_code *code);

#endif
