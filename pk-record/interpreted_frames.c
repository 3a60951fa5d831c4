// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_call.h"
#include "cli.h"
#include "hash.h"
#include "interpreted_frames.h"
#include "lookups.h"
#include "record_time.h"
#include "stream_head.h"
#include "vector.h"

/* The id of an interpreter's image. These ids are the first ids of the stream. */
#define IMAGE_ID(kind) ((kind) + 1u)

/* The range of addresses that interpreted code gets in the stream. No machine has native code at
 * these addresses. */
#define SPACE_START (UINT64_C(1) << 62)
#define SPACE_SIZE  (UINT64_C(1) << 46)
#define LINE_SIZE   16 /* number of addresses for each line; a frame gets the middle one */

#define KNOWN_MAX (1u << 18)	      /* maximum number of code objects in memory */
#define BYTES_MAX ((size_t)256 << 20) /* maximum size of all line tables together, in bytes */

/* The name of frames whose code object could not be read. */
#define UNREAD "[unread]"

/* What is known of a process with frames of an interpreter. */
struct process_frames {
	const struct interpreter_layout
		*layout;   /* layout of the interpreter; NULL if it is unknown */
	uint64_t stamp_at; /* the address of the interpreter's stamp; 0 if it has no stamp */
	uint32_t parent;   /* pid of the process that has forked this process, and that has the same
			    * code objects; 0 if there is none */
	uint64_t round; /* the round (interpreted_frames.round) in which the members above were read
			 */
	uint64_t mapped,
		time; /* The round and the time of the last MMAP2 that was written for the process.
			 Later rounds write the MMAP2 again, because exec removes the map. */
};

/* What is known of the object at an address of a process that describes a function (code object).
 */
struct interpreted_known {
	uint32_t pid;
	uint32_t function; /* number of the function in `names`; 0 if the code object could not be
			    * read */
	uint64_t address;
	struct code_identity identity;
	struct interpreted_code code; /* without the texts */
	uint64_t read, checked; /* when the object was read, and when it was last compared with the
				 * memory of the process; in ns */
	uint64_t stamp;	 /* the stamp of the process when the object was read; 0 if it is unknown */
	bool was_other;	 /* a different code object was known at this address before */
	uint32_t former; /* number of the entry with the code object before this one; 0 if there is
			    none */
};

static const struct interpreter *interpreter_of(const struct interpreter_layout *layout)
{
	return interpreters[layout->offsets.kind];
}

/* A function of an interpreted program, and its addresses in the stream. */
struct interpreted_function {
	uint64_t start;
	uint32_t image;	      /* id of its image */
	uint32_t first, last; /* the first and the last line of the function */
	uint32_t stream;      /* number of the last stream to which the symbol of the function was
			       * written */
};

/* ---- Processes ---- */

#define PROCESSES_MAX (1u << 16)
#define PARENTS_MAX   16

/* Returns NULL if memory is exhausted. */
static struct process_frames *find_process(struct interpreted_frames *frames, uint32_t pid)
{
	if (frames->processes.count == PROCESSES_MAX)
		pk_table_free_all(&frames->processes);
	return pk_need(pk_lookups(),
		       pk_table_get_or_add(&frames->processes, pid, sizeof(struct process_frames)));
}

/* Returns what is known of a process. Reads it again in each round, because the process can call
 * exec. */
static struct process_frames *process_of(struct interpreted_frames *frames, uint32_t pid)
{
	struct process_frames *process = find_process(frames, pid);
	struct interpreted_process value = {0};
	uint32_t layout = 0;

	if (!process || process->round == frames->round)
		return process;
	process->round = frames->round;
	if (bpf_access_map(BPF_MAP_LOOKUP_ELEM, frames->map, &pid, &value))
		return process;
	if (value.object < UNWIND_OBJECTS_MAX)
		layout = frames->codes[value.object].interpreter;
	process->stamp_at = value.stamp_at;
	process->parent = value.parent;
	if (layout && layout <= frames->layouts->count)
		process->layout = &frames->layouts->items[layout - 1];
	return process;
}

