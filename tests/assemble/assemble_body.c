/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble_body.h"
#include "records.h"

/* ---- Numbers, bytes and texts ---- */

void put_number(struct assembly *assembly, uint64_t value, unsigned int width)
{
	for (unsigned int i = 0; i < width; i++)
		buffer_char(&assembly->out,
			    (char)(value >> 8 * (assembly->big ? width - 1 - i : i)));
}

void put_zeros(struct assembly *assembly, size_t count)
{
	while (count--)
		buffer_char(&assembly->out, '\0');
}

void put_padding(struct assembly *assembly, size_t multiple)
{
	put_zeros(assembly, -assembly->out.size % multiple);
}

static struct text_field *find(struct assembly *assembly, const char *name)
{
	char full[128];

	snprintf(full, sizeof(full), "%s%s", assembly->prefix, name);
	return text_find(&assembly->text, full);
}

uint64_t number_of(struct assembly *assembly, const char *name, uint64_t otherwise)
{
	const struct text_field *field = find(assembly, name);

	return field ? text_number(&assembly->text, field, NULL, 0) : otherwise;
}

void put_field(struct assembly *assembly, const char *name, unsigned int width)
{
	put_number(assembly, number_of(assembly, name, 0), width);
}

size_t put_bytes_of(struct assembly *assembly, const char *name)
{
	const struct text_field *field = find(assembly, name);
	uint8_t *bytes;
	size_t size;

	if (!field)
		return 0;
	bytes = text_bytes(&assembly->text, field, assembly->big, &size);
	buffer_add(&assembly->out, bytes, size);
	free(bytes);
	return size;
}

size_t put_chars(struct assembly *assembly, const char *name, size_t width)
{
	const struct text_field *field = find(assembly, name);
	const char *text = field ? field->value : "";
	const size_t length = strlen(text);

	if (width && length > width)
		text_fail(&assembly->text, "too long", text);
	buffer_add(&assembly->out, text, length);
	put_zeros(assembly, width ? width - length : 0);
	return length;
}

uint64_t mirror_bits(uint64_t bits, const unsigned char *widths, size_t count)
{
	unsigned int at = 0;
	uint64_t result = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t mask = (UINT64_C(1) << widths[i]) - 1;

		result |= (bits >> at & mask) << (64 - at - widths[i]);
		at += widths[i];
	}
	return result;
}

/* ---- Layouts ---- */

size_t count_items(const struct assembly *assembly, const char *name)
{
	char full[160];
	size_t count = 0;

	for (;; count++) {
		snprintf(full, sizeof(full), "%s%s[%zu]", assembly->prefix, name, count);
		if (!text_has(&assembly->text, full))
			return count;
	}
}

void put_items(struct assembly *assembly, const char *name, const char *letters, const char *names)
{
	const bool named = *names && *names != '.';
	const size_t count = count_items(assembly, name);
	char before[sizeof(assembly->prefix)];

	memcpy(before, assembly->prefix, sizeof(before));
	for (size_t i = 0; i < count; i++) {
		snprintf(assembly->prefix, sizeof(assembly->prefix), "%.20s%.20s[%zu]%s", before,
			 name, i, named ? "." : "");
		put_fields(assembly, letters, named ? names : "");
		memcpy(assembly->prefix, before, sizeof(before));
	}
}

static const char *next_name(const char *names, char *name, size_t size)
{
	const size_t length = strcspn(names, " ");

	snprintf(name, size, "%.*s", (int)length, names);
	return names + length + (names[length] == ' ');
}

/* Writes the text of the field, a NUL, and zeros until the size of the record is a multiple of 8.
 */
static void put_string(struct assembly *assembly, const char *name)
{
	put_chars(assembly, name, 0);
	put_zeros(assembly, 1);
	put_padding(assembly, 8);
}

/* Writes a string in the format of features: its size as a u32, and then the text with its padding.
 */
/* perf pads strings of features to a multiple of 64 bytes. A string of a LABEL has only a NUL. */
static void put_string_of(struct assembly *assembly, const char *name)
{
	const size_t multiple = assembly->type == PERF_RECORD_EVENT_UPDATE ? 1 : 64;
	const size_t at = assembly->out.size;
	size_t length;
	uint32_t size;

	put_zeros(assembly, 4);
	length = put_chars(assembly, name, 0);
	put_zeros(assembly, multiple - length % multiple);
	size = (uint32_t)(length + multiple - length % multiple);
	size = assembly->big == PK_HOST_IS_BIG ? size : __builtin_bswap32(size);
	memcpy(assembly->out.data + at, &size, sizeof(size));
}

