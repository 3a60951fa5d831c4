// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "branch_entry.h"
#include "fields.h"
#include "vector.h"

struct name {
	const char *text;
	uint64_t needs; /* sample_type must have one of these bits; 0 if the field always exists */
};

static const struct name names[FIELDS_COUNT] = {
	[FIELD_COMM] = {"comm", 0},
	[FIELD_TID] = {"tid", PERF_SAMPLE_TID},
	[FIELD_CPU] = {"cpu", PERF_SAMPLE_CPU},
	[FIELD_MISC] = {"misc", 0},
	[FIELD_TOD] = {"tod", PERF_SAMPLE_TIME},
	[FIELD_TIME] = {"time", PERF_SAMPLE_TIME},
	[FIELD_PERIOD] = {"period", 0},
	[FIELD_EVENT] = {"event", 0},
	[FIELD_FLAGS] = {"flags", 0},
	[FIELD_TRACE] = {"trace", PERF_SAMPLE_RAW},
	[FIELD_ADDR] = {"addr", PERF_SAMPLE_ADDR},
	[FIELD_DATA_SRC] = {"data_src", PERF_SAMPLE_DATA_SRC},
	[FIELD_WEIGHT] = {"weight", PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT},
	[FIELD_INS_LAT] = {"ins_lat", PERF_SAMPLE_WEIGHT_STRUCT},
	[FIELD_RETIRE_LAT] = {"retire_lat", PERF_SAMPLE_WEIGHT_STRUCT},
	[FIELD_CGROUP] = {"cgroup", PERF_SAMPLE_CGROUP},
	[FIELD_MORE] = {"", 0},
	[FIELD_IP] = {"ip", PERF_SAMPLE_IP},
	[FIELD_IREGS] = {"iregs", PERF_SAMPLE_REGS_INTR},
	[FIELD_UREGS] = {"uregs", PERF_SAMPLE_REGS_USER},
	[FIELD_BRSTACK] = {"brstack", PERF_SAMPLE_BRANCH_STACK},
	[FIELD_BRSTACKSYM] = {"brstacksym", PERF_SAMPLE_BRANCH_STACK},
	[FIELD_BRSTACKOFF] = {"brstackoff", PERF_SAMPLE_BRANCH_STACK},
	[FIELD_INSN] = {"insn", PERF_SAMPLE_IP},
	[FIELD_INSNLEN] = {"insnlen", PERF_SAMPLE_IP},
	[FIELD_DISASM] = {"disasm", PERF_SAMPLE_IP},
	[FIELD_BRSTACKINSN] = {"brstackinsn", PERF_SAMPLE_BRANCH_STACK},
	[FIELD_BRSTACKINSNLEN] = {"brstackinsnlen", PERF_SAMPLE_BRANCH_STACK},
	[FIELD_BRSTACKDISASM] = {"brstackdisasm", PERF_SAMPLE_BRANCH_STACK},
	[FIELD_BPF_OUTPUT] = {"bpf-output", PERF_SAMPLE_RAW},
	[FIELD_PHYS_ADDR] = {"phys_addr", PERF_SAMPLE_PHYS_ADDR},
	[FIELD_DATA_PAGE_SIZE] = {"data_page_size", PERF_SAMPLE_DATA_PAGE_SIZE},
	[FIELD_CODE_PAGE_SIZE] = {"code_page_size", PERF_SAMPLE_CODE_PAGE_SIZE},
	[FIELD_PID] = {"pid", PERF_SAMPLE_TID},
	[FIELD_SYM] = {"sym", 0},
	[FIELD_SYMOFF] = {"symoff", 0},
	[FIELD_DSO] = {"dso", 0},
	[FIELD_DSOFF] = {"dsoff", 0},
	[FIELD_SRCLINE] = {"srcline", 0},
};