void interpreted_frames_process(struct interpreted_frames *frames, uint32_t pid,
				const struct interpreter_layout *layout, uint64_t stamp_at)
{
	struct process_frames *process = find_process(frames, pid);

	if (!process)
		return;
	process->round = frames->round;
	process->layout = layout;
	process->stamp_at = stamp_at;
}

/* ---- Definitions ---- */

void interpreted_frames_start(struct interpreted_frames *frames, struct pk_writer *writer)
{
	if (!frames->map)
		return;
	if (!frames->offsite)
		frames->offsite = pk_need(pk_lookups(), malloc(sizeof(*frames->offsite)));
	frames->stream++;
	frames->round++;
	if (!frames->next)
		frames->next = SPACE_START + LINE_SIZE;
	for (uint32_t kind = 0; frames->offsite && kind < INTERPRETERS; kind++) {
		const struct pk_image_info info = {.id = IMAGE_ID(kind),
						   .kind = PK_DSO_ANON,
						   .path = interpreters[kind]->image};

		if (pk_image_info_write(writer, &info) != PK_OK)
			pk_no_memory();
	}
}

static void write_map(struct interpreted_frames *frames, struct process_frames *process,
		      const struct interpreted_use *use)
{
	const struct mapping mapping = {.pid = (pid_t)use->pid,
					.tid = (pid_t)use->pid,
					.start = SPACE_START,
					.size = SPACE_SIZE,
					.protection = 5,
					.flags = 2,
					.name = interpreter_of(process->layout)->image,
					.cpumode = PERF_RECORD_MISC_USER,
					.time = use->time,
					.id = use->id};

	if (process->mapped == frames->round && process->time <= use->time)
		return;
	process->mapped = frames->round;
	process->time = use->time;
	write_mapping(&mapping, use->attr, use->writer);
}

/* Returns the file of a function, and sets *name to the function's name. The key in `names`
 * consists of these two texts. */
static const char *parts_of(const struct interpreted_frames *frames, uint32_t number,
			    const char **name)
{
	const char *file = pk_texts_get(&frames->names, number, NULL);

	*name = file + strlen(file) + 1;
	return file;
}

static void write_source(struct interpreted_frames *frames, struct pk_writer *writer,
			 uint32_t number, uint32_t line, uint64_t address)
{
	const char *name, *file = parts_of(frames, number, &name);
	const struct pk_source_info info = {.file = file, .file_size = strlen(file), .line = line};

	pk_offsite_start(frames->offsite, frames->functions[number - 1].image);
	if (*file && pk_source_info_add(frames->offsite, &info))
		pk_source_info_write(frames->offsite, writer, address);
}

