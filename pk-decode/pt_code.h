/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_CODE_H
#define PK_PT_CODE_H

/* The code of the recorded threads, for the decoder of Intel PT. It comes from the files that were
 * mapped, from perf's cache of files, or from jitdumps. Pages are cached. */

#include "code_reader.h"
#include "pt_decoder.h"
#include "session.h"

struct pt_code;

/* The caller keeps session and reader. Returns NULL if memory is exhausted. */
struct pt_code *pt_code_new(struct pk_session *session, struct code_reader *reader);
void pt_code_free(struct pt_code *code);
/* Returns the code of a thread as a number of its address space. */
struct pt_space pt_code_space(const struct pt_code *code, uint32_t pid, uint32_t tid);
/* Sets *start and *end to a range around `ip` (struct pt_source). */
bool pt_code_range(const struct pt_code *code, uint32_t pid, uint32_t tid, uint64_t ip,
		   uint64_t *start, uint64_t *end);
/* Copies up to `size` bytes of the code of a thread. Returns the number of bytes. */
size_t pt_code_read(struct pt_code *code, uint32_t pid, uint32_t tid, uint64_t ip, uint8_t *to,
		    size_t size);

#endif
