// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "records.h"
#include "swap.h"

static void swap_number(uint8_t *p, unsigned int size)
{
	if (size == 8)
		pk_swap_u64(p);
	else if (size == 4)
		pk_swap_u32(p);
	else if (size == 2)
		pk_swap_u16(p);
}

/* A position in a record, while the letters of the record's layout are followed. */
struct walk {
	uint8_t *at, *end;
	bool over; /* the bytes end before the end of the layout */
};

static void walk_range(struct walk *walk, const char *letters, const char *stop);

/* Swaps the number at walk->at, and returns it. */
static uint64_t walk_number(struct walk *walk, unsigned int size)
{
	uint8_t *p = walk->at;

	swap_number(p, size);
	walk->at += size;
	return size == 8   ? pk_load_u64(p)
	       : size == 4 ? pk_load_u32(p)
	       : size == 2 ? pk_load_u16(p)
			   : *p;
}

/* Skips a string that is padded to a multiple of 8 bytes. The record can end within the padding. */
static void walk_string(struct walk *walk)
{
	const size_t left = (size_t)(walk->end - walk->at);
	const size_t size = PK_ALIGN8(strnlen((const char *)walk->at, left) + 1);

	walk->at += size < left ? size : left;
}

/* Swaps and returns a u32. If too few bytes are left, returns 0 and sets walk->over. */
static uint64_t walk_u32(struct walk *walk)
{
	if (walk->end - walk->at < 4) {
		walk->over = true;
		return 0;
	}
	return walk_number(walk, 4);
}

/* Skips a string of a feature. The string is its size, and then its bytes. */
static void walk_text(struct walk *walk)
{
	const uint64_t size = walk_u32(walk);

	if (size > (uint64_t)(walk->end - walk->at))
		walk->over = true;
	else
		walk->at += size;
}

/* Returns the closing bracket of the group whose opening bracket is at `open`. */
static const char *group_end(const char *open)
{
	int depth = 0;

	do
		depth += *open == '(' || *open == '{' ? 1 : *open == ')' || *open == '}' ? -1 : 0;
	while (depth && *++open);
	return open;
}

/* Walks a group of letters `count` times, or to the end for { }. Each iteration consumes bytes, so
 * the size of the record limits the iterations. */
static const char *walk_group(struct walk *walk, const char *open, uint64_t count)
{
	const char *close = group_end(open);

	if (*open == '{')
		count = UINT64_MAX;
	for (; count && walk->at < walk->end && !walk->over; count--)
		walk_range(walk, open + 1, close);
	return close;
}

static void walk_rest(struct walk *walk, char letter)
{
	const unsigned int size = letter == '*' ? 8 : 4;

	while ((size_t)(walk->end - walk->at) >= size)
		walk_number(walk, size);
	walk->at = walk->end;
}

/* Walks the letters before `stop`, as long as bytes are left. */
static void walk_range(struct walk *walk, const char *letters, const char *stop)
{
	uint64_t number = 0;

	for (; letters < stop && !walk->over; letters++) {
		const unsigned int size = pk_letter_size(*letters);

		if (size > (size_t)(walk->end - walk->at)) {
			walk->over = true;
		} else if (size > 8 || *letters == '.' || *letters == 'y') {
			walk->at += size;
		} else if (size) {
			number = walk_number(walk, size);
		} else if (*letters == 's') {
			walk_string(walk);
		} else if (*letters == 't') {
			walk_text(walk);
		} else if (*letters == '(' || *letters == '{') {
			letters = walk_group(walk, letters, number);
		} else if (*letters == '*' || *letters == '/') {
			walk_rest(walk, *letters);
		} else if (*letters == '-') {
			walk->at = walk->end;
		}
	}
}

static void walk_letters(struct walk *walk, const char *letters)
{
	walk_range(walk, letters, letters + strlen(letters));
}

static void swap_letters(uint8_t *p, uint8_t *end, const char *letters)
{
	struct walk walk = {.at = p, .end = end};

	walk_letters(&walk, letters);
}

/* Swaps an attr in place. The attr may have at most `room` bytes. Returns false if its size field
 * is invalid. */