/* Returns the name of a file without its folders. A name such as <frozen os> is no path. */
static const char *base_of(const char *file)
{
	const char *slash = *file == '<' ? NULL : strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* Writes the symbol of a function, and its first line. */
static void write_symbol(struct interpreted_frames *frames, struct pk_writer *writer,
			 uint32_t number)
{
	struct interpreted_function *function = &frames->functions[number - 1];
	const char *name, *file = parts_of(frames, number, &name), *base = base_of(file);
	struct pk_symbol_info info = {.start = function->start};
	struct buffer text = {0};

	if (function->stream == frames->stream)
		return;
	function->stream = frames->stream;
	buffer_format(&text, "%s%s%s", base, *file ? ":" : "", name);
	if (text.failed) {
		pk_no_memory();
		return;
	}
	info.size = ((uint64_t)(function->last - function->first) + 1) * LINE_SIZE;
	info.name = text.data;
	info.name_size = text.size;
	pk_offsite_start(frames->offsite, function->image);
	if (pk_symbol_info_add(frames->offsite, writer, &info) == PK_OK)
		pk_symbol_info_write(frames->offsite, writer);
	free(text.data);
	if (function->first)
		write_source(frames, writer, number, function->first, function->start);
}

/* Writes the line of an address to the stream. Also writes the line for the address minus 1,
 * because readers look up that address if the frame is a caller. */
static void write_line(struct interpreted_frames *frames, struct pk_writer *writer, uint32_t number,
		       uint32_t line, uint64_t address)
{
	if (pk_table_get_u64(&frames->lines, address) == frames->stream)
		return;
	if (pk_table_set_u64(&frames->lines, address, frames->stream) != PK_OK)
		pk_no_memory();
	write_source(frames, writer, number, line, address);
	write_source(frames, writer, number, line, address - 1);
}

/* Returns the number of a function. If the function is new, adds it. Returns 0 if memory is
 * exhausted. */
static uint32_t function_number(struct interpreted_frames *frames, uint32_t image, const char *file,
				const char *name, const struct code_range *range)
{
	struct buffer key = {0};
	struct interpreted_function *function;
	uint32_t number = 0;

	buffer_add(&key, file, strlen(file) + 1);
	buffer_add(&key, name, strlen(name) + 1);
	buffer_add(&key, range, sizeof(*range));
	buffer_add(&key, &image, sizeof(image));
	if (!key.failed)
		number = pk_texts_add(&frames->names, key.data, key.size);
	free(key.data);
	if (!number || pk_extend(&frames->functions, &frames->functions_capacity, number) != PK_OK)
		return 0;
	function = &frames->functions[number - 1];
	if (!function->start) {
		function->start = frames->next;
		function->image = image;
		function->first = range->first;
		function->last = range->last;
		frames->next += ((uint64_t)(range->last - range->first) + 2) * LINE_SIZE;
	}
	return number;
}

/* ---- Code objects ---- */

static void forget_known(struct interpreted_frames *frames)
{
	for (size_t i = 0; i < frames->known_count; i++)
		interpreted_code_free(&frames->known[i].code);
	frames->known_count = frames->lines_bytes = 0;
	pk_table_clear(&frames->known_index);
}

static uint64_t known_key(uint32_t pid, uint64_t address)
{
	return address ^ (uint64_t)pid << 47;
}

/* Returns NULL if no code object is known at the address. */
static struct interpreted_known *find_known(struct interpreted_frames *frames, uint32_t pid,
					    uint64_t address)
{
	struct pk_probe probe = pk_table_probe(&frames->known_index, known_key(pid, address));
	struct interpreted_known *known;
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		known = &frames->known[number - 1];
		if (known->pid == pid && known->address == address)
			return known;
	}
	return NULL;
}

static struct interpreted_known *add_known(struct interpreted_frames *frames, uint32_t pid,
					   uint64_t address)
{
	struct interpreted_known *known;

	if (frames->known_count == KNOWN_MAX || frames->lines_bytes > BYTES_MAX)
		forget_known(frames);
	if (pk_reserve(&frames->known, &frames->known_capacity, frames->known_count, 1,
		       sizeof(*known)) != PK_OK ||
	    pk_table_add(&frames->known_index, known_key(pid, address), frames->known_count + 1) !=
		    PK_OK)
		return NULL;
	known = &frames->known[frames->known_count++];
	*known = (struct interpreted_known){.pid = pid, .address = address};
	return known;
}

/* Finds the code object that the parent of a process, or an ancestor of the parent, has at the same
 * address. The object must have been there at two different times. `own` is the entry of the
 * process itself. If the code object of `own` was read, only an equal code object is returned.
 * Returns NULL if there is none. */
static struct interpreted_known *find_inherited(struct interpreted_frames *frames, uint32_t parent,
						const struct interpreted_known *own)
{
	const struct process_frames *process;
	struct interpreted_known *known = NULL;

	for (int i = 0; parent && i < PARENTS_MAX; i++) {
		known = find_known(frames, parent, own->address);
		if (known && known->function)
			break;
		process = pk_table_get(&frames->processes, parent);
		parent = process ? process->parent : 0;
	}
	if (!known || !known->function || known->checked <= known->read)
		return NULL;
	if (own->function && memcmp(&own->identity, &known->identity, sizeof(known->identity)) != 0)
		return NULL;
	return known;
}

static enum pk_status read_known(struct interpreted_frames *frames,
				 const struct process_frames *process,
				 struct interpreted_known *known)
{
	const struct interpreter_layout *layout = process->layout;
	struct interpreted_code code;
	struct code_range range;
	enum pk_status status = interpreter_of(layout)->read(
		(pid_t)known->pid, layout, known->address, &known->identity, &code);

