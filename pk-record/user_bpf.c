// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf_call.h"
#include "buffer.h"
#include "characters.h"
#include "glibc_macros.h"
#include "lookups.h"
#include "messages.h"
#include "number.h"
#include "pkutil.h"
#include "procfs.h"
#include "user_bpf.h"
#include "vector.h"

/* ---- Sources ---- */

extern char **environ;

#define OBJECT_MAX (64 << 20)

/* The macro that bpf_tracing.h of libbpf needs, and the directory where Debian has the headers of
 * this machine. */
#if defined(__x86_64__)
#define ARCHITECTURE "-D__TARGET_ARCH_x86"
#define HEADERS	     "-I/usr/include/x86_64-linux-gnu"
#elif defined(__aarch64__)
#define ARCHITECTURE "-D__TARGET_ARCH_arm64"
#define HEADERS	     "-I/usr/include/aarch64-linux-gnu"
#elif defined(__riscv)
#define ARCHITECTURE "-D__TARGET_ARCH_riscv"
#define HEADERS	     "-I/usr/include/riscv64-linux-gnu"
#elif defined(__s390x__)
#define ARCHITECTURE "-D__TARGET_ARCH_s390"
#define HEADERS	     "-I/usr/include/s390x-linux-gnu"
#elif defined(__powerpc64__)
#define ARCHITECTURE "-D__TARGET_ARCH_powerpc"
#define HEADERS	     "-I/usr/include/powerpc64le-linux-gnu"
#else
#define ARCHITECTURE "-D__TARGET_ARCH_none"
#define HEADERS	     "-I/usr/local/include"
#endif

/* Starts clang, which writes the object to the descriptor. Returns 0 or an errno. */
static int start_clang(const char *path, int output, pid_t *pid)
{
	const char *const arguments[] = {"clang", "-O2",	"-g",	 "-Wall", "-target",
					 "bpf",	  ARCHITECTURE, HEADERS, "-c",	  "-o",
					 "-",	  path,		NULL};
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(pid, "clang", &actions, NULL, (char *const *)arguments,
				     environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static bool read_all(int fd, struct buffer *text)
{
	ssize_t n = 1;

	while (n > 0 && text->size < OBJECT_MAX) {
		char *room = buffer_room(text, 64 << 10);

		n = room ? TEMP_FAILURE_RETRY(read(fd, room, 64 << 10)) : -1;
		if (n > 0)
			text->size += (size_t)n;
	}
	return n == 0;
}

static char *compile(const char *path, size_t *size, struct pk_messages *messages)
{
	struct buffer text = {0};
	int ends[2], error, status = 0;
	bool complete;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		pk_messages_error(messages, "--bpf %s: pipe: %s", path, strerror(errno));
		return NULL;
	}
	error = start_clang(path, ends[1], &pid);
	close(ends[1]);
	complete = !error && read_all(ends[0], &text);
	close(ends[0]);
	if (error == ENOENT)
		pk_messages_error(messages,
				  "--bpf %s: clang is not installed: install it, or give an object "
				  "that clang -O2 -g -target bpf -c has made elsewhere",
				  path);
	else if (error)
		pk_messages_error(messages, "--bpf %s: clang: %s", path, strerror(error));
	else if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0 || status)
		pk_messages_error(messages, "--bpf %s: clang cannot compile it", path);
	else if (complete && !text.failed) {
		*size = text.size;
		return text.data;
	} else {
		pk_messages_error(messages, "--bpf %s: the object of clang cannot be read", path);
	}
	free(text.data);
	return NULL;
}

/* Reads a BPF object. If the name of the file ends with .c, clang compiles it first, and its
 * messages go to stderr. The caller frees the result. Returns NULL after it has added a message. */