/* Fields of perf script that pk-script does not print. */
static const struct {
	const char *name, *why;
} elsewhere[] = {
	{"srccode", "pk-script does not read sources: use pk-annotate"},
	{"brcntr", "pk-script does not print counters of branches: use --dump"},
	{"callindent", "pk-decode -e calls | pk-span calls | pk-plot chart shows nested calls"},
	{"ipc", "pk-decode does not count the cycles of instructions"},
	{"synth", "pk-decode does not decode packets of power events and PTWRITE"},
	{"metric", "pk-script does not calculate metrics: use pk-stat"},
	{"machine_pid", "recordings that perf inject has merged from guests are not supported"},
	{"vcpu", "recordings that perf inject has merged from guests are not supported"},
};

#define BASIC (FIELD(COMM) | FIELD(TID) | FIELD(CPU) | FIELD(TIME) | FIELD(EVENT))
#define PLACE (FIELD(IP) | FIELD(SYM) | FIELD(SYMOFF) | FIELD(DSO))
#define MEMORY                                                                                     \
	(FIELD(ADDR) | FIELD(DATA_SRC) | FIELD(WEIGHT) | FIELD(PHYS_ADDR) |                        \
	 FIELD(DATA_PAGE_SIZE) | FIELD(CODE_PAGE_SIZE) | FIELD(INS_LAT) | FIELD(RETIRE_LAT))

struct type {
	const char *prefix; /* the name of the type in -F, or NULL */
	uint64_t fields, invalid;
};

static const struct type types[TYPES] = {
	[TYPE_HW] = {"hw", BASIC | PLACE | FIELD(PERIOD), FIELD(TRACE)},
	[TYPE_SW] = {"sw", BASIC | PLACE | FIELD(PERIOD), FIELD(TRACE)},
	[TYPE_TRACE] = {"trace", BASIC | FIELD(TRACE), 0},
	[TYPE_CACHE] = {NULL, BASIC | PLACE | FIELD(PERIOD), FIELD(TRACE)},
	[TYPE_RAW] = {"raw", BASIC | PLACE | MEMORY | FIELD(PERIOD), FIELD(TRACE)},
	[TYPE_BREAK] = {"break", BASIC | PLACE | FIELD(PERIOD), FIELD(TRACE)},
	[TYPE_OTHER] = {NULL, BASIC | PLACE | FIELD(PERIOD) | FIELD(TRACE), 0},
};

const char *field_name(enum field field)
{
	return names[field].text;
}

void fields_default(struct fields *fields)
{
	*fields = (struct fields){.set = {false}};
	for (int i = 0; i < TYPES; i++)
		fields->of[i] = types[i].fields;
}

void fields_all(struct fields *fields)
{
	for (int i = 0; i < TYPES; i++)
		if (!fields->set[i])
			fields->of[i] = (UINT64_C(1) << FIELDS_COUNT) - 1;
}

bool fields_asked(const struct fields *fields, enum field field)
{
	return fields_asked_any(fields, UINT64_C(1) << field);
}

bool fields_asked_any(const struct fields *fields, uint64_t bits)
{
	for (int i = 0; i < TYPES; i++)
		if (fields->asked[i] & bits)
			return true;
	return false;
}

void fields_free(struct fields *fields)
{
	for (size_t i = 0; i < fields->more_count; i++)
		pk_column_free(&fields->more[i].column);
	free(fields->more);
	fields->more = NULL;
	fields->more_count = fields->more_capacity = 0;
}

static bool is_word(const char *text, int length, const char *word)
{
	return word && (int)strlen(word) == length && !memcmp(text, word, (size_t)length);
}

/* Returns the reason why pk-script cannot print a field. Returns NULL if pk-script can print it, or
 * if it depends on the events. */
