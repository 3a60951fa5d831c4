// SPDX-License-Identifier: BSD-2-Clause
#include "stream_internal.h"

/*
 * A record's body as a line of letters (SPEC 8.1): '1' to '8' a number of so many bytes; '.' a byte
 * that is not swapped; 's' a NUL-terminated string in a field of a multiple of 8 bytes; '*' u64
 * numbers and '/' u32 numbers to the end (or to the trailer); '-' bytes to the end. What a record
 * is too short for is left out.
 */
static const char *const kernel_bodies[PERF_RECORD_KERNEL_MAX] = {
	[PERF_RECORD_MMAP] = "44888s",
	[PERF_RECORD_LOST] = "88",
	[PERF_RECORD_COMM] = "44s",
	[PERF_RECORD_EXIT] = "44448",
	[PERF_RECORD_THROTTLE] = "888",
	[PERF_RECORD_UNTHROTTLE] = "888",
	[PERF_RECORD_FORK] = "44448",
	[PERF_RECORD_READ] = "44*",
	[PERF_RECORD_MMAP2] = "44888448844s",
	[PERF_RECORD_AUX] = "888",
	[PERF_RECORD_ITRACE_START] = "44",
	[PERF_RECORD_LOST_SAMPLES] = "8",
	[PERF_RECORD_SWITCH] = "",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "44",
	[PERF_RECORD_NAMESPACES] = "44*",
	[PERF_RECORD_KSYMBOL] = "8422s",
	[PERF_RECORD_BPF_EVENT] = "224........",
	[PERF_RECORD_CGROUP] = "8s",
	[PERF_RECORD_TEXT_POKE] = "822-",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "8",
	[PERF_RECORD_CALLCHAIN_DEFERRED] = "8*",
};

static const char *const user_bodies[PERF_RECORD_USER_MAX - PERF_RECORD_USER_START] = {
	[PERF_RECORD_HEADER_EVENT_TYPE - 64] = "8-",
	[PERF_RECORD_HEADER_TRACING_DATA - 64] = "4-",
	[PERF_RECORD_HEADER_BUILD_ID - 64] = "4-",
	[PERF_RECORD_FINISHED_ROUND - 64] = "",
	[PERF_RECORD_ID_INDEX - 64] = "*",
	[PERF_RECORD_AUXTRACE_INFO - 64] = "44*",
	[PERF_RECORD_AUXTRACE - 64] = "8884444",
	[PERF_RECORD_STAT_CONFIG - 64] = "*",
	[PERF_RECORD_STAT - 64] = "844888",
	[PERF_RECORD_STAT_ROUND - 64] = "88",
	[PERF_RECORD_TIME_CONV - 64] = "88888-",
	[PERF_RECORD_COMPRESSED - 64] = "-",
	[PERF_RECORD_FINISHED_INIT - 64] = "",
	[PERF_RECORD_COMPRESSED2 - 64] = "8-",
	[PERF_RECORD_SCHEDSTAT_CPU - 64] = "842..444444888",
	[PERF_RECORD_SCHEDSTAT_DOMAIN - 64] = "8422/",
};

static const char *const definition_bodies[] = {
	[PK_SESSION] = "2..444",
	[PK_STAGE] = "44844-",
	[PK_ORDER] = "44",
	[PK_STRING] = "44-",
	[PK_DSO] = "4444-",
	[PK_FRAME] = "4444444488",
	[PK_STACK] = "4444",
	[PK_LOSS] = "4488",
	[PK_RESET] = "44",
	[PK_FINISH] = "88",
	[PK_IMAGE] = "4444....................4-",
	[PK_SYMBOLS] = "44-",
	[PK_SOURCE] = "448-",
	[PK_FORGET] = "44",
	[PK_FEATURE_PART] = "4488-",
	[PK_ARGUMENTS] = "84-",
};

static void swap_number(uint8_t *p, unsigned int size)
{
	if (size == 8)
		pk_swap_u64(p);
	else if (size == 4)
		pk_swap_u32(p);
	else if (size == 2)
		pk_swap_u16(p);
}

/* Goes from p to end as body says, and swaps on the way if do_swap. False if a string does not end.
 */
static bool walk_body(uint8_t *p, uint8_t *end, const char *body, bool do_swap)
{
	for (; *body; body++) {
		size_t left = (size_t)(end - p), size;

		switch (*body) {
		case 's':
			size = strnlen((const char *)p, left);
			if (size == left)
				return false;
			size = PK_ALIGN8(size + 1);
			p += size < left ? size : left;
			break;
		case '*':
			if (do_swap)
				pk_swap_u64s(p, left / 8);
			return true;
		case '/':
			for (; do_swap && end - p >= 4; p += 4)
				pk_swap_u32(p);
			return true;
		case '-': return true;
		default:
			size = *body == '.' ? 1 : (size_t)(*body - '0');
			if (size > left)
				return true;
			if (do_swap)
				swap_number(p, (unsigned int)size);
			p += size;
			break;
		}
	}
	return true;
}