/* Writes one field. `letter` is the type of the field (struct pk_record_layout). If the text does
 * not have a field that is a number, writes `items`. */
static void put_letter(struct assembly *assembly, char letter, const char *name, size_t items)
{
	size_t size;

	switch (letter) {
	case 's': put_string(assembly, name); return;
	case 't': put_string_of(assembly, name); return;
	case 'z': put_chars(assembly, name, pk_letter_size(letter)); return;
	case 'x':
	case 'y':
		size = put_bytes_of(assembly, name);
		if (size > pk_letter_size(letter))
			text_fail(&assembly->text, "too long", name);
		put_zeros(assembly, pk_letter_size(letter) - size);
		return;
	default:
		put_number(assembly, number_of(assembly, name, items),
			   (unsigned int)pk_letter_size(letter));
	}
}

/* Writes all items of the group "(...)" or "{...}" at `letters`. Moves *names to the name after the
 * group. Returns the end of the group in `letters`. */
static const char *put_group(struct assembly *assembly, const char *letters, const char **names)
{
	const char *close = strpbrk(letters, ")}"), *first;
	char name[64], group[16], members[64];

	*names = next_name(*names, name, sizeof(name));
	snprintf(group, sizeof(group), "%.*s", (int)(close - letters - 1), letters + 1);
	first = *names;
	for (const char *p = group; *p; p++)
		if (*p != '.')
			*names += strcspn(*names, " ") + (strchr(*names, ' ') != NULL);
	snprintf(members, sizeof(members), "%.*s", (int)(*names - first), first);
	members[strcspn(members, " ") ? strlen(members) : 0] = '\0';
	put_items(assembly, name, group, members);
	return close;
}

/* Returns the number of items that the text has for the group at `letters`. Returns 0 if no group
 * starts there. */
static size_t count_group(const struct assembly *assembly, const char *letters, const char *names)
{
	char name[64];

	if (*letters != '(')
		return 0;
	next_name(names, name, sizeof(name));
	return count_items(assembly, name);
}

void put_fields(struct assembly *assembly, const char *letters, const char *names)
{
	const char *after;
	char name[64];

	for (; *letters && *letters != '|'; letters++) {
		switch (*letters) {
		case '.': put_zeros(assembly, 1); continue;
		case '-':
		case '*': return;
		case '?': /* the fields from here on may be absent */
			next_name(names, name, sizeof(name));
			if (!text_has(&assembly->text, name))
				return;
			continue;
		case 'n':
		case 'm':
			put_number(assembly, count_group(assembly, letters + 1, names),
				   (unsigned int)pk_letter_size(*letters));
			continue;
		case '(':
		case '{': letters = put_group(assembly, letters, &names); continue;
		default: break;
		}
		after = next_name(names, name, sizeof(name));
		put_letter(assembly, *letters, name, count_group(assembly, letters + 1, after));
		names = after;
	}
}

/* ---- Definitions ---- */

/* Writes the `count` entries of a definition. An entry has the fields of `letters` and `names`, and
 * then one or two texts. The sizes of the texts are among these fields. */
static void put_entries(struct assembly *assembly, uint64_t count, const char *list,
			const char *letters, const char *names, const char *const texts[2])
{
	for (uint64_t i = 0; i < count; i++) {
		snprintf(assembly->prefix, sizeof(assembly->prefix), "%s[%llu].", list,
			 (unsigned long long)i);
		put_fields(assembly, letters, names);
		for (int t = 0; t < 2 && texts[t]; t++)
			put_chars(assembly, texts[t], 0);
		put_padding(assembly, 8);
		assembly->prefix[0] = '\0';
	}
}

static void put_stage_strings(struct assembly *assembly)
{
	static const char *const names[] = {"program", "version", "host"};
	const size_t argc = count_items(assembly, "argv");
	char name[32];

	for (size_t i = 0; i < 3 + argc; i++) {
		if (i < 3)
			snprintf(name, sizeof(name), "%s", names[i]);
		else
			snprintf(name, sizeof(name), "argv[%zu]", i - 3);
		put_chars(assembly, name, 0);
		put_zeros(assembly, 1);
	}
}