	interpreted_code_free(&known->code);
	known->function = 0;
	if (status == PK_OK) {
		buffer_char(&code.file, '\0');
		buffer_char(&code.name, '\0');
		range = interpreted_code_range(&code);
		if (!code.file.failed && !code.name.failed)
			known->function = function_number(frames, IMAGE_ID(layout->offsets.kind),
							  code.file.data, code.name.data, &range);
		if (!known->function)
			status = PK_NOMEM;
		known->code = code;
		known->code.file = known->code.name = (struct buffer){0};
		frames->lines_bytes += code.lines.size;
		code.lines = (struct buffer){0};
	}
	interpreted_code_free(&code);
	return status;
}

/* ---- Code objects that had the same address one after another ---- */

/* They are kept if the index in a word is a part of an address (struct interpreted_code.base). This
 * part then tells to which of them a frame belongs. PHP creates and frees an object for each use of
 * a closure. */

#define FORMER_MAX 16 /* maximum number of former code objects of an address */

static struct interpreted_known *former_of(const struct interpreted_frames *frames,
					   const struct interpreted_known *known)
{
	return known->former ? &frames->known[known->former - 1] : NULL;
}

/* Makes a former code object the current one again. Returns false if none has this identity. */
static bool restore_former(struct interpreted_frames *frames, struct interpreted_known *known,
			   const struct code_identity *identity)
{
	struct interpreted_known *former = former_of(frames, known), other;

	while (former &&
	       (!former->function || memcmp(&former->identity, identity, sizeof(*identity)) != 0))
		former = former_of(frames, former);
	if (!former)
		return false;
	other = *former;
	former->function = known->function;
	former->identity = known->identity;
	former->code = known->code;
	known->function = other.function;
	known->identity = other.identity;
	known->code = other.code;
	return true;
}

/* Keeps the code object of an entry as a former one. Returns the entry, which can have moved. */
static struct interpreted_known *keep_former(struct interpreted_frames *frames,
					     struct interpreted_known *known)
{
	const size_t index = (size_t)(known - frames->known);
	size_t count = 0;

	for (const struct interpreted_known *i = known; i; i = former_of(frames, i))
		count++;
	if (!known->function || !known->code.base || count > FORMER_MAX ||
	    frames->known_count == KNOWN_MAX ||
	    pk_reserve(&frames->known, &frames->known_capacity, frames->known_count, 1,
		       sizeof(*known)) != PK_OK)
		return &frames->known[index];
	known = &frames->known[index];
	frames->known[frames->known_count++] = *known;
	known->former = (uint32_t)frames->known_count;
	known->code = (struct interpreted_code){0};
	return known;
}

/* Returns the only current or former code object of the address that has an instruction with this
 * index. Returns NULL if there is none, or if there are several, because the memory of instructions
 * was used again. */
static struct interpreted_known *with_index(const struct interpreted_frames *frames,
					    struct interpreted_known *known, uint64_t index)
{
	struct interpreted_known *found = NULL;
	uint32_t line;

	for (; known; known = former_of(frames, known)) {
		if (!known->function || !known->code.base || !known->code.size ||
		    !interpreted_code_line(&known->code, index, &line))
			continue;
		if (found)
			return NULL;
		found = known;
	}
	return found;
}

/* Checks whether the address still has the same code object, if the last check was before the
 * sample. Returns the entry, which can have moved. If the address has another code object, reads
 * that object. If the memory cannot be read because the process has ended, keeps what is known. */
static struct interpreted_known *check_known(struct interpreted_frames *frames,
					     const struct process_frames *process,
					     struct interpreted_known *known, uint64_t when)
{
	const uint64_t now = known->checked && known->checked >= when ? 0 : record_now();
	struct code_identity identity;

	if (!now)
		return known;
	if (interpreter_of(process->layout)
		    ->identify((pid_t)known->pid, process->layout, known->address, &identity) !=
	    PK_OK)
		return known;
	known->checked = now;
	if (known->function && !memcmp(&known->identity, &identity, sizeof(identity)))
		return known;
	known->was_other = known->function != 0;
	if (!restore_former(frames, known, &identity)) {
		known = keep_former(frames, known);
		if (read_known(frames, process, known) == PK_NOMEM)
			pk_no_memory();
	}
	known->read = record_now();
	known->stamp =
		process->stamp_at ? interpreted_word((pid_t)known->pid, process->stamp_at) : 0;
	return known;
}