static bool swap_body(uint8_t *p, uint8_t *end, const char *body)
{
	return walk_body(p, end, body, true);
}

bool pk_swap_attr(uint8_t *attr, size_t room)
{
	static const char body[] = "44888884488884484" /* to aux_watermark */
				   "2..44888";
	uint64_t flags, precise, mirrored = 0;
	size_t size;

	if (room < PERF_ATTR_SIZE_VER0)
		return false;
	size = __builtin_bswap32(pk_load_u32(attr + 4));
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > room)
		return false;
	swap_body(attr, attr + size, body);
	/* Bitfields begin at the other end of the word: bit k of one order is bit 63 - k of the
	 * other, but for the two bits of precise_ip, which keep their own order. */
	flags = pk_load_u64(attr + 40);
	for (int bit = 0; bit < 64; bit++)
		mirrored |= ((flags >> bit) & 1) << (63 - bit);
	precise = (mirrored & PERF_ATTR_PRECISE_IP_MASK) >> PERF_ATTR_PRECISE_IP_SHIFT;
	precise = (precise >> 1 | precise << 1) & 3;
	mirrored &= ~PERF_ATTR_PRECISE_IP_MASK;
	pk_store_u64(attr + 40, mirrored | precise << PERF_ATTR_PRECISE_IP_SHIFT);
	return true;
}

static enum pk_status swap_header_attr(uint8_t *data, uint16_t size)
{
	size_t attr_size;

	if (!pk_swap_attr(data + 8, size - 8u))
		return PK_CORRUPT;
	attr_size = pk_load_u32(data + 12);
	if (!attr_size)
		attr_size = PERF_ATTR_SIZE_VER0;
	pk_swap_u64s(data + 8 + attr_size, (size - 8 - attr_size) / 8);
	return PK_OK;
}

static void swap_cpu_map(uint8_t *p, uint8_t *end)
{
	enum { CPUS, MASK, RANGE };

	pk_swap_u16(p);
	switch (pk_load_u16(p)) {
	case CPUS:
		swap_body(p + 2, end, "2");
		for (p += 4; end - p >= 2; p += 2)
			pk_swap_u16(p);
		break;
	case MASK:
		if (end - p < 6)
			break;
		swap_body(p + 2, end, "22");
		swap_body(p + 6, end, pk_load_u16(p + 4) == 4 ? "/" : "....*");
		break;
	case RANGE: swap_body(p + 2, end, "..22"); break;
	default: break;
	}
}

/* The entries of SYMBOLS and SOURCE: numbers, and behind them texts of the lengths that the numbers
 * at these places tell (SPEC 9.11). */
static void swap_entries(uint8_t *p, uint8_t *end, const char *head, size_t lengths_at, int texts)
{
	for (;;) {
		uint64_t size = 24;

		swap_body(p, end, head);
		if (end - p < 24)
			return;
		for (int i = 0; i < texts; i++)
			size += pk_load_u32(p + lengths_at + 4 * (size_t)i);
		size = PK_ALIGN8(size);
		if (size > (uint64_t)(end - p))
			return;
		p += size;
	}
}

/* Those of ARGUMENTS: 8 bytes, the last of which is a length, a u64, and a text (SPEC 9.14). */
static void swap_arguments(uint8_t *p, uint8_t *end)
{
	while (end - p >= 16) {
		const uint64_t size = 16 + PK_ALIGN8((uint64_t)p[7]);

		pk_swap_u64(p + 8);
		if (size > (uint64_t)(end - p))
			return;
		p += size;
	}
}

static void swap_definition(uint8_t *body, uint8_t *end, unsigned int kind)
{
	swap_body(body, end, definition_bodies[kind]);
	if (kind == PK_SYMBOLS && end - body > 8)
		swap_entries(body + 8, end, "8844-", 20, 1);
	else if (kind == PK_SOURCE && end - body > 16)
		swap_entries(body + 16, end, "444444-", 12, 2);
	else if (kind == PK_ARGUMENTS && end - body > 16)
		swap_arguments(body + 16, end);
}

static enum pk_status swap_update(uint8_t *data, uint16_t size)
{
	struct pk_record record = {.data = data, .type = PERF_RECORD_EVENT_UPDATE, .size = size};
	uint8_t *body = data + 24, *end = data + size;
	unsigned int kind;

