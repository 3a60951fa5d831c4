// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "record_time.h"
#include "snapshot_interpreters.h"
#include "synthesize.h"

/* ---- What the functions of the BPF programs need ---- */

/* The thread whose frames are read. The functions of the BPF programs have no argument for it. */
static struct {
	pid_t pid;
	uint64_t pointer;
} stopped;

static long read_stopped(void *to, uint32_t size, const void *from)
{
	return interpreted_read(stopped.pid, (uintptr_t)from, to, size) != PK_OK;
}

static uint64_t thread_pointer(void)
{
	return stopped.pointer;
}

static long loop(uint32_t count, long (*function)(uint32_t, struct interpreted_walk **),
		 struct interpreted_walk **walk)
{
	uint32_t i = 0;

	while (i < count && !function(i++, walk))
		;
	return i;
}

#define bpf_probe_read_user(to, size, from)    read_stopped(to, size, from)
#define bpf_ktime_get_ns()		       record_now()
#define bpf_loop(count, function, walk, flags) loop(count, function, walk)

struct interpreted_walk;
int pk_unwind_python_thread(struct interpreted_walk *p, uint64_t thread);

#include "bpf/interpreters_walk.h"

/* ---- Files ---- */

#define FILES_MAX (1u << 16)

/* What is known of a file that processes have mapped. */
struct known_file {
	uint64_t device, inode;
	uint32_t layout; /* number of the layout plus 1; 0 if the file has no known interpreter */
	struct interpreter_places places; /* offsets from the start of the file in memory */
};

/* Reads a file if it has the inode of the map. Returns false if it has another one. */
static bool read_path(struct snapshot_interpreters *s, const char *path,
		      const struct map_line *line, struct known_file *file)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_ino != line->inode)
		return false;
	file->layout = interpreter_layouts_find(&s->layouts, path, &file->places);
	return true;
}

/* Reads a mapped file. Only users with CAP_CHECKPOINT_RESTORE can open map_files. The path of the
 * map is the one in the root directory of the process, or the one in our root directory. */
static void read_file(struct snapshot_interpreters *s, pid_t pid, const struct map_line *line,
		      struct known_file *file)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, line->start,
		 line->end);
	if (read_path(s, path, line, file))
		return;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, line->name);
	if (!read_path(s, path, line, file))
		read_path(s, line->name, line, file);
}

/* Returns NULL if memory is exhausted. */
static const struct known_file *find_file(struct snapshot_interpreters *s, pid_t pid,
					  const struct map_line *line)
{
	const uint64_t device = makedev(line->major, line->minor);
	struct known_file *file;

	if (s->files.count == FILES_MAX)
		pk_table_free_all(&s->files);
	file = pk_need(pk_lookups(),
		       pk_table_get_or_add(&s->files, line->inode ^ device << 40, sizeof(*file)));

	if (file && (file->inode != line->inode || file->device != device)) {
		*file = (struct known_file){.device = device, .inode = line->inode};
		read_file(s, pid, line, file);
	}
	return file;
}

/* Returns true if the map of the line has an interpreter. */
static bool find_in_map(struct snapshot_interpreters *s, pid_t pid, const struct map_line *line,
			struct snapshot_interpreter *found)
{
	const uint64_t base = line->start - line->offset;
	const struct known_file *file;

	if (line->permissions[2] != 'x' || *line->name != '/' || !line->inode ||
	    !strncmp(line->name, "/dev/", 5))
		return false;
	file = find_file(s, pid, line);
	if (!file || !file->layout)
		return false;
	found->layout = file->layout;
	found->places = file->places;
	found->places.state += base;
	found->places.evaluator += base;
	found->places.cold += base;
	found->places.inner += base;
	return true;
}

void snapshot_interpreters_find(struct snapshot_interpreters *s, pid_t pid,
				struct snapshot_interpreter *found)
{
	struct line_reader reader;
	struct map_line map;
	char path[64], *line;
	bool is_found = false;

	*found = (struct snapshot_interpreter){0};
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (!s->walk || !pk_line_reader_open(&reader, path, pk_lookups()))
		return;
	while (!is_found && (line = pk_line_reader_next(&reader)))
		is_found = map_line_parse(line, &map) && find_in_map(s, pid, &map, found);
	pk_line_reader_close(&reader);
}

/* ---- Frames ---- */

static void add(struct snapshot_words *words, uint64_t entry)
{
	buffer_add(&words->entries, &entry, sizeof(entry));
}

static void add_note(struct snapshot_words *words, enum interpreted_note kind, uint64_t address)
{
	add(words, INTERPRETED_NOTE(kind, address & INTERPRETED_NOTE_ADDRESS));
}