static bool swap_attr(uint8_t *attr, size_t room)
{
	static const char letters[] =
		"44888884488884484" /* the members of the attr up to aux_watermark */
		"2..44888";
	const size_t flags_at = offsetof(struct perf_attr, flags);
	/* The bit number of precise_ip in this machine's order. */
	const unsigned int shift =
		PK_HOST_IS_BIG ? 62 - PERF_ATTR_PRECISE_IP_SHIFT : PERF_ATTR_PRECISE_IP_SHIFT;
	uint64_t flags, precise, mirrored = 0;
	size_t size;

	if (room < PERF_ATTR_SIZE_VER0)
		return false;
	size = __builtin_bswap32(pk_load_u32(attr + offsetof(struct perf_attr, size)));
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > room)
		return false;
	swap_letters(attr, attr + size, letters);
	/* In the other byte order, bitfields start at the other end of the word: bit k becomes bit
	 * 63 - k. But precise_ip is one number of two bits, so these two bits keep their order. */
	flags = pk_load_u64(attr + flags_at);
	for (int bit = 0; bit < 64; bit++)
		mirrored |= ((flags >> bit) & 1) << (63 - bit);
	precise = mirrored >> shift & 3;
	precise = (precise >> 1 | precise << 1) & 3;
	mirrored &= ~(UINT64_C(3) << shift);
	pk_store_u64(attr + flags_at, mirrored | precise << shift);
	return true;
}

/* ---- Features (SPEC 6) ---- */

/* The feature starts with u32 count and u32 size of an attr. Then each event has an attr, u32
 * number of ids, a string, and u64 ids. */
static void swap_event_desc(struct walk *walk)
{
	uint64_t count = walk_u32(walk), attr_size = walk_u32(walk), ids;

	for (; count && !walk->over; count--) {
		if (attr_size > (size_t)(walk->end - walk->at) || !swap_attr(walk->at, attr_size)) {
			walk->over = true;
			return;
		}
		walk->at += attr_size;
		ids = walk_u32(walk);
		walk_text(walk);
		for (; ids && !walk->over; ids--)
			walk_letters(walk, "8");
	}
}

/* The feature has two lists of strings, and then u32 core and u32 socket for each CPU. An optional
 * part has a list of dies, and then u32 die for each CPU. */
static void swap_cpu_topology(struct walk *walk, uint32_t cpus)
{
	walk_letters(walk, "n(t)n(t)");
	for (uint32_t i = 0; i < cpus && !walk->over; i++)
		walk_letters(walk, "44");
	walk_letters(walk, "n(t){4}");
}

/* The feature has the schedstat version and the largest number of domains. Then each CPU has its
 * number and u32 count of domains. Each domain has its number, its name (since version 17), a mask
 * and a list of CPUs. */
static void swap_domains(struct walk *walk)
{
	walk_letters(walk, walk_u32(walk) >= 17 ? "4{4n(4ttt)}" : "4{4n(4tt)}");
}

enum pk_status pk_swap_feature(struct pk_events *events, uint64_t id, uint8_t *content, size_t size)
{
	const struct pk_record_layout *layout = pk_feature_layout(id);
	struct walk walk = {.at = content, .end = content + size};

	if (!size || id >= PERF_FEATURE_MAX)
		return size ? PK_UNSUPPORTED : PK_OK;
	switch (id) {
	case PERF_FEATURE_EVENT_DESC: swap_event_desc(&walk); break;
	case PERF_FEATURE_CPU_TOPOLOGY: swap_cpu_topology(&walk, events->cpus_available); break;
	case PERF_FEATURE_CPU_DOMAIN_INFO: swap_domains(&walk); break;
	case PERF_FEATURE_BPF_PROG_INFO: /* no programs, or structs of the kernel in any version */
		return size >= 4 && !pk_load_u32(content) ? PK_OK : PK_UNSUPPORTED;
	default:
		if (layout)
			walk_letters(&walk, layout->letters);
		break;
	}
	if (id == PERF_FEATURE_NRCPUS && !walk.over)
		events->cpus_available = pk_load_u32(content);
	return PK_OK;
}

/* ---- Records of perf and pk ---- */

static enum pk_status swap_header_attr(uint8_t *data, uint16_t size)
{
	const struct perf_record_header_attr *record = (const void *)data;
	const size_t at = offsetof(struct perf_record_header_attr, attr);
	size_t attr_size;

	if (!swap_attr(data + at, size - at))
		return PK_CORRUPT;
	attr_size = record->attr.size ? record->attr.size : PERF_ATTR_SIZE_VER0;
	pk_swap_u64s(data + at + attr_size, (size - at - attr_size) / 8);
	return PK_OK;
}