	swap_body(data + 8, end, "88");
	kind = pk_definition_of(&record);
	if (kind && kind < sizeof(definition_bodies) / sizeof(definition_bodies[0]))
		swap_definition(body, end, kind);
	else if (kind)
		return PK_UNSUPPORTED;
	else if (pk_load_u64(data + 8) == PERF_EVENT_UPDATE_SCALE)
		swap_body(body, end, "8");
	else if (pk_load_u64(data + 8) == PERF_EVENT_UPDATE_CPUS && end - body >= 4)
		swap_cpu_map(body, end);
	return PK_OK;
}

/* THREAD_MAP: a u64 and 16 bytes of comm each. BPF_METADATA: names, then a count. */
static void swap_thread_map(uint8_t *p, uint8_t *end)
{
	pk_swap_u64(p);
	for (p += 8; end - p >= 24; p += 24)
		pk_swap_u64(p);
}

/* The older form has no time before its 64 bytes of text. */
static void swap_auxtrace_error(uint8_t *p, uint8_t *end)
{
	uint32_t format;

	if (!swap_body(p, end, "4444448") || end - p < 32)
		return;
	format = pk_load_u32(p + 20);
	if (format >= 1)
		swap_body(p + 32, end, "8");
	if (format >= 2 && end - p >= 40 + 64)
		swap_body(p + 40 + 64, end, "44");
}

static enum pk_status swap_user_record(struct pk_events *events, uint8_t *data, uint32_t type,
				       uint16_t size)
{
	uint8_t *body = data + sizeof(struct perf_header), *end = data + size;
	const char *letters;

	switch (type) {
	case PERF_RECORD_HEADER_ATTR: return swap_header_attr(data, size);
	case PERF_RECORD_HEADER_FEATURE:
		pk_swap_u64(data + 8);
		return pk_swap_feature(events, pk_load_u64(data + 8), data + 16, size - 16u);
	case PERF_RECORD_EVENT_UPDATE: return swap_update(data, size);
	case PERF_RECORD_CPU_MAP: swap_cpu_map(body, end); return PK_OK;
	case PERF_RECORD_AUXTRACE_ERROR: swap_auxtrace_error(body, end); return PK_OK;
	case PERF_RECORD_THREAD_MAP: swap_thread_map(body, end); return PK_OK;
	case PERF_RECORD_BPF_METADATA: pk_swap_u64(body + 512); return PK_OK;
	default: break;
	}
	letters = type < PERF_RECORD_USER_MAX ? user_bodies[type - PERF_RECORD_USER_START] : NULL;
	if (!letters)
		return PK_UNSUPPORTED;
	swap_body(body, end, letters);
	return PK_OK;
}

/* TID and CPU are two u32 each, the rest is u64. */
static void swap_trailer(uint8_t *end, const struct pk_layout *layout)
{
	for (uint16_t back = layout->trailer.size; back; back -= 8) {
		if (back == layout->trailer.tid || back == layout->trailer.cpu) {
			pk_swap_u32(end - back);
			pk_swap_u32(end - back + 4);
		} else {
			pk_swap_u64(end - back);
		}
	}
}

/* Kernel records; in host order they are only checked. */
static enum pk_status walk_kernel_record(struct pk_events *events, uint8_t *data, uint32_t type,
					 uint16_t misc, uint16_t size, bool do_swap)
{
	const struct pk_event *event = pk_events_of(events, data, type, size, do_swap);
	const char *body = kernel_bodies[type];
	uint8_t *end = data + size;

	if (event && event->layout.trailer.size) {
		if (size < pk_record_size_min(type) + event->layout.trailer.size - 1u)
			return PK_CORRUPT;
		if (do_swap)
			swap_trailer(end, &event->layout);
		end -= event->layout.trailer.size;
	}
	if (type == PERF_RECORD_MMAP2 && misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		body = "44888........................44s";
	return walk_body(data + sizeof(struct perf_header), end, body, do_swap) ? PK_OK
										: PK_CORRUPT;
}

enum pk_status pk_swap_record(struct pk_events *events, uint8_t *data, uint32_t type, uint16_t misc,
			      uint16_t size)
{
	if (type == PERF_RECORD_SAMPLE)
		return pk_swap_sample(events, data, size);
	if (type < PERF_RECORD_KERNEL_MAX)
		return walk_kernel_record(events, data, type, misc, size, true);
	if (type >= PERF_RECORD_USER_START)
		return swap_user_record(events, data, type, size);
	return PK_UNSUPPORTED;
}

enum pk_status pk_check_record(struct pk_events *events, const uint8_t *data, uint32_t type,
			       uint16_t misc, uint16_t size)
{
	if (type == PERF_RECORD_SAMPLE || type >= PERF_RECORD_KERNEL_MAX)
		return PK_OK;
	return walk_kernel_record(events, (uint8_t *)data, type, misc, size, false);
}
