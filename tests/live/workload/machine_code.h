/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MACHINE_CODE_H
#define MACHINE_CODE_H

#include <stdint.h>

/* Machine code of a function with a frame pointer. The function counts down from 5,000,000. */
#if defined(__x86_64__)
static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0xb9, 0x40, 0x4b, 0x4c,
			       0x00, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3};
#elif defined(__aarch64__)
static const uint32_t code[] = {0xa9bf7bfd, 0x910003fd, 0x52896800, 0x72a00980,
				0x71000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0};
#else
static const uint8_t code[1];
#endif

#endif
