/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SPE_BUILDER_H
#define SPE_BUILDER_H

/* Writes packets of Arm SPE. Include stream_builder.h first. The numbers of packets are
 * little-endian in every stream. */

static inline void spe_number(struct built *b, unsigned int width, uint64_t value)
{
	for (unsigned int i = 0; i < width; i++, value >>= 8)
		put(b, 1, value & 0xff);
}

/* Writes a packet whose payload has `width` bytes: 1, 2, 4 or 8. */
static inline void spe_packet(struct built *b, uint8_t header, unsigned int width, uint64_t payload)
{
	put(b, 1, header | (unsigned int)__builtin_ctz(width) << 4);
	spe_number(b, width, payload);
}

/* Writes the address of code. At level 0 is the code of programs, at levels 1 and 2 the kernel. */
static inline void spe_code(struct built *b, unsigned int index, uint64_t address,
			    unsigned int level)
{
	const uint64_t bits = (address & ((UINT64_C(1) << 56) - 1)) | UINT64_C(1) << 63;

	spe_packet(b, (uint8_t)(0x80 | index), 8, bits | (uint64_t)level << 61);
}

static inline void spe_data(struct built *b, uint64_t address)
{
	spe_packet(b, 0x82, 8, address);
}

static inline void spe_operation(struct built *b, unsigned int class, unsigned int bits)
{
	spe_packet(b, (uint8_t)(0x48 | class), 1, bits);
}

static inline void spe_events(struct built *b, unsigned int width, uint64_t events)
{
	spe_packet(b, 0x42, width, events);
}

static inline void spe_latency(struct built *b, unsigned int index, unsigned int cycles)
{
	spe_packet(b, (uint8_t)(0x88 | index), 2, cycles);
}

static inline void spe_context(struct built *b, unsigned int level, uint32_t thread)
{
	spe_packet(b, (uint8_t)(0x44 | (level - 1)), 4, thread);
}

static inline void spe_source(struct built *b, unsigned int source)
{
	spe_packet(b, 0x43, 1, source);
}

static inline void spe_time(struct built *b, uint64_t counter)
{
	spe_packet(b, 0x41, 8, counter);
}

/* Writes the record of a load. */
static inline void spe_load(struct built *b, uint64_t ip, uint32_t thread, uint64_t counter)
{
	spe_code(b, 0, ip, 0);
	spe_context(b, 1, thread);
	spe_operation(b, 1, 0);
	spe_events(b, 2, 0x16);
	spe_latency(b, 0, 12);
	spe_data(b, 0x7f0000001000);
	spe_source(b, 0);
	spe_time(b, counter);
}

#endif