static char *bpf_source_read(const char *path, size_t *size, struct pk_messages *messages)
{
	const size_t length = strlen(path);
	char *data;

	if (access(path, R_OK) < 0) {
		pk_messages_error(messages, "--bpf %s: %s", path, strerror(errno));
		return NULL;
	}
	if (length > 2 && !strcmp(path + length - 2, ".c"))
		return compile(path, size, messages);
	data = pk_procfs_read_file(path, OBJECT_MAX, size, &messages->failures);
	if (!data)
		pk_messages_error(messages, "--bpf %s: %s", path, strerror(errno));
	return data;
}

/* ---- Programs ---- */

#define SYSTEM	   "bpf"
#define FORMAT_MAX 65535u /* IDs of formats; the IDs of the kernel start at 1 */

static enum pk_status complain(struct user_bpf *bpf, const struct user_bpf_file *file,
			       const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum pk_status complain(struct user_bpf *bpf, const struct user_bpf_file *file,
			       const char *format, ...)
{
	va_list arguments;
	char text[1024];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return pk_messages_error(&bpf->messages, "--bpf %s: %s", file->path, text);
}

/* ---- The argument ---- */

static bool is_name_char(char c)
{
	return pk_is_of_name(c) || c == '.';
}

/* Returns the colon before the settings. Returns NULL if there are no settings. The path before
 * them can also have colons. */
static char *find_settings(char *text)
{
	for (char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		const char *end = colon + 1;

		while (is_name_char(*end))
			end++;
		if (end > colon + 1 && *end == '=')
			return colon;
	}
	return NULL;
}

enum pk_status user_bpf_add(struct user_bpf *bpf, const char *argument)
{
	struct user_bpf_file *file = &bpf->files[bpf->files_count];
	char *colon;

	if (bpf->files_count == USER_BPF_FILES_MAX)
		return pk_messages_error(&bpf->messages, "--bpf: more than %d files",
					 USER_BPF_FILES_MAX);
	file->path = strdup(argument);
	if (!file->path)
		return pk_messages_no_memory(&bpf->messages);
	bpf->files_count++;
	colon = find_settings(file->path);
	if (!colon)
		return PK_OK;
	*colon = '\0';
	file->settings = colon + 1;
	return PK_OK;
}

/* ---- Settings ---- */

struct setting {
	char name[128], value[256];
};

/* Reads one setting, and returns the text that follows. If the setting is malformed, adds a message
 * and returns NULL. */
static const char *next_setting(struct user_bpf *bpf, const struct user_bpf_file *file,
				const char *text, struct setting *setting)
{
	const size_t size = strcspn(text, ","), name = strcspn(text, "=,");

	if (text[name] != '=' || !name || name >= sizeof(setting->name) ||
	    size - name > sizeof(setting->value)) {
		complain(bpf, file, "'%.*s': must be NAME=VALUE", (int)size, text);
		return NULL;
	}
	snprintf(setting->name, sizeof(setting->name), "%.*s", (int)name, text);
	snprintf(setting->value, sizeof(setting->value), "%.*s", (int)(size - name - 1),
		 text + name + 1);
	return text + size + (text[size] == ',');
}

/* Parses a decimal or hexadecimal number, which may be negative. It must fit into `size` bytes. */
static bool parse_number(const char *text, uint32_t size, uint64_t *value)
{
	const bool negative = *text == '-';
	const unsigned int bits = size * 8;

	if (!pk_parse_u64(text + negative, value))
		return false;
	if (!negative)
		return bits == 64 || *value >> bits == 0;
	if (*value > UINT64_C(1) << (bits - 1))
		return false;
	*value = -*value;
	return true;
}

static void store(uint8_t *to, uint64_t value, uint32_t size)
{
	const uint8_t bytes[] = {(uint8_t)value};
	const uint16_t word = (uint16_t)value;
	const uint32_t number = (uint32_t)value;

	if (size == 1)
		memcpy(to, bytes, sizeof(bytes));
	else if (size == 2)
		memcpy(to, &word, sizeof(word));
	else if (size == 4)
		memcpy(to, &number, sizeof(number));
	else
		memcpy(to, &value, sizeof(value));
}

/* Converts the text to the bytes of a variable. The variable must be a number or an array of char.
 */
static enum pk_status put_value(struct user_bpf *bpf, const struct user_bpf_file *file,
				const struct setting *setting, const struct pk_raw_field *field,
				uint8_t *to)
{
	uint64_t number;

	if (field->kind == PK_RAW_TEXT && field->count) {
		if (strlen(setting->value) >= field->count)
			return complain(bpf, file, "%s: at most %u bytes", setting->name,
					field->count - 1);
		memset(to, 0, field->count);
		memcpy(to, setting->value, strlen(setting->value));
		return PK_OK;
	}
	if (!pk_raw_is_number(field))
		return complain(bpf, file, "%s: neither a number nor a text", setting->name);
	if (!parse_number(setting->value, field->size, &number))
		return complain(bpf, file, "%s=%s: must be a number of %u bits", setting->name,
				setting->value, field->size * 8);
	store(to, number, field->size);
	return PK_OK;
}

/* Describes a variable by one field. The offset of the field is the offset in the section. Returns
 * false if the type of the variable is not a single field. */
static bool field_of(const struct user_bpf_file *file, const struct bpf_library_variable *variable,
		     struct pk_raw_field *field)
{
	struct pk_raw_layout *layout = calloc(1, sizeof(*layout));
	const bool ok = layout &&
			bpf_library_describe(file->object, variable->type, "value", layout) &&
			layout->count == 1 && !layout->fields[0].offset;

	if (ok) {
		*field = layout->fields[0];
		field->offset = variable->offset;
	}
	free(layout);
	return ok;
}

static enum pk_status set_variable(struct user_bpf *bpf, const struct user_bpf_file *file,
				   const struct setting *setting,
				   const struct bpf_library_variable *variable)
{
	struct pk_raw_field field;
	size_t size = 0;
	uint8_t *section = bpf_library_section(file->object, variable->section, &size);

	if (!section || variable->offset > size || variable->size > size - variable->offset)
		return complain(bpf, file, "%s: its section '%s' cannot be changed", setting->name,
				variable->section);
	if (!field_of(file, variable, &field) ||
	    field.size * (field.count ? field.count : 1) > variable->size)
		return complain(bpf, file, "%s: neither a number nor a text", setting->name);
	return put_value(bpf, file, setting, &field, section + variable->offset);
}

static bool find_map(const struct user_bpf_file *file, const char *name,
		     struct bpf_library_map *map, size_t *index)
{
	for (*index = 0; bpf_library_map_at(file->object, *index, map); ++*index)
		if (!strcmp(map->name, name))
			return true;
	return false;
}

/* Sets the value of key 0 in an array map that is already loaded. */
static enum pk_status set_map(struct user_bpf *bpf, const struct user_bpf_file *file,
			      const struct setting *setting)
{
	const uint32_t key = 0;
	struct bpf_library_map map;
	struct pk_raw_field field = {.kind = PK_RAW_SIGNED};
	uint8_t value[8] = {0};
	size_t index;

	if (!find_map(file, setting->name, &map, &index))
		return PK_OK; /* the setting is for a variable */
	field.size = map.value_size;
	PK_TRY(put_value(bpf, file, setting, &field, value));
	if (bpf_access_map(BPF_MAP_UPDATE_ELEM, map.fd, &key, value) == 0)
		return PK_OK;
	return complain(bpf, file, "map '%s': %s", setting->name, strerror(errno));
}

static struct user_bpf_source *add_source(struct user_bpf *bpf, const struct user_bpf_file *file,
					  size_t index, const struct bpf_library_map *map,
					  enum user_bpf_kind kind)
{
	struct user_bpf_source *source = NULL;

	if (pk_vector_reserve(bpf, 1) == PK_OK)
		source = calloc(1, sizeof(*source));
	if (!source) {
		pk_messages_no_memory(&bpf->messages);
		return NULL;
	}
	source->kind = kind;
	source->file = file;
	source->index = index;
	source->map = *map;
	source->lost_map.fd = -1;
	bpf->items[bpf->count++] = source;
	return source;
}

/* Applies MAP.event=NAME, as in perf. The perf buffer then writes to a bpf-output event of -e. */
static enum pk_status bind_event(struct user_bpf *bpf, const struct user_bpf_file *file,
				 const struct setting *setting, struct event_list *events)
{
	char name[sizeof(setting->name)];
	struct user_bpf_source *source;
	struct bpf_library_map map;
	size_t index, event = 0;

	snprintf(name, sizeof(name), "%s", setting->name);
	*strchr(name, '.') = '\0';
	if (!find_map(file, name, &map, &index) || map.type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		return complain(bpf, file, "%s: no perf buffer of this name", name);
	while (event < events->count &&
	       (events->items[event].attr.type != PERF_TYPE_SOFTWARE ||
		events->items[event].attr.config != PERF_COUNT_SW_BPF_OUTPUT ||
		strcmp(events->items[event].name, setting->value) != 0))
		event++;
	if (event == events->count)
		return complain(bpf, file,
				"%s=%s: no event of this name: add -e bpf-output/name=%s/ before",
				setting->name, setting->value, setting->value);
	source = add_source(bpf, file, index, &map, USER_BPF_BUFFER);
	if (!source)
		return PK_FAILED;
	source->event = event;
	events->items[event].bpf.output = true;
	return PK_OK;
}

/* Applies a setting. Call it before the object is loaded. */
static enum pk_status apply_setting(struct user_bpf *bpf, const struct user_bpf_file *file,
				    const struct setting *setting, struct event_list *events)
{
	struct bpf_library_variable variable;
	const char *dot = strchr(setting->name, '.');
	struct bpf_library_map map;
	size_t index;

	if (dot && !strcmp(dot, ".event"))
		return bind_event(bpf, file, setting, events);
	if (bpf_library_find_variable(file->object, setting->name, &variable) &&
	    strcmp(variable.section, ".maps") != 0)
		return set_variable(bpf, file, setting, &variable);
	if (!find_map(file, setting->name, &map, &index))
		return complain(bpf, file, "it has no global variable or map '%s'", setting->name);
	if (map.type != BPF_MAP_TYPE_ARRAY || (map.value_size != 1 && map.value_size != 2 &&
					       map.value_size != 4 && map.value_size != 8))
		return complain(bpf, file, "map '%s': only arrays of numbers can be set",
				setting->name);
	return PK_OK;
}

/* Applies all settings. events is NULL if the object is already loaded. */
static enum pk_status apply_settings(struct user_bpf *bpf, const struct user_bpf_file *file,
				     struct event_list *events)
{
	const char *text = file->settings;
	struct setting setting;

	while (text && *text) {
		text = next_setting(bpf, file, text, &setting);
		if (!text)
			return PK_FAILED;
		PK_TRY(events ? apply_setting(bpf, file, &setting, events)
			      : set_map(bpf, file, &setting));
	}
	return PK_OK;
}

/* ---- Maps to events ---- */

/* Returns the type of the records of a map. This is the struct MAP_event or MAP. If the name of the
 * map ends with s, as in "events", this can also be the struct whose name lacks this s. */
static uint32_t record_type(const struct user_bpf_file *file, const char *map)
{
	const int size = (int)strlen(map);
	char name[160];
	uint32_t type;

	snprintf(name, sizeof(name), "%s_event", map);
	type = bpf_library_find_struct(file->object, name);
	if (!type)
		type = bpf_library_find_struct(file->object, map);
	if (!type && size > 1 && map[size - 1] == 's') {
		snprintf(name, sizeof(name), "%.*s", size - 1, map);
		type = bpf_library_find_struct(file->object, name);
	}
	return type;
}

static enum pk_status describe_records(struct user_bpf *bpf, struct user_bpf_source *source)
{
	const uint32_t type = record_type(source->file, source->map.name);

	if (!type) {
		pk_messages_warn(&bpf->messages,
				 "--bpf %s: map '%s': its records have no fields: the BTF has no "
				 "struct %s_event: is a variable of this type missing?",
				 source->file->path, source->map.name, source->map.name);
		return PK_OK;
	}
	if (bpf_library_describe(source->file->object, type, "", &source->layout))
		return PK_OK;
	return complain(bpf, source->file, "map '%s': the type of its records is malformed",
			source->map.name);
}

/* Returns true if the name is the word, or ends with "_" and the word. A map has counters if the
 * word is hist, hists, count or counts. */
static bool ends_with(const char *name, const char *word)
{
	const size_t size = strlen(name), tail = strlen(word);

	return size >= tail && !strcmp(name + size - tail, word) &&
	       (size == tail || name[size - tail - 1] == '_');
}

static bool is_histogram(const char *name)
{
	return ends_with(name, "hist") || ends_with(name, "hists");
}

static bool is_counts(const struct bpf_library_map *map)
{
	return bpf_counts_possible(map->type) &&
	       (is_histogram(map->name) || ends_with(map->name, "count") ||
		ends_with(map->name, "counts"));
}

/* Describes a value whose type is not in the BTF, as a number or as bytes. */
static void describe_bytes(struct pk_raw_layout *layout, const char *name, uint32_t size)
{
	struct pk_raw_field field = {.size = size};

	layout->count = layout->left_out = 0;
	layout->size = size;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		field = (struct pk_raw_field){.kind = PK_RAW_BYTES, .size = 1, .count = size};
	pk_raw_layout_add(layout, name, &field);
}

static bool describe_type(const struct user_bpf_file *file, uint32_t type, uint32_t size,
			  const char *name, struct pk_raw_layout *layout)
{
	if (type)
		return bpf_library_describe(file->object, type, name, layout) &&
		       layout->size == size;
	describe_bytes(layout, name, size);
	return size && size <= BPF_TYPE_SIZE_MAX;
}

static bool is_counter(const struct pk_raw_field *field)
{
	return (field->kind == PK_RAW_UNSIGNED || field->kind == PK_RAW_SIGNED) &&
	       (field->size == 4 || field->size == 8);
}

/* Finds the counters in a value of the map. They are the first array of numbers or, if there is no
 * array, the first number. */
static bool find_counter(struct user_bpf_source *source)
{
	struct pk_raw_layout *layout =
		&source->layout; /* used temporarily; describe_counts() sets it afterwards */
	const struct pk_raw_field *found = NULL;

	if (!describe_type(source->file, source->map.value_type, source->map.value_size, "count",
			   layout))
		return false;
	for (size_t i = 0; i < layout->count; i++) {
		const struct pk_raw_field *field = &layout->fields[i];

		if (is_counter(field) && (!found || (field->count && !found->count)))
			found = field;
	}
	if (!found)
		return false;
	source->counter = *found;
	return true;
}

static bool add_u64(struct pk_raw_layout *layout, const char *name)
{
	const struct pk_raw_field field = {.size = 8, .offset = layout->size};

	layout->size += 8;
	return pk_raw_layout_add(layout, name, &field);
}

/* Describes the samples of counters. Their fields are the fields of the key, and then slot, low and
 * count. */
static enum pk_status describe_counts(struct user_bpf *bpf, struct user_bpf_source *source)
{
	struct pk_raw_layout *layout = &source->layout;
	const char *name = source->map.name, *key = "key";
	bool ok;

	if (!find_counter(source))
		return complain(bpf, source->file,
				"map '%s': by its name it has counters, but its values have no "
				"numbers of 32 or 64 bits",
				name);
	source->has_slots = source->counter.count;
	source->is_histogram = is_histogram(name);
	if (source->is_histogram && !source->has_slots)
		key = "slot";
	if (!describe_type(source->file, source->map.key_type, source->map.key_size, key, layout))
		return complain(bpf, source->file, "map '%s': the type of its keys is malformed",
				name);
	source->tail = layout->size = PK_ALIGN8(layout->size);
	ok = (!source->has_slots || add_u64(layout, "slot")) &&
	     (!source->is_histogram || add_u64(layout, "low")) && add_u64(layout, "count");
	return ok ? PK_OK
		  : complain(bpf, source->file, "map '%s': its keys have too many members", name);
}

/* Finds the counter of records that a ring buffer has lost. It is a variable or an array map with
 * the name MAP_lost. */
static void find_lost(struct user_bpf_source *source)
{
	const struct user_bpf_file *file = source->file;
	struct bpf_library_variable variable;
	struct bpf_library_map map;
	char name[160];
	size_t index, size = 0;

	snprintf(name, sizeof(name), "%s_lost", source->map.name);
	if (find_map(file, name, &map, &index) &&
	    (map.type == BPF_MAP_TYPE_ARRAY || map.type == BPF_MAP_TYPE_PERCPU_ARRAY) &&
	    (map.value_size == 4 || map.value_size == 8)) {
		source->lost_map = map;
		source->lost_field = (struct pk_raw_field){.size = map.value_size};
	} else if (bpf_library_find_variable(file->object, name, &variable) &&
		   field_of(file, &variable, &source->lost_field) &&
		   is_counter(&source->lost_field) &&
		   bpf_library_section(file->object, variable.section, &size)) {
		source->lost_map = (struct bpf_library_map){.type = BPF_MAP_TYPE_ARRAY,
							    .key_size = sizeof(uint32_t),
							    .value_size = (uint32_t)size,
							    .entries = 1,
							    .fd = -1};
		snprintf(source->lost_section, sizeof(source->lost_section), "%s",
			 variable.section);
	}
}

static const struct pk_raw_field *number_named(const struct pk_raw_layout *layout, const char *name)
{
	const struct pk_raw_field *field = pk_raw_layout_find(layout, name);

	return field && pk_raw_is_number(field) ? field : NULL;
}

static void find_places(struct user_bpf_source *source)
{
	const struct pk_raw_layout *layout = &source->layout;

	source->time = number_named(layout, "ts");
	source->pid = number_named(layout, "tgid");
	if (!source->pid)
		source->pid = number_named(layout, "pid");
	source->tid = number_named(layout, "tid");
	if (!source->tid)
		source->tid = source->pid;
	if (!source->pid)
		source->pid = source->tid;
	source->cpu = number_named(layout, "cpu");
}

/* Returns a line that is printed in a dry run. */
static char *describe(const struct user_bpf_source *source)
{
	static const char *const kinds[] = {[USER_BPF_RING] = "ring buffer",
					    [USER_BPF_BUFFER] = "perf buffer",
					    [USER_BPF_COUNTS] = "counters"};
	struct buffer text = {0};

	buffer_format(&text, "%s of %s:", kinds[source->kind], source->file->path);
	for (size_t i = 0; i < source->layout.count; i++)
		buffer_format(&text, " %s", source->layout.fields[i].name);
	buffer_char(&text, '\n');
	return buffer_take(&text);
}

static char *format_of(const struct user_bpf_source *source, uint32_t id)
{
	const uint32_t machine = pk_procfs_session_info(pk_lookups()).e_machine;

	return pk_raw_format_text(&source->layout, source->map.name, id, pk_abi_of(machine, false));
}

static enum pk_status add_event(struct user_bpf *bpf, struct user_bpf_source *source,
				struct event_list *events)
{
	const uint32_t format = FORMAT_MAX - (uint32_t)(bpf->count - 1);
	char name[160];
	struct event *event;

	snprintf(name, sizeof(name), SYSTEM ":%s", source->map.name);
	source->event = events->count;
	event = pk_event_list_add(events, name);
	if (!event)
		return pk_messages_no_memory(&bpf->messages);
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = format;
	if (source->kind == USER_BPF_COUNTS)
		event->attr.sample_type = PERF_SAMPLE_PERIOD;
	event->bpf.output = true;
	event->bpf.own_samples = source->kind != USER_BPF_BUFFER;
	event->bpf.format = format_of(source, format);
	event->probe.description = describe(source);
	name[strlen(SYSTEM)] = '/';
	event->tracepoint = strdup(name);
	return event->bpf.format && event->probe.description && event->tracepoint
		       ? PK_OK
		       : pk_messages_no_memory(&bpf->messages);
}

static bool is_taken(struct user_bpf *bpf, const struct user_bpf_file *file,
		     const struct bpf_library_map *map, bool *bound)
{
	for (size_t i = 0; i < bpf->count; i++) {
		if (strcmp(bpf->items[i]->map.name, map->name) != 0)
			continue;
		*bound = bpf->items[i]->file == file;
		if (!*bound)
			complain(bpf, file, "map '%s': %s has a map of this name, too", map->name,
				 bpf->items[i]->file->path);
		return true;
	}
	return false;
}

/* Adds the event of a map. Does nothing if the map is not an event. */
static enum pk_status add_map(struct user_bpf *bpf, const struct user_bpf_file *file, size_t index,
			      const struct bpf_library_map *map, struct event_list *events)
{
	const enum user_bpf_kind kind = map->type == BPF_MAP_TYPE_RINGBUF ? USER_BPF_RING
					: map->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY
						? USER_BPF_BUFFER
						: USER_BPF_COUNTS;
	struct user_bpf_source *source;
	bool bound;

	if (kind == USER_BPF_COUNTS && !is_counts(map))
		return PK_OK;
	if (is_taken(bpf, file, map, &bound))
		return bound ? PK_OK : PK_FAILED;
	if (!pk_field_name_is_valid(map->name))
		return complain(bpf, file, "map '%s': its name cannot be that of an event",
				map->name);
	source = add_source(bpf, file, index, map, kind);
	if (!source)
		return PK_FAILED;
	PK_TRY(kind == USER_BPF_COUNTS ? describe_counts(bpf, source)
				       : describe_records(bpf, source));
	if (source->layout.left_out)
		pk_messages_info(&bpf->messages,
				 "--bpf %s: map '%s': %zu members of its records are no fields",
				 file->path, map->name, source->layout.left_out);
	find_places(source);
	if (kind == USER_BPF_RING)
		find_lost(source);
	return add_event(bpf, source, events);
}

/* ---- Start ---- */

static enum pk_status open_file(struct user_bpf *bpf, struct user_bpf_file *file,
				struct event_list *events)
{
	struct bpf_library_map map;
	size_t size = 0, count = bpf->count;
	char *data;

	data = bpf_source_read(file->path, &size, &bpf->messages);
	if (!data)
		return PK_FAILED;
	file->object = bpf_library_open(
		data, size, &(struct bpf_owner){"--bpf", file->path, "without it"}, &bpf->messages);
	free(data);
	if (!file->object)
		return PK_FAILED;
	PK_TRY(apply_settings(bpf, file, events));
	for (size_t i = 0; bpf_library_map_at(file->object, i, &map); i++)
		PK_TRY(add_map(bpf, file, i, &map, events));
	if (bpf->count > count)
		return PK_OK;
	return complain(bpf, file,
			"it has no ring buffer, perf buffer or map of counters: there "
			"would be nothing to record");
}

enum pk_status user_bpf_open(struct user_bpf *bpf, struct event_list *events)
{
	for (size_t i = 0; i < bpf->files_count; i++)
		PK_TRY(open_file(bpf, &bpf->files[i], events));
	return PK_OK;
}

/* Sets the members of a source that need the loaded map. */
static enum pk_status load_source(struct user_bpf *bpf, struct user_bpf_source *source)
{
	const struct user_bpf_file *file = source->file;
	const uint32_t cpus = bpf_possible_cpus(&bpf->messages.failures);
	struct bpf_library_map lost;
	size_t index;

	bpf_library_map_at(file->object, source->index, &source->map);
	if (!cpus)
		return complain(bpf, file, "the number of CPUs is unknown");
	if (source->kind == USER_BPF_COUNTS)
		return bpf_counts_init(&source->counts, &source->map, &source->counter, cpus) ==
				       PK_OK
			       ? PK_OK
			       : pk_messages_no_memory(&bpf->messages);
	if (source->kind != USER_BPF_RING)
		return PK_OK;
	if (source->lost_section[0])
		source->lost_map.fd = bpf_library_section_map(file->object, source->lost_section);
	else if (source->lost_map.name && find_map(file, source->lost_map.name, &lost, &index))
		source->lost_map.fd = lost.fd;
	if (source->lost_map.fd >= 0 &&
	    bpf_counts_init(&source->counts, &source->lost_map, &source->lost_field, cpus) != PK_OK)
		return pk_messages_no_memory(&bpf->messages);
	return bpf_ring_map(&source->ring, source->map.fd, source->map.entries) == PK_OK
		       ? PK_OK
		       : complain(bpf, file, "map '%s': %s", source->map.name, strerror(errno));
}

enum pk_status user_bpf_load(struct user_bpf *bpf)
{
	PK_TRY(bpf_outside_of_namespaces(&bpf->messages, "--bpf", "without it"));
	for (size_t i = 0; i < bpf->files_count; i++) {
		PK_TRY(bpf_library_start(bpf->files[i].object, &bpf->messages));
		PK_TRY(apply_settings(bpf, &bpf->files[i], NULL));
	}
	for (size_t i = 0; i < bpf->count; i++)
		PK_TRY(load_source(bpf, bpf->items[i]));
	return PK_OK;
}

static enum pk_status connect_buffer(struct user_bpf *bpf, const struct user_bpf_source *source,
				     const struct event *event)
{
	for (size_t i = 0; i < bpf->targets->cpus_count; i++) {
		const int fd = event->opened.fds[event_slot(bpf->targets, i, 0)];
		const uint32_t cpu = (uint32_t)bpf->targets->cpus[i];

		if (fd < 0)
			continue;
		if (bpf_access_map(BPF_MAP_UPDATE_ELEM, source->map.fd, &cpu, &fd) < 0)
			return complain(bpf, source->file, "map '%s': %s", source->map.name,
					strerror(errno));
		if (event->bpf.format &&
		    pk_table_set_u64(&bpf->bare, event->opened.ids[event_slot(bpf->targets, i, 0)],
				     source->event + 1) != PK_OK)
			return pk_messages_no_memory(&bpf->messages);
	}
	return PK_OK;
}

enum pk_status user_bpf_connect(struct user_bpf *bpf, const struct event_list *events,
				const struct targets *targets, int32_t clock)
{
	bpf->events = events;
	bpf->targets = targets;
	bpf->clock = clock;
	pk_table_clear(&bpf->bare);
	for (size_t i = 0; i < bpf->count; i++) {
		struct user_bpf_source *source = bpf->items[i];
		const struct event *event = &events->items[source->event];

		while (event->opened.fds[source->slot] < 0 &&
		       source->slot + 1 < event_slots(targets))
			source->slot++;
		if (source->kind == USER_BPF_BUFFER)
			PK_TRY(connect_buffer(bpf, source, event));
	}
	return PK_OK;
}

enum pk_status user_bpf_attach(struct user_bpf *bpf)
{
	for (size_t i = 0; i < bpf->files_count; i++)
		PK_TRY(bpf_library_attach(bpf->files[i].object, &bpf->messages));
	return PK_OK;
}

void user_bpf_free(struct user_bpf *bpf)
{
	for (size_t i = 0; i < bpf->count; i++) {
		bpf_ring_unmap(&bpf->items[i]->ring);
		bpf_counts_free(&bpf->items[i]->counts);
		free(bpf->items[i]);
	}
	free(bpf->items);
	pk_table_free(&bpf->bare);
	for (size_t i = 0; i < bpf->files_count; i++) {
		bpf_library_close(bpf->files[i].object);
		free(bpf->files[i].path);
	}
	pk_messages_clear(&bpf->messages);
}
