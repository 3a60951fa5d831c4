// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pkutil.h"
#include "spe.h"

/* ---- Packets ---- */

/* The first byte of a packet. The bits that are not fixed contain the size or an index. */
enum {
	HEADER_PAD = 0x00,
	HEADER_END = 0x01,
	HEADER_EXTENDED = 0x20,	 /* mask 0xfc: the second byte is a header with a longer index */
	HEADER_EVENTS = 0x42,	 /* mask 0xcf */
	HEADER_SOURCE = 0x43,	 /* mask 0xcf */
	HEADER_OPERATION = 0x48, /* mask 0xfc */
	HEADER_CONTEXT = 0x64,	 /* mask 0xfc */
	HEADER_TIMESTAMP = 0x71,
	HEADER_COUNTER = 0x98, /* mask 0xf8 */
	HEADER_ADDRESS = 0xb0, /* mask 0xf8 */
};

/* Indexes of addresses and counters. */
enum {
	ADDRESS_IP = 0,
	ADDRESS_TARGET = 1,
	ADDRESS_VIRTUAL = 2,
	ADDRESS_PHYSICAL = 3,
	COUNTER_TOTAL = 0,
};

#define EXCEPTION_LEVEL_SHIFT 61
#define NON_SECURE	      (UINT64_C(1) << 63)
#define ADDRESS_BITS	      ((UINT64_C(1) << 56) - 1)
#define TOP_BYTE	      (~ADDRESS_BITS)

/* A packet: its header, an index that the header contains, and its payload. */
struct packet {
	uint8_t header; /* one of HEADER_* */
	unsigned int index;
	uint64_t payload;
};

/* The size of the payload is a power of two. */
static size_t payload_size(uint8_t header)
{
	return (size_t)1 << (header >> 4 & 3);
}

static uint64_t little_endian(const uint8_t *at, size_t size)
{
	uint64_t value = 0;

	for (size_t i = size; i--;)
		value = value << 8 | at[i];
	return value;
}

/* Returns the kind of a header of one byte, or HEADER_PAD if it is unknown. `bits` gets the part of
 * the header that is the index. */
static uint8_t kind_of(uint8_t header, unsigned int *index)
{
	*index = 0;
	if (header == HEADER_TIMESTAMP)
		return header;
	if ((header & 0xcf) == HEADER_EVENTS || (header & 0xcf) == HEADER_SOURCE)
		return header & 0xcf;
	if ((header & 0xfc) == HEADER_CONTEXT || (header & 0xfc) == HEADER_OPERATION) {
		*index = header & 3;
		return header & 0xfc;
	}
	if ((header & 0xf8) == HEADER_ADDRESS || (header & 0xf8) == HEADER_COUNTER) {
		*index = header & 7;
		return header & 0xf8;
	}
	return HEADER_PAD;
}

/* Reads a packet that has a payload. Returns the size of the packet, 0 if it has more than `left`
 * bytes, or -1 if the header is unknown. */
static int read_packet(struct packet *packet, const uint8_t *at, size_t left)
{
	const bool extended = (at[0] & 0xfc) == HEADER_EXTENDED;
	const size_t head = extended ? 2 : 1;
	size_t size;

	if (left < head)
		return 0;
	packet->header = kind_of(at[head - 1], &packet->index);
	if (packet->header == HEADER_PAD)
		return -1;
	if (extended && packet->header != HEADER_ADDRESS && packet->header != HEADER_COUNTER)
		return -1;
	if (extended)
		packet->index |= (at[0] & 3u) << 3;
	size = payload_size(at[head - 1]);
	if (left < head + size)
		return 0;
	packet->payload = little_endian(at + head, size);
	return (int)(head + size);
}

/* ---- Records ---- */

/* The upper byte of an address of code has the exception level. The kernel runs at level 1 or 2,
 * and its addresses have the upper byte 0xff. */
static uint64_t code_address(uint64_t payload)
{
	const unsigned int level = payload >> EXCEPTION_LEVEL_SHIFT & 3;
	const bool kernel = payload & NON_SECURE && (level == 1 || level == 2);

	return (payload & ADDRESS_BITS) | (kernel ? TOP_BYTE : 0);
}