static void swap_cpu_map(uint8_t *p, uint8_t *end)
{
	struct perf_cpus_mask *mask = (void *)p;
	uint8_t *body = p + sizeof(mask->type);

	pk_swap_u16(p);
	switch (mask->type) {
	case PERF_CPUS_LIST: swap_letters(body, end, "2{2}"); break;
	case PERF_CPUS_MASK:
		if (end - p < (ptrdiff_t)sizeof(*mask))
			break;
		swap_letters(body, end, "22");
		swap_letters(p + sizeof(*mask), end, mask->long_size == 4 ? "/" : "....*");
		break;
	case PERF_CPUS_RANGE: swap_letters(body, end, "..22"); break;
	default: break;
	}
}

/* These functions swap an entry of SYMBOLS, SOURCE or ARGUMENTS. An entry has numbers and texts,
 * and some of the numbers are the sizes of the texts. *size is set to the size of the entry in
 * bytes. */

static bool swap_symbol(uint8_t *p, uint8_t *end, uint64_t *size)
{
	const struct pk_symbol_entry *entry = (const void *)p;

	swap_letters(p, end, "8844-");
	if (end - p < (ptrdiff_t)sizeof(*entry))
		return false;
	*size = sizeof(*entry) + (uint64_t)entry->length;
	return true;
}

static bool swap_source(uint8_t *p, uint8_t *end, uint64_t *size)
{
	const struct pk_source_entry *entry = (const void *)p;

	swap_letters(p, end, "444444-");
	if (end - p < (ptrdiff_t)sizeof(*entry))
		return false;
	*size = sizeof(*entry) + (uint64_t)entry->function_length + entry->file_length;
	return true;
}

static bool swap_argument(uint8_t *p, uint8_t *end, uint64_t *size)
{
	const struct pk_argument_entry *entry = (const void *)p;

	if (end - p < (ptrdiff_t)sizeof(*entry))
		return false;
	swap_letters(p, end, "111111118-");
	*size = sizeof(*entry) + (uint64_t)entry->length;
	return true;
}

static void swap_entries(uint8_t *p, uint8_t *end,
			 bool (*swap)(uint8_t *p, uint8_t *end, uint64_t *size))
{
	uint64_t size;

	while (p < end && swap(p, end, &size)) {
		size = PK_ALIGN8(size);
		if (size > (uint64_t)(end - p))
			return;
		p += size;
	}
}

static void swap_definition(uint8_t *data, uint8_t *end, unsigned int kind)
{
	swap_letters(data + sizeof(struct pk_definition_head), end,
		     pk_definition_layout(kind)->letters);
	if (kind == PK_SYMBOLS)
		swap_entries(data + sizeof(struct pk_record_symbols), end, swap_symbol);
	else if (kind == PK_SOURCE)
		swap_entries(data + sizeof(struct pk_record_source), end, swap_source);
	else if (kind == PK_ARGUMENTS)
		swap_entries(data + sizeof(struct pk_record_arguments), end, swap_argument);
}

static enum pk_status swap_update(uint8_t *data, uint16_t size)
{
	struct pk_record record = {.data = data, .type = PERF_RECORD_EVENT_UPDATE, .size = size};
	struct perf_record_event_update *update = (void *)data;
	uint8_t *end = data + size;
	unsigned int kind;

	swap_letters(data + sizeof(update->header), end, "88");
	kind = pk_definition_of(&record);
	if (kind && pk_definition_layout(kind))
		swap_definition(data, end, kind);
	else if (kind)
		return PK_UNSUPPORTED;
	else if (update->type == PERF_EVENT_UPDATE_SCALE)
		swap_letters(update->data, end, "8");
	else if (update->type == PERF_EVENT_UPDATE_CPUS &&
		 size >= sizeof(*update) + sizeof(struct perf_cpus_list))
		swap_cpu_map(update->data, end);
	return PK_OK;
}