/* Returns true if the code object was at its address at the time of the sample. This is certain if
 * the object was read before the sample and is still there. If it was read later, it is certain if
 * the stamp has not changed. Without stamps, it is assumed if no other code object was known at the
 * address before. */
static bool was_there(const struct interpreted_known *known, uint64_t when, uint64_t stamp)
{
	if (when > known->read)
		return true;
	return stamp && known->stamp ? stamp == known->stamp : !known->was_other;
}

/* ---- Addresses ---- */

static uint64_t address_of(struct interpreted_frames *frames, const struct interpreted_use *use,
			   const struct interpreted_known *known, uint32_t image, uint64_t index)
{
	const struct code_range none = {0};
	const struct interpreted_function *function;
	uint32_t line = 0, number = 0;
	uint64_t address;

	if (known && known->function && interpreted_code_line(&known->code, index, &line))
		number = known->function;
	frames->unread += !number;
	if (!number)
		number = function_number(frames, image, "", UNREAD, &none);
	if (!number) {
		pk_no_memory();
		return SPACE_START;
	}
	function = &frames->functions[number - 1];
	address = function->start + LINE_SIZE / 2;
	if (line >= function->first && line <= function->last)
		address += (uint64_t)(line - function->first) * LINE_SIZE;
	write_symbol(frames, use->writer, number);
	if (line)
		write_line(frames, use->writer, number, line, address);
	return address;
}

void interpreted_frames_round(struct interpreted_frames *frames)
{
	frames->round++;
	frames->now = record_now();
}

uint64_t interpreted_frames_address(struct interpreted_frames *frames,
				    const struct interpreted_use *use, uint64_t word)
{
	const uint64_t index = word & INTERPRETED_INDEX_MASK;
	const uint64_t address = (word & ~INTERPRETED_WORD_MASK) >> INTERPRETED_INDEX_BITS << 3;
	const uint64_t when = use->when ? use->when : frames->now;
	struct process_frames *process = process_of(frames, use->pid);
	struct interpreted_known *known = NULL, *exact = NULL;

	frames->frames++;
	if (!process || !process->layout)
		return address_of(frames, use, NULL, IMAGE_ID(0), index);
	write_map(frames, process, use);
	known = find_known(frames, use->pid, address);
	if (!known)
		known = pk_need(pk_lookups(), add_known(frames, use->pid, address));
	if (known) {
		known = check_known(frames, process, known, when);
		exact = with_index(frames, known, index);
	}
	if (exact)
		known = exact;
	else if (known && (!known->function || !was_there(known, when, use->stamp)))
		known = find_inherited(frames, process->parent, known);
	if (known && known->code.internal)
		return 0;
	return address_of(frames, use, known, IMAGE_ID(process->layout->offsets.kind), index);
}

void interpreted_frames_report(const struct interpreted_frames *frames,
			       const struct interpreter_layouts *layouts, uint64_t torn)
{
	char version[32];

	if (torn)
		pk_warn("%" PRIu64 " stacks lack frames of an interpreter, which could not be read "
			"or did not belong to the native stack",
			torn);
	if (frames->unread)
		pk_warn("%" PRIu64 " of %" PRIu64 " frames of interpreters are without a name: "
			"their process had ended, or had replaced the code",
			frames->unread, frames->frames);
	for (int i = 0; i < INTERPRETERS; i++) {
		const uint32_t number = layouts->unknown[i].version;

		snprintf(version, sizeof(version), " %u.%u", number >> 8, number & 0xff);
		if (layouts->unknown[i].count)
			pk_warn("frames of %s%s are not read, only those of %s",
				interpreters[i]->name, number ? version : "",
				interpreters[i]->versions);
	}
}

void interpreted_frames_free(struct interpreted_frames *frames)
{
	forget_known(frames);
	free(frames->known);
	free(frames->functions);
	free(frames->offsite);
	pk_table_free_all(&frames->processes);
	pk_table_free(&frames->known_index);
	pk_table_free(&frames->lines);
	pk_texts_free(&frames->names);
}