static const char *why_not(const char *text, int length)
{
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (is_word(text, length, elsewhere[i].name))
			return elsewhere[i].why;
	for (int i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_.:*", text[i]))
			return "no such field";
	return length ? NULL : "no such field";
}

/* Returns the bit of a field. text is its name in perf script or in docs/fields.md. Returns 0 if
 * perf script has no such field. */
static uint64_t find_field(const char *text, int length)
{
	const struct pk_field *field = pk_field_find(text, (size_t)length);

	for (int i = 0; i < FIELDS_COUNT; i++)
		if (i != FIELD_MORE &&
		    (is_word(text, length, names[i].text) ||
		     (field && field->alias && !strcmp(field->alias, names[i].text))))
			return UINT64_C(1) << i;
	return 0;
}

/* The state while a list of -F is applied to the types of events in `mask`. */
struct change {
	struct fields *fields;
	unsigned int mask;
	char sign; /* '=' if the list has plain names; '+' if the names have + or -; 0 before the
		    * first name */
	struct field_error *error;
};

static bool fail(const struct change *change, const char *why, const char *word, int length)
{
	*change->error = (struct field_error){why, word, length};
	return false;
}

static bool change_one(struct change *change, uint64_t bit, char sign, const char *word, int length)
{
	bool valid = false;

	for (int i = 0; i < TYPES; i++) {
		if (!(change->mask >> i & 1) || (types[i].invalid & bit))
			continue;
		valid = true;
		if (sign == '-') {
			change->fields->of[i] &= ~bit;
			change->fields->asked[i] &= ~bit;
		} else {
			change->fields->of[i] |= bit;
			change->fields->asked[i] |= bit;
		}
	}
	return valid || fail(change, "not a field of such events", word, length);
}

/* Adds or removes a field that perf script does not have. With json_only, the text format prints
 * the field only together with the frames. */
static bool change_more(struct change *change, char sign, const char *word, int length,
			bool json_only)
{
	struct fields *fields = change->fields;
	struct more_field *more;

	for (size_t i = 0; i < fields->more_count; i++) {
		more = &fields->more[i];
		if (more->size != length || memcmp(more->name, word, (size_t)length))
			continue;
		more->types =
			sign == '-' ? more->types & ~change->mask : more->types | change->mask;
		return true;
	}
	if (sign == '-')
		return true;
	if (pk_reserve(&fields->more, &fields->more_capacity, fields->more_count, 1,
		       sizeof(*more)) != PK_OK)
		return fail(change, "out of memory", word, length);
	more = &fields->more[fields->more_count];
	*more = (struct more_field){
		.name = word, .size = length, .types = change->mask, .json_only = json_only};
	if (pk_reference_parse(&more->column.reference, word, (size_t)length) != PK_OK)
		return fail(change, "out of memory", word, length);
	fields->more_count++;
	return json_only || change_one(change, FIELD(MORE), '+', word, length);
}

const char fields_no_memory[] = "out of memory";

void fields_none(struct fields *fields)
{
	memset(fields->of, 0, sizeof(fields->of));
	for (int i = 0; i < TYPES; i++)
		fields->set[i] = true;
	memset(fields->asked, 0, sizeof(fields->asked));
}

const char *fields_add(struct fields *fields, const char *name, size_t size, size_t *index)
{
	struct more_field *more;

	*index = 0;
	for (size_t i = 0; i < size; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_.:*", name[i]))
			return "no such field";
	if (!size || size > 256)
		return "no such field";
	for (size_t i = 0; i < fields->more_count; i++) {
		more = &fields->more[i];
		*index = i;
		if ((size_t)more->size == size && !memcmp(more->name, name, size))
			return NULL;
	}
	if (pk_reserve(&fields->more, &fields->more_capacity, fields->more_count, 1,
		       sizeof(*more)) != PK_OK)
		return fields_no_memory;
	more = &fields->more[fields->more_count];
	*more = (struct more_field){.name = name, .size = (int)size};
	if (pk_reference_parse(&more->column.reference, name, size) != PK_OK)
		return fields_no_memory;
	*index = fields->more_count++;
	return NULL;
}

/* Clears the previous selection for events of these types. */
static void clear(struct change *change)
{
	for (int i = 0; i < TYPES; i++)
		if (change->mask >> i & 1)
			change->fields->of[i] = change->fields->asked[i] = 0;
	for (size_t i = 0; i < change->fields->more_count; i++)
		change->fields->more[i].types &= ~change->mask;
}

static bool change_word(struct change *change, const char *word, int length)
{
	const char sign = *word == '+' || *word == '-' ? *word : '=',
		   kind = sign == '=' ? '=' : '+';
	const char *name = word + (sign != '='), *why;
	const struct pk_field *field;
	const int name_length = length - (sign != '=');
	const uint64_t bit = find_field(name, name_length);

	if (change->sign && change->sign != kind)
		return fail(change, "all fields or none must begin with + or -", word, length);
	why = bit ? NULL : why_not(name, name_length);
	if (why)
		return fail(change, why, word, length);
	if (!change->sign && kind == '=')
		clear(change);
	change->sign = kind;
	if (!bit)
		return change_more(change, sign, name, name_length, false);
	if (bit & (FIELD(SYM) | FIELD(DSO) | FIELD(SRCLINE))) {
		field = pk_field_find(name, (size_t)name_length);
		if (!change_more(change, sign, field->name, (int)strlen(field->name), true))
			return false;
	}
	return change_one(change, bit, sign, word, length);
}

/* Parses "TYPE:" before the list, if it is there. Advances *text to the list. */
static bool parse_type(struct change *change, const char **text)
{
	const char *colon = strchr(*text, ':');

	change->mask = (1u << TYPES) - 1;
	if (!colon)
		return true;
	for (int i = 0; i < TYPES; i++) {
		if (!is_word(*text, (int)(colon - *text), types[i].prefix))
			continue;
		change->mask = 1u << i;
		*text = colon + 1;
		return true;
	}
	return fail(change, "no such type of events", *text, (int)(colon - *text));
}

bool fields_parse(struct fields *fields, const char *text, struct field_error *error)
{
	struct change change = {.fields = fields, .error = error};

	if (!parse_type(&change, &text))
		return false;
	if (!*text && change.mask == (1u << TYPES) - 1)
		return fail(&change, "no fields", text, 0);
	for (int i = 0; i < TYPES; i++) {
		if (!(change.mask >> i & 1))
			continue;
		fields->set[i] = true;
		if (!*text)
			fields->of[i] = fields->asked[i] = 0;
	}
	while (*text) {
		int length = (int)strcspn(text, ",");

		if (!change_word(&change, text, length))
			return false;
		text += length + (text[length] == ',');
	}
	return true;
}

static uint64_t available(const struct pk_event *event)
{
	uint64_t result = 0, has = event->attr.sample_type;

	for (int i = 0; i < FIELDS_COUNT; i++)
		if (!names[i].needs || names[i].needs & has)
			result |= UINT64_C(1) << i;
	/* The code between two branches is known only if all branches were recorded. */
	if (!pk_has_all_branches(&event->attr))
		result &= ~FIELDS_OF_BLOCKS;
	if (event->attr.type == PERF_TYPE_TRACEPOINT)
		return result;
	result &= ~FIELD(TRACE); /* without a format, there would only be raw bytes to print */
	return event->arguments ? result | FIELD(TRACE) : result;
}

enum field_type field_type(const struct pk_event *event)
{
	return event->attr.type < TYPE_OTHER ? event->attr.type : TYPE_OTHER;
}

uint64_t fields_of(const struct fields *fields, const struct pk_event *event, uint64_t *missing)
{
	const enum field_type type = field_type(event);
	uint64_t wanted = fields->of[type], has = available(event);

	if (type == TYPE_TRACE && !fields->set[type] &&
	    event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		wanted |= PLACE;
	*missing = fields->asked[type] & ~has & ~FIELD(MORE);
	if (type == TYPE_OTHER) /* only events with arguments can have this field */
		*missing &= ~FIELD(TRACE);
	if (!(fields->asked[type] & FIELD(TRACE)) && pk_event_has_registers(event))
		wanted &= ~FIELD(TRACE); /* perf prints the registers of IBS only with -D */
	return wanted & has;
}