static void put_definition(struct assembly *assembly, unsigned int kind)
{
	const struct pk_record_layout *layout = pk_definition_layout(kind);
	const size_t symbols = count_items(assembly, "symbol"),
		     sources = count_items(assembly, "source"),
		     arguments = count_items(assembly, "argument");

	text_find(&assembly->text, "definition");
	if (!layout)
		return;
	put_fields(assembly, layout->letters, layout->fields);
	switch (kind) {
	case PK_STAGE: put_stage_strings(assembly); break;
	case PK_STRING: put_string(assembly, "text"); break;
	case PK_FRAME: put_fields(assembly, "4....dd", "flags address symbol_start"); break;
	case PK_LOSS: put_fields(assembly, "488", "cause count total"); break;
	case PK_SYMBOLS:
		put_entries(assembly, symbols, "symbol", "ddc4", "start size flags length",
			    (const char *const[]){"name", NULL});
		break;
	case PK_SOURCE:
		put_entries(assembly, sources, "source", "44c44....",
			    "line column flags function_length file_length",
			    (const char *const[]){"function", "file"});
		break;
	case PK_ARGUMENTS:
		put_entries(assembly, arguments, "argument", "11a11111j",
			    "kind size flags base index scale shift length value",
			    (const char *const[]){"name", NULL});
		break;
	case PK_FEATURE_PART:
		put_fields(assembly, "4488", "feature byte_order total offset");
		put_bytes_of(assembly, "content");
		break;
	default: break;
	}
}

/* ---- Fields that the layout of a record does not describe ---- */

static void put_cpu_map(struct assembly *assembly)
{
	const uint64_t kind = number_of(assembly, "kind", 0);
	uint64_t word;

	put_number(assembly, kind, 2);
	if (kind == PERF_CPUS_RANGE) {
		put_fields(assembly, "1.22", "any_cpu first last");
		return;
	}
	put_number(assembly,
		   number_of(assembly, "nr",
			     count_items(assembly, kind == PERF_CPUS_LIST ? "cpu" : "mask")),
		   2);
	if (kind == PERF_CPUS_LIST) {
		put_items(assembly, "cpu", "2", "");
		return;
	}
	word = number_of(assembly, "long_size", 8);
	put_number(assembly, word, 2);
	put_zeros(assembly, word == 8 ? 4 : 0);
	put_items(assembly, "mask", word == 8 ? "d" : "c", "");
}

static void put_event_update(struct assembly *assembly)
{
	const uint64_t subtype = pk_load_u64((const uint8_t *)assembly->out.data + 8);
	const uint64_t kind =
		assembly->big == PK_HOST_IS_BIG ? subtype : __builtin_bswap64(subtype);
	const struct text_field *scale;
	double number;
	uint64_t bits;

	switch (kind) {
	case PERF_EVENT_UPDATE_UNIT: put_string(assembly, "unit"); return;
	case PERF_EVENT_UPDATE_SCALE:
		scale = text_find(&assembly->text, "scale");
		number = scale ? strtod(scale->value, NULL) : 0;
		memcpy(&bits, &number, sizeof(bits));
		put_number(assembly, bits, 8);
		return;
	case PERF_EVENT_UPDATE_NAME: put_string(assembly, "name"); return;
	case PERF_EVENT_UPDATE_CPUS: put_cpu_map(assembly); return;
	default: break;
	}
	if (kind >> 16 == PK_SUBTYPE_BASE >> 16)
		put_definition(assembly, kind & 0xffff);
}

static void put_text_poke(struct assembly *assembly)
{
	static const char *const names[] = {"old", "new"};
	size_t sizes[2], at = assembly->out.size;

	put_zeros(assembly, 4);
	for (int i = 0; i < 2; i++)
		sizes[i] = put_bytes_of(assembly, names[i]);
	for (int i = 0; i < 4; i++)
		assembly->out.data[at + (size_t)i] =
			(char)(sizes[i / 2] >> 8 * (assembly->big ? 1 - i % 2 : i % 2));
}

static void put_build_id(struct assembly *assembly)
{
	const size_t size = put_bytes_of(assembly, "build_id");

	put_zeros(assembly, PK_BUILD_ID_MAX - size);
	put_number(assembly, assembly->misc & PERF_RECORD_MISC_BUILD_ID_SIZE ? size : 0, 1);
	put_fields(assembly, "...s", "filename");
}

static void put_auxtrace_error(struct assembly *assembly)
{
	const bool timed = text_has(&assembly->text, "time"),
		   machine = text_has(&assembly->text, "machine_pid");

	if (timed)
		put_field(assembly, "time", 8);
	put_chars(assembly, "msg", 64);
	if (machine)
		put_fields(assembly, "ii", "machine_pid vcpu");
}

static void put_metadata(struct assembly *assembly)
{
	const size_t nr = count_items(assembly, "entry");
	char name[48];

	put_chars(assembly, "prog_name", 512);
	put_number(assembly, number_of(assembly, "nr", nr), 8);
	for (size_t i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "entry[%zu].key", i);
		put_chars(assembly, name, 64);
		snprintf(name, sizeof(name), "entry[%zu].value", i);
		put_chars(assembly, name, 256);
	}
}