/* The upper byte of an address of data is a tag. */
static uint64_t data_address(uint64_t payload)
{
	const bool kernel = (payload >> 52 & 15) == 15;

	return (payload & ADDRESS_BITS) | (kernel ? TOP_BYTE : 0);
}

static void add_address(struct spe_record *record, const struct packet *packet)
{
	switch (packet->index) {
	case ADDRESS_IP: record->ip = code_address(packet->payload); break;
	case ADDRESS_TARGET: record->target = code_address(packet->payload); break;
	case ADDRESS_VIRTUAL: record->address = data_address(packet->payload); break;
	case ADDRESS_PHYSICAL: record->physical = packet->payload & ADDRESS_BITS; break;
	default: break;
	}
}

static void add_operation(struct spe_record *record, const struct packet *packet)
{
	const uint64_t payload = packet->payload;

	record->class = (enum spe_class)packet->index;
	record->store = record->class == SPE_MEMORY && payload & 1;
	if (record->class != SPE_BRANCH)
		return;
	record->conditional = payload & 1;
	record->indirect = payload & 2;
	record->kind = (enum spe_branch_kind)(payload >> 3 & 3);
}

static void add_packet(struct spe_record *record, const struct packet *packet)
{
	switch (packet->header) {
	case HEADER_EVENTS: record->events |= packet->payload; break;
	case HEADER_SOURCE:
		record->source = packet->payload;
		record->has_source = true;
		break;
	case HEADER_OPERATION: add_operation(record, packet); break;
	case HEADER_ADDRESS: add_address(record, packet); break;
	case HEADER_CONTEXT:
		record->context = packet->payload;
		record->has_context = true;
		break;
	case HEADER_COUNTER:
		if (packet->index == COUNTER_TOTAL)
			record->latency = (uint32_t)packet->payload;
		break;
	case HEADER_TIMESTAMP:
		record->time = packet->payload;
		record->has_time = true;
		break;
	default: break;
	}
}

/* Returns the size of a packet that aligns the next one, or 0 if it is another packet. */
static size_t alignment(const struct spe_decoder *decoder, const uint8_t *at, size_t left)
{
	const size_t to = (size_t)2 << (at[0] & 15);

	if ((at[0] & 0xfc) != HEADER_EXTENDED || left < 2 || at[1])
		return 0;
	return to - (decoder->offset & (to - 1));
}

static enum spe_step step(struct spe_decoder *decoder, size_t *used, size_t size,
			  enum spe_step result)
{
	*used = size;
	decoder->offset += size;
	decoder->ended = result == SPE_STEP_RECORD;
	return result;
}

enum spe_step spe_decode(struct spe_decoder *decoder, const uint8_t *at, size_t left, size_t *used)
{
	struct packet packet;
	size_t pad;
	int size;

	*used = 0;
	if (!left)
		return SPE_STEP_SHORT;
	if (decoder->ended || !decoder->any) {
		decoder->record = (struct spe_record){.class = SPE_NO_CLASS};
		decoder->any = decoder->ended = false;
	}
	if (at[0] == HEADER_PAD)
		return step(decoder, used, 1, SPE_STEP_MORE);
	if (at[0] == HEADER_END)
		return step(decoder, used, 1, decoder->any ? SPE_STEP_RECORD : SPE_STEP_MORE);
	pad = alignment(decoder, at, left);
	if (pad)
		return pad <= left ? step(decoder, used, pad, SPE_STEP_MORE) : SPE_STEP_SHORT;
	size = read_packet(&packet, at, left);
	if (size < 0)
		return step(decoder, used, 1, SPE_STEP_BAD);
	if (!size)
		return SPE_STEP_SHORT;
	if (packet.header == HEADER_OPERATION && packet.index >= SPE_NO_CLASS)
		return step(decoder, used, 1, SPE_STEP_BAD);
	decoder->any = true;
	add_packet(&decoder->record, &packet);
	return step(decoder, used, (size_t)size,
		    packet.header == HEADER_TIMESTAMP ? SPE_STEP_RECORD : SPE_STEP_MORE);
}

bool spe_drop(struct spe_decoder *decoder)
{
	const bool any = decoder->any && !decoder->ended;

	decoder->any = decoder->ended = false;
	return any;
}