/* If fmt is 0, the record has no time before its text of 64 bytes. */
static void swap_auxtrace_error(uint8_t *data, uint16_t size)
{
	struct perf_record_auxtrace_error *error = (void *)data;
	const size_t time_at = offsetof(struct perf_record_auxtrace_error, time);
	const size_t machine_at = offsetof(struct perf_record_auxtrace_error, machine_pid);
	uint8_t *end = data + size;

	swap_letters(data + sizeof(error->header), end, "4444448");
	if (size < time_at)
		return;
	if (error->fmt >= 1)
		swap_letters(data + time_at, end, "8");
	if (error->fmt >= 2 && size >= machine_at)
		swap_letters(data + machine_at, end, "44");
}

static enum pk_status swap_user_record(struct pk_events *events, uint8_t *data, uint32_t type,
				       uint16_t size)
{
	uint8_t *body = data + sizeof(struct perf_header), *end = data + size;
	struct perf_record_header_feature *feature = (void *)data;
	const struct pk_record_layout *layout = pk_record_layout(type, 0);

	switch (type) {
	case PERF_RECORD_HEADER_ATTR: return swap_header_attr(data, size);
	case PERF_RECORD_HEADER_FEATURE:
		swap_letters(body, end, "8");
		return pk_swap_feature(events, feature->feat_id, feature->data,
				       size - sizeof(*feature));
	case PERF_RECORD_EVENT_UPDATE: return swap_update(data, size);
	case PERF_RECORD_CPU_MAP: swap_cpu_map(body, end); return PK_OK;
	case PERF_RECORD_AUXTRACE_ERROR: swap_auxtrace_error(data, size); return PK_OK;
	case PERF_RECORD_BPF_METADATA:
		pk_swap_u64(data + offsetof(struct perf_record_bpf_metadata, nr));
		return PK_OK;
	default: break;
	}
	if (!layout)
		return PK_UNSUPPORTED;
	swap_letters(body, end, layout->letters);
	return PK_OK;
}

/* ---- Records of the kernel ---- */

/* The fields TID and CPU are two u32 each. The other fields are u64. */
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

/* Checks the text or the list at the end of a kernel record. The other fields cannot be malformed.
 * This function is called for each record of the stream, so for speed it does not walk along the
 * letters. */
static enum pk_status check_end(const struct pk_record_layout *layout, unsigned int unit,
				const uint8_t *data, const uint8_t *end)
{
	const size_t size = (size_t)(end - data), least = layout->size_min;

	if (!unit || size < least - 1)
		return PK_OK;
	if (unit == 1)
		return memchr(data + least - 1, '\0', size - (least - 1)) ? PK_OK : PK_CORRUPT;
	return size < least || pk_load_u64(data + least - 8) <= (size - least) / unit ? PK_OK
										      : PK_CORRUPT;
}

/* Checks a kernel record. If do_swap is true, the record is in the other byte order, and is also
 * swapped. */
static enum pk_status visit_kernel_record(struct pk_events *events, uint8_t *data, uint32_t type,
					  uint16_t misc, uint16_t size, bool do_swap)
{
	const struct pk_record record = {.data = data, .type = type, .misc = misc, .size = size};
	const struct pk_event *event = pk_events_of(events, data, type, size, do_swap);
	const struct pk_record_layout *layout = pk_layout_of_record(&record);
	uint8_t *end = data + size;

	if (event && event->layout.trailer.size) {
		if (size < pk_record_size_min(type) + event->layout.trailer.size - 1u)
			return PK_CORRUPT;
		if (do_swap)
			swap_trailer(end, &event->layout);
		end -= event->layout.trailer.size;
	}
	if (do_swap)
		swap_letters(data + sizeof(struct perf_header), end, layout->letters);
	return check_end(layout, pk_record_unit(type), data, end);
}

enum pk_status pk_swap_record(struct pk_events *events, uint8_t *data, uint32_t type, uint16_t misc,
			      uint16_t size)
{
	if (type == PERF_RECORD_SAMPLE)
		return pk_swap_sample(events, data, size);
	if (type < PERF_RECORD_KERNEL_MAX)
		return visit_kernel_record(events, data, type, misc, size, true);
	if (type >= PERF_RECORD_USER_START)
		return swap_user_record(events, data, type, size);
	return PK_UNSUPPORTED;
}

enum pk_status pk_check_record(struct pk_events *events, const uint8_t *data, uint32_t type,
			       uint16_t misc, uint16_t size)
{
	if (type == PERF_RECORD_SAMPLE || type >= PERF_RECORD_KERNEL_MAX)
		return PK_OK;
	return visit_kernel_record(events, (uint8_t *)data, type, misc, size, false);
}
