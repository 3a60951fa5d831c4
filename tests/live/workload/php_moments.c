// SPDX-License-Identifier: BSD-2-Clause
/* A function that PHP calls by FFI, and that has a probe of the test. */
#include <stdint.h>

__attribute__((noinline, visibility("default"))) void php_moment(uint64_t number)
{
	__asm__ volatile("" : : "r"(number) : "memory");
}