static void add_notes(struct snapshot_words *words, const struct interpreter_places *places)
{
	if (places->evaluator_size) {
		add_note(words, INTERPRETED_FROM, places->evaluator);
		add_note(words, INTERPRETED_TO, places->evaluator + places->evaluator_size);
	}
	if (places->cold_size) {
		add_note(words, INTERPRETED_FROM, places->cold);
		add_note(words, INTERPRETED_TO, places->cold + places->cold_size);
	}
	if (places->inner_size) {
		add_note(words, INTERPRETED_INNER_FROM, places->inner);
		add_note(words, INTERPRETED_INNER_TO, places->inner + places->inner_size);
	}
}

/* Adds the words of all groups. If the last group has no end, its words are left out. */
static void add_groups(struct snapshot_words *words, const struct interpreted_groups *found)
{
	uint32_t at = 0;

	for (uint32_t group = 0; group < found->groups; group++) {
		for (; at + 1u < found->ends[group]; at++)
			add(words, found->words[at]);
		add_note(words, INTERPRETED_GROUP, found->anchors[group]);
		at++;
	}
}

void snapshot_interpreters_read(struct snapshot_interpreters *s,
				const struct snapshot_interpreter *interpreter, pid_t pid,
				uint64_t thread_pointer, struct snapshot_words *words)
{
	struct interpreted_walk *walk = s->walk;
	const struct interpreted_groups *found;

	words->entries.size = 0;
	if (!walk || !interpreter->layout)
		return;
	memset(walk, 0, sizeof(*walk));
	walk->offsets = s->layouts.items[interpreter->layout - 1].offsets;
	walk->found.places = interpreter->places;
	stopped.pid = pid;
	stopped.pointer = thread_pointer;
	interpreters_read(walk);
	found = &walk->found;
	words->stamp = walk->stamp;
	words->when = walk->when;
	words->stamp_at = walk->stamp_at;
	s->torn += found->torn != 0;
	if (found->torn)
		add_note(words, INTERPRETED_TORN, 0);
	if (!found->groups)
		return;
	if (s->mode == INTERPRETER_MODE_BOTH)
		add_note(words, INTERPRETED_BOTH, 0);
	add_notes(words, &found->places);
	add_groups(words, found);
}

void snapshot_interpreters_lack(struct snapshot_interpreters *s,
				const struct snapshot_interpreter *interpreter,
				struct snapshot_words *words)
{
	words->entries.size = 0;
	if (!interpreter->layout)
		return;
	s->torn++;
	add_note(words, INTERPRETED_TORN, 0);
}

void snapshot_interpreters_name(struct snapshot_interpreters *s,
				const struct snapshot_interpreter *interpreter,
				const struct interpreted_use *use, struct snapshot_words *words)
{
	struct interpreted_use of_words = *use;
	uint64_t *entries = (void *)words->entries.data;
	size_t kept = 0;

	if (!s->walk || !interpreter->layout || words->entries.failed)
		words->entries.size = 0;
	if (!words->entries.size)
		return;
	of_words.stamp = words->stamp;
	of_words.when = words->when;
	interpreted_frames_process(&s->frames, use->pid, &s->layouts.items[interpreter->layout - 1],
				   words->stamp_at);
	for (size_t i = 0; i < words->entries.size / sizeof(*entries); i++) {
		uint64_t entry = entries[i];

		if (interpreted_is_word(entry))
			entry = interpreted_frames_address(&s->frames, &of_words, entry);
		if (entry)
			entries[kept++] = entry;
	}
	words->entries.size = kept * sizeof(*entries);
}

/* ---- Start and end ---- */

enum pk_status snapshot_interpreters_start(struct snapshot_interpreters *s,
					   enum interpreter_mode mode, struct pk_writer *writer)
{
	s->mode = mode;
	if (mode == INTERPRETER_MODE_NONE)
		return PK_OK;
	s->walk = calloc(1, sizeof(*s->walk));
	s->layouts.map = s->frames.map = -1;
	interpreted_frames_start(&s->frames, writer);
	return s->walk && s->frames.offsite ? PK_OK : PK_NOMEM;
}

void snapshot_interpreters_round(struct snapshot_interpreters *s)
{
	interpreted_frames_round(&s->frames);
}

void snapshot_interpreters_report(const struct snapshot_interpreters *s)
{
	interpreted_frames_report(&s->frames, &s->layouts, s->torn);
}

void snapshot_interpreters_free(struct snapshot_interpreters *s)
{
	interpreted_frames_free(&s->frames);
	pk_table_free_all(&s->files);
	free(s->walk);
}