static void put_feature(struct assembly *assembly)
{
	const char *names[PERF_FEATURE_MAX];
	const struct text_field *field = text_find(&assembly->text, "feature");
	const struct pk_record_layout *layout;
	uint64_t id = 0;

	for (uint64_t i = 0; i < PERF_FEATURE_MAX; i++) {
		layout = pk_feature_layout(i);
		names[i] = layout ? layout->name : NULL;
		if (field && *field->value == '(' && names[i] &&
		    !strncmp(field->value + 1, names[i], strlen(names[i])) &&
		    field->value[1 + strlen(names[i])] == ')')
			id = i;
	}
	if (field && *field->value != '(')
		id = text_number(&assembly->text, field, NULL, 0);
	put_number(assembly, id, 8);
	layout = pk_feature_layout(id);
	/* A feature without content is an end mark. */
	for (size_t i = 0; layout && i < assembly->text.count; i++) {
		if (!assembly->text.fields[i].used &&
		    strcmp(assembly->text.fields[i].name, "unknown") != 0) {
			put_fields(assembly, layout->letters, layout->fields);
			break;
		}
	}
}

/* Writes the fields of a record that its layout does not describe. */
static void put_rest(struct assembly *assembly)
{
	switch (assembly->type) {
	case PERF_RECORD_READ: put_read(assembly, &assembly->event->attr); break;
	case PERF_RECORD_SAMPLE: put_sample(assembly); break;
	case PERF_RECORD_TEXT_POKE: put_text_poke(assembly); break;
	case PERF_RECORD_HEADER_ATTR: put_attr(assembly); break;
	case PERF_RECORD_HEADER_EVENT_TYPE: put_chars(assembly, "name", 64); break;
	case PERF_RECORD_HEADER_BUILD_ID: put_build_id(assembly); break;
	case PERF_RECORD_ID_INDEX: put_items(assembly, "guest", "jj", "machine_pid vcpu"); break;
	case PERF_RECORD_AUXTRACE_ERROR: put_auxtrace_error(assembly); break;
	case PERF_RECORD_CPU_MAP: put_cpu_map(assembly); break;
	case PERF_RECORD_EVENT_UPDATE: put_event_update(assembly); break;
	case PERF_RECORD_HEADER_FEATURE: put_feature(assembly); break;
	case PERF_RECORD_BPF_METADATA: put_metadata(assembly); break;
	default: break;
	}
}

/* ---- Whole records ---- */

static void put_payload(struct assembly *assembly)
{
	const struct text_field *field = text_find(&assembly->text, "payload");
	uint8_t *bytes;
	size_t size;

	assembly->payload.size = 0;
	if (!field)
		return;
	bytes = text_bytes(&assembly->text, field, assembly->big, &size);
	buffer_add(&assembly->payload, bytes, size);
	free(bytes);
}

/* Returns true if an MMAP2 is written as kernels of RHEL 7 write it: without prot and flags. The
 * text of such a record has no field `prot`. */
static bool lacks_prot(const struct assembly *assembly)
{
	return assembly->type == PERF_RECORD_MMAP2 && !text_has(&assembly->text, "prot");
}

void put_body(struct assembly *assembly)
{
	static const char rhel[] = "44dddcc88s",
			  rhel_names[] =
				  "pid tid addr len pgoff maj min ino ino_generation filename";
	const struct pk_record_layout *layout = pk_record_layout(assembly->type, assembly->misc);
	const bool is_kernel = assembly->type < PERF_RECORD_KERNEL_MAX;

	assembly->event = is_kernel ? event_of(assembly) : NULL;
	if (lacks_prot(assembly))
		put_fields(assembly, rhel, rhel_names);
	else if (layout)
		put_fields(assembly, layout->letters, layout->fields);
	if (layout)
		put_rest(assembly);
	put_payload(assembly);
	while (put_bytes_of(assembly, "unknown"))
		;
	assembly->trailer = assembly->out.size;
	if (assembly->type == PERF_RECORD_SAMPLE) {
		put_tagged(assembly, "stack", PK_STACK_TRAILER_TAG);
		put_tagged(assembly, "undeclared_stack", PK_STACK_TRAILER_TAG);
	} else if (is_kernel && number_of(assembly, "trailer", 1)) {
		put_trailer(assembly, assembly->event);
	}
	assembly->trailer = assembly->out.size - assembly->trailer;
}
