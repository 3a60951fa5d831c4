/* SPDX-License-Identifier: BSD-2-Clause */
/* Statuses, and unaligned numbers. Programs include pkstream.h. */
#ifndef PKSTREAM_BASE_H
#define PKSTREAM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PK_API	      __attribute__((visibility("default")))
#define PK_MUST_CHECK __attribute__((warn_unused_result))

/* The results of functions. Errors are negative. */
enum pk_status {
	PK_OK = 0,
	PK_END = 1,	   /* the input is complete, and ends after a record */
	PK_TRUNCATED = -1, /* the input is incomplete: it is empty, ends within a header, record or
			    * file, or lacks its END record */
	PK_CORRUPT = -2,   /* the input has invalid bytes */
	PK_IO = -3,    /* reading or writing failed; the error text of the reader or writer has the
			* reason */
	PK_NOMEM = -4, /* memory is exhausted */
	PK_UNSUPPORTED = -5, /* well-formed input that this version cannot read */
	PK_FAILED = -6, /* the call failed, and the reason has already been reported; libpkstream
			 * does not return this */
};

/* Returns a short English text for a status. The text is static and never NULL. */
PK_API const char *pk_status_text(enum pk_status status);
PK_API const char *pk_version(void);

/* ---- Unaligned numbers in host order ---- */

static inline uint16_t pk_load_u16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t pk_load_u32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t pk_load_u64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void pk_store_u16(void *p, uint16_t v)
{
	memcpy(p, &v, sizeof(v));
}

static inline void pk_store_u32(void *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

static inline void pk_store_u64(void *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

#ifdef __cplusplus
}
#endif
#endif
