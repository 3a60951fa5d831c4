// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup_names.h"
#include "images.h"
#include "pkstream.h"
#include "pkutil.h"
#include "session.h"
#include "stream_symbols.h"
#include "texts.h"

/* ---- Labels ---- */

/* The labels of a session (SPEC 9.16). If all members are zero, there are no labels. */

#define PK_LABELS_MAX 256 /* further labels of a session are malformed */

struct pk_labels {
	struct pk_texts names, values;
	uint32_t values_of[PK_LABELS_MAX]; /* by number of a label's name, minus 1: the number of
					    * the label's value */
};

/* Returns the number of the value of a label in labels->values, or 0 if there is no such label. */
static uint32_t labels_find(const struct pk_labels *labels, const char *name)
{
	const uint32_t number = pk_texts_find(&labels->names, name, strlen(name));

	return number ? labels->values_of[number - 1] : 0;
}

/* Adds the label of a LABEL record. If a name occurs several times, its first value is valid.
 * Returns PK_CORRUPT if the record is malformed, or if there are too many labels. */
static enum pk_status labels_record(struct pk_labels *labels, const struct pk_record *record)
{
	struct pk_label label;
	uint32_t name, value;

	if (pk_label_decode(record, &label) != PK_OK)
		return PK_CORRUPT;
	if (labels_find(labels, label.name))
		return PK_OK;
	if (labels->names.count == PK_LABELS_MAX)
		return PK_CORRUPT;
	value = pk_texts_add(&labels->values, label.value, strlen(label.value));
	name = value ? pk_texts_add(&labels->names, label.name, strlen(label.name)) : 0;
	if (!name)
		return PK_NOMEM;
	labels->values_of[name - 1] = value;
	return PK_OK;
}

static void labels_free(struct pk_labels *labels)
{
	pk_texts_free(&labels->names);
	pk_texts_free(&labels->values);
}

/* ---- Sessions ---- */

#define PK_EXITED_MAX 4096

/* The recorded tasks, maps and names. */
struct pk_session {
	struct pk_table threads, processes; /* threads by tid, processes by pid */
	struct pk_space *kernel;
	struct pk_guest guest;	/* the maps of a guest for which no process is known */
	struct pk_table guests; /* The other guests, by pid of their process. They stay valid after
				 * the process has ended, as in perf. */
	struct pk_images images;
	struct pk_texts comms;
	struct pk_cgroups cgroups;
	struct pk_labels labels;
	uint64_t serials; /* the last serial that was used for an address space */
	struct pk_stream_symbols symbols;
	struct pk_machine_names machine;
	struct pk_thread *last_thread;
	/* A task can be sampled after its EXIT record. So the last PK_EXITED_MAX exited threads are
	 * kept. exits is the number of EXIT records. */
	uint64_t exits;
	bool has_outsiders;		/* see exit_thread() */
	uint32_t exited[PK_EXITED_MAX]; /* the tids of exited threads, by pk_thread.exit %
					 * PK_EXITED_MAX */
};

struct pk_session *pk_session_new(void)
{
	struct pk_session *session = calloc(1, sizeof(*session));

	if (!session)
		return NULL;
	session->kernel = pk_space_new(&session->serials);
	if (!session->kernel) {
		free(session);
		return NULL;
	}
	return session;
}

static void free_process(struct pk_process *process)
{
	pk_space_release(process->space);
	pk_space_release(process->code);
	free(process);
}

static void leave_process(struct pk_session *session, struct pk_process *process)
{
	if (--process->threads)
		return;
	if (pk_table_get(&session->processes, process->pid) == process)
		pk_table_remove(&session->processes, process->pid);
	free_process(process);
}

static void release_guest(struct pk_guest *guest)
{
	pk_space_release(guest->space);
	pk_space_release(guest->listed);
}

void pk_session_free(struct pk_session *session)
{
	struct pk_process *process;
	struct pk_thread *thread;
	struct pk_guest *guest;
	size_t cursor = 0;

	if (!session)
		return;
	while ((thread = pk_table_next_value(&session->threads, &cursor))) {
		leave_process(session, thread->process);
		free(thread);
	}
	cursor = 0;
	while ((process = pk_table_next_value(&session->processes, &cursor)))
		free_process(process); /* the remaining processes have no threads, so they were not
					* freed with a thread */
	cursor = 0;
	while ((guest = pk_table_next_value(&session->guests, &cursor)))
		release_guest(guest);
	pk_table_free_all(&session->guests);
	pk_table_free(&session->threads);
	pk_table_free(&session->processes);
	pk_space_release(session->kernel);
	release_guest(&session->guest);
	pk_images_free(&session->images);
	pk_stream_symbols_clear(&session->symbols);
	pk_cgroups_free(&session->cgroups);
	labels_free(&session->labels);
	pk_texts_free(&session->comms);
	free(session);
}

const struct pk_space *pk_session_kernel(const struct pk_session *session)
{
	return session->kernel;
}

const struct pk_guest *pk_session_guest(const struct pk_session *session,
					const struct pk_process *process)
{
	const struct pk_guest *guest = pk_table_get(&session->guests, process->pid);

	return guest ? guest : &session->guest;
}

const struct pk_machine_names *pk_session_machine(const struct pk_session *session)
{
	return &session->machine;
}

const char *pk_session_comm(const struct pk_session *session, uint32_t comm)
{
	const char *text = pk_texts_get(&session->comms, comm, NULL);

	return text ? text : "";
}

const char *pk_session_cgroup(const struct pk_session *session, uint64_t id)
{
	const struct pk_cgroup *cgroup = pk_cgroups_find(&session->cgroups, id);

	return cgroup ? cgroup->path : NULL;
}

uint32_t pk_session_container(const struct pk_session *session, uint64_t id)
{
	const struct pk_cgroup *cgroup = pk_cgroups_find(&session->cgroups, id);

	return cgroup ? cgroup->container : 0;
}

uint32_t pk_session_pod(const struct pk_session *session, uint64_t id)
{
	const struct pk_cgroup *cgroup = pk_cgroups_find(&session->cgroups, id);

	return cgroup ? cgroup->pod : 0;
}

const char *pk_session_cgroup_name(const struct pk_session *session, uint32_t number, size_t *size)
{
	return pk_texts_get(&session->cgroups.texts, number, size);
}

uint32_t pk_session_label(const struct pk_session *session, const char *name)
{
	return labels_find(&session->labels, name);
}

const char *pk_session_label_value(const struct pk_session *session, uint32_t number, size_t *size)
{
	return pk_texts_get(&session->labels.values, number, size);
}

bool pk_session_has_stream_symbols(const struct pk_session *session)
{
	return session->symbols.all;
}

bool pk_session_stream_symbols_full(const struct pk_session *session)
{
	return session->symbols.full;
}

bool pk_session_stream_symbol(const struct pk_session *session, const struct pk_location *location,
			      struct pk_stream_place *place)
{
	return pk_stream_symbols_find(&session->symbols, location, place);
}

/* ---- Tasks ---- */

static struct pk_process *add_process(struct pk_session *session, uint32_t pid,
				      struct pk_space *space)
{
	struct pk_process *process = malloc(sizeof(*process));

	if (!process || pk_table_set(&session->processes, pid, process) != PK_OK) {
		free(process);
		pk_space_release(space);
		return NULL;
	}
	*process = (struct pk_process){.pid = pid, .space = space};
	return process;
}

/* Returns the process. Creates it if it is unknown. */
static struct pk_process *pk_session_process(struct pk_session *session, uint32_t pid)
{
	struct pk_process *process = pk_table_get(&session->processes, pid);
	struct pk_space *space;

	if (process)
		return process;
	space = pk_space_new(&session->serials);
	return space ? add_process(session, pid, space) : NULL;
}

/* Removes a thread. If it is the last thread of its process, also removes the process. */
static void remove_thread(struct pk_session *session, uint32_t tid)
{
	struct pk_thread *thread = pk_table_get(&session->threads, tid);

	if (!thread)
		return;
	if (session->last_thread == thread)
		session->last_thread = NULL;
	pk_table_remove(&session->threads, tid);
	leave_process(session, thread->process);
	free(thread);
}

/* Notes that a thread has exited. The thread is kept until its tid is used again, or until
 * PK_EXITED_MAX other threads have exited.
 *
 * The idle task does not exit. If a task with the tid 0 exits, the recorder was in a PID namespace,
 * and all tasks outside of it have this tid. Nothing is known about those that follow. */
static void exit_thread(struct pk_session *session, uint32_t tid)
{
	struct pk_thread *thread = pk_table_get(&session->threads, tid), *oldest;
	uint32_t *slot;

	if (!tid) {
		session->has_outsiders = true;
		remove_thread(session, tid);
		return;
	}
	if (!thread || thread->exit)
		return;
	thread->exit = ++session->exits;
	slot = &session->exited[thread->exit % PK_EXITED_MAX];
	oldest = pk_table_get(&session->threads, *slot);
	if (oldest && oldest->exit && oldest->exit + PK_EXITED_MAX == thread->exit)
		remove_thread(session, *slot);
	*slot = tid;
}

static struct pk_thread *add_thread(struct pk_session *session, struct pk_process *process,
				    uint32_t tid, uint32_t comm, bool named)
{
	struct pk_thread *thread = malloc(sizeof(*thread));

	if (!thread || pk_table_set(&session->threads, tid, thread) != PK_OK) {
		free(thread);
		return NULL;
	}
	*thread = (struct pk_thread){.tid = tid, .comm = comm, .named = named, .process = process};
	process->threads++;
	return thread;
}

static uint32_t made_up_comm(struct pk_session *session, uint32_t tid)
{
	char text[24];
	int size = tid || session->has_outsiders ? snprintf(text, sizeof(text), ":%d", (int32_t)tid)
						 : snprintf(text, sizeof(text), "swapper");

	return pk_texts_add(&session->comms, text, (size_t)size);
}

static struct pk_thread *find_thread(struct pk_session *session, uint32_t pid, uint32_t tid)
{
	struct pk_thread *thread = pk_table_get(&session->threads, tid);
	struct pk_process *process;
	uint32_t comm;

	if (thread && thread->process->pid == pid)
		return thread;
	remove_thread(session, tid);
	comm = made_up_comm(session, tid);
	process = comm ? pk_session_process(session, pid) : NULL;
	return process ? add_thread(session, process, tid, comm, false) : NULL;
}

const struct pk_thread *pk_session_known_thread(const struct pk_session *session, uint32_t tid)
{
	return pk_table_get(&session->threads, tid);
}

struct pk_thread *pk_session_thread(struct pk_session *session, uint32_t pid, uint32_t tid)
{
	struct pk_thread *thread = session->last_thread;

	if (pk_likely(thread && thread->tid == tid && thread->process->pid == pid))
		return thread;
	thread = find_thread(session, pid, tid);
	session->last_thread = thread;
	return thread;
}

/* ---- Records about maps ---- */

#define PROT_EXEC 4 /* a bit in the member prot of MMAP2 */
/* Bits in the member flags of MMAP2. MAP_HUGETLB is 0x80000 on mips, parisc and xtensa, 0x100000 on
 * alpha, and 0x40000 on other machines. The kernel and perf do not use any of these bits for other
 * purposes. */
#define MAP_HUGETLB 0x1c0000
/* perf inject --jit writes code to files. In prot, it stores the mode of the file, which contains
 * this bit for a regular file. */
#define PROT_OF_JIT 0100000
/* A bit in prot that simpleperf sets for JIT code. The file that the record names contains the
 * symbols of this code. */
#define PROT_OF_SYMBOLS 0x4000

/* The fields of MMAP and MMAP2, which start in the same way (SPEC 3.5). */
struct mmap_fields {
	uint32_t pid, tid;
	uint64_t start, size, pgoff;
	const char *name;
	bool executable;
	uint32_t flags;
	uint32_t build_id_size;
	const uint8_t *build_id;
	uint32_t major, minor; /* 0 if there is a build-id, or if the record is a MMAP */
	uint64_t inode;
};

static bool parse_mmap(const struct pk_record *record, struct mmap_fields *fields)
{
	const struct perf_record_mmap2 *map =
		(const void *)record->data; /* MMAP has the same first members */
	bool second = record->type == PERF_RECORD_MMAP2;

	*fields = (struct mmap_fields){
		.pid = map->pid,
		.tid = map->tid,
		.start = map->addr,
		.size = map->len,
		.pgoff = map->pgoff,
		.name = pk_record_text(record, pk_mmap_name_at(record)),
	};
	fields->executable = !(record->misc & PERF_RECORD_MISC_MMAP_DATA);
	if (second && !pk_mmap2_lacks_prot(record)) {
		fields->executable = map->prot & (PROT_EXEC | PROT_OF_JIT | PROT_OF_SYMBOLS);
		fields->flags = map->flags;
	}
	if (second && pk_mmap2_has_build_id(record)) {
		fields->build_id_size = map->build_id_size;
		fields->build_id = map->build_id;
	} else if (second) {
		fields->major = map->maj;
		fields->minor = map->min;
		fields->inode = map->ino;
	}
	return fields->name;
}

/* Returns true if the map must be ignored, because its length is 0 or it ends after 2^64 (SPEC 12).
 */
static bool is_empty(const struct mmap_fields *fields)
{
	return fields->start + fields->size <= fields->start;
}

static bool is_memfd(const char *name)
{
	return !strncmp(name, "/memfd:", 7);
}

/* Returns the kind of image for a user map, and writes its path. As in perf, code without a file
 * gets the path of the perf map of its process. */
static enum pk_dso_kind user_kind(const struct mmap_fields *fields, char *path, size_t size)
{
	enum pk_dso_kind kind = pk_image_kind(fields->name);
	/* A memfd with a build-id is a program or library. Memory that a compiler fills has no
	 * build-id. */
	const bool object = fields->build_id_size && is_memfd(fields->name);
	bool named = !strncmp(fields->name, "[anon:", 6) || is_memfd(fields->name);

	if (fields->flags & MAP_HUGETLB)
		kind = PK_DSO_JIT;
	if (object)
		kind = PK_DSO_FILE;
	if (kind == PK_DSO_JIT && !fields->executable)
		kind = PK_DSO_ANON;
	if (kind == PK_DSO_JIT && !named)
		snprintf(path, size, "/tmp/perf-%u.map", fields->pid);
	else
		snprintf(path, size, "%s", fields->name);
	return kind;
}

/* Adds the image to the session, and the map to the address space. */
static enum pk_status map_image(struct pk_session *session, struct pk_space **space,
				const struct pk_image *like, struct pk_map *map)
{
	struct pk_image *image = pk_images_add(&session->images, like);

	if (!image)
		return PK_NOMEM;
	image->code |= map->executable;
	map->image = image;
	return pk_space_map(space, map);
}

enum pk_status pk_session_map_code(struct pk_session *session, const struct pk_code_map *code)
{
	struct pk_process *process = pk_session_process(session, code->pid);
	struct pk_image like = {
		.kind = PK_DSO_JIT, .pid = code->pid, .dump = true, .path = code->path};
	struct pk_map map = {.start = code->start,
			     .end = code->start + code->size,
			     .pgoff = code->offset,
			     .pid = code->pid,
			     .executable = true};

	if (!process || map.end <= map.start)
		return process ? PK_CORRUPT : PK_NOMEM;
	if (!process->code)
		process->code = pk_space_new(&session->serials);
	return process->code ? map_image(session, &process->code, &like, &map) : PK_NOMEM;
}

/* Adds the map of a jitdump file. A later mmap of the same addresses does not remove it
 * (SPEC 9.12). */
static enum pk_status map_dump(struct pk_session *session, const struct mmap_fields *fields)
{
	const struct pk_code_map code = {.pid = fields->pid,
					 .path = fields->name,
					 .start = fields->start,
					 .size = fields->size,
					 .offset = fields->pgoff};

	return pk_session_map_code(session, &code);
}

static enum pk_status map_user(struct pk_session *session, const struct mmap_fields *fields)
{
	struct pk_process *process = pk_session_process(session, fields->pid);
	struct pk_image like = {.pid = fields->pid, .build_id_size = fields->build_id_size};
	struct pk_map map = {.start = fields->start,
			     .end = fields->start + fields->size,
			     .pgoff = fields->pgoff,
			     .pid = fields->pid,
			     .executable = fields->executable};
	size_t size = strlen(fields->name) + 32;
	char *path = malloc(size);
	enum pk_status status;

	if (!process || !path) {
		free(path);
		return PK_NOMEM;
	}
	if (fields->build_id_size)
		memcpy(like.build_id, fields->build_id, fields->build_id_size);
	like.kind = user_kind(fields, path, size);
	like.path = path;
	if (like.kind == PK_DSO_FILE || is_memfd(fields->name)) {
		like.major = fields->major;
		like.minor = fields->minor;
		like.inode = fields->inode;
	}
	if (like.kind == PK_DSO_VDSO)
		map.pgoff = 0; /* pgoff of the record is an address */
	if (like.kind == PK_DSO_VDSO || !strcmp(fields->name, "[vectors]"))
		process->is_32bit = map.end <= UINT64_C(1) << 32;
	status = map_image(session, &process->space, &like, &map);
	free(path);
	return status;
}

/* Returns the symbol in a name such as "[kernel.kallsyms]_text": the text after the name of the
 * kernel. The pgoff of the map is the address of this symbol. */
static const char *reference_symbol(const char *name)
{
	const char *end = strchr(name, ']');

	return end && end[1] ? end + 1 : NULL;
}

static bool is_kernel(const char *name)
{
	return !strncmp(name, "[kernel.kallsyms]", 17) || !strncmp(name, "[kernel.vmlinux]", 16) ||
	       !strncmp(name, "[kernel]", 8);
}

/* Shortens the map of a module. /proc/modules gives the size of all memory of a module. Since
 * Linux 6.4, only the code of the module is at its address, so other modules can start within that
 * size. */
static void end_module(const struct pk_space *space, struct pk_map *map)
{
	const struct pk_map *next = pk_space_next(space, map->start);

	if (next && next->image->kind == PK_DSO_MODULE && next->start < map->end)
		map->end = next->start;
}

/* Maps code of a kernel. `like` contains the kind, the path and the owner of the image. Sets
 * *result to the image of the map. */
static enum pk_status map_kernel_as(struct pk_session *session, struct pk_space **space,
				    const struct mmap_fields *fields, struct pk_image like,
				    const struct pk_image **result)
{
	const char *symbol = like.kind == PK_DSO_KERNEL ? reference_symbol(fields->name) : NULL;
	struct pk_map map = {
		.start = fields->start, .end = fields->start + fields->size, .executable = true};
	struct pk_image *image;

	like.build_id_size = fields->build_id_size;
	if (fields->build_id_size)
		memcpy(like.build_id, fields->build_id, fields->build_id_size);
	image = pk_images_add(&session->images, &like);
	if (!image)
		return PK_NOMEM;
	if (symbol && !image->reference_symbol) {
		uint32_t number = pk_texts_add(&session->images.paths, symbol, strlen(symbol));

		if (!number)
			return PK_NOMEM;
		image->reference_symbol = pk_texts_get(&session->images.paths, number, NULL);
		image->reference_address = fields->pgoff;
	}
	*result = image;
	if (like.kind == PK_DSO_MODULE)
		end_module(*space, &map);
	return map_image(session, space, &like, &map);
}

static enum pk_status map_kernel(struct pk_session *session, const struct mmap_fields *fields)
{
	const bool kernel = is_kernel(fields->name);
	const struct pk_image like = {.kind = kernel ? PK_DSO_KERNEL : PK_DSO_MODULE,
				      .path = kernel ? "[kernel.kallsyms]" : fields->name};
	const struct pk_image *image;

	return map_kernel_as(session, &session->kernel, fields, like, &image);
}

/* Returns the guest that a process runs, or the guest without a process if pid is 0. Adds it if it
 * does not exist. Returns NULL if memory is exhausted. */
static struct pk_guest *add_guest(struct pk_session *session, uint32_t pid)
{
	return pid ? pk_table_get_or_add(&session->guests, pid, sizeof(struct pk_guest))
		   : &session->guest;
}

/* Returns the values that identify the image of a guest's kernel. The kernels of two guests are two
 * images. */
static struct pk_image like_guest(uint32_t pid, char name[64])
{
	if (pid)
		snprintf(name, 64, "[guest.kernel.kallsyms.%u]", pid);
	else
		snprintf(name, 64, "%s", PK_GUEST_KERNEL);
	return (struct pk_image){.kind = PK_DSO_KERNEL, .path = name, .pid = pid, .guest = true};
}

/* Maps code of a guest in *space, which is one of the two spaces of the guest. */
static enum pk_status map_guest_in(struct pk_session *session, struct pk_guest *guest,
				   struct pk_space **space, const struct mmap_fields *fields)
{
	static const char prefix[] = "[guest.kernel";
	const bool kernel = !strncmp(fields->name, prefix, sizeof(prefix) - 1);
	char name[64];
	struct pk_image like = like_guest(fields->pid, name);
	const struct pk_image *image;
	enum pk_status status;

	if (!kernel) {
		like.kind = PK_DSO_MODULE;
		like.path = fields->name;
	}
	if (!*space)
		*space = pk_space_new(&session->serials);
	status = *space ? map_kernel_as(session, space, fields, like, &image) : PK_NOMEM;
	if (!status && kernel)
		guest->kernel = image;
	return status;
}

/* Maps code of a guest's kernel. The pid of the record is the process that runs the guest. A pid of
 * 0 or -1 stands for the guest without a process. */
static enum pk_status map_guest(struct pk_session *session, struct mmap_fields *fields)
{
	struct pk_guest *guest;

	fields->pid = fields->pid == UINT32_MAX ? 0 : fields->pid;
	guest = add_guest(session, fields->pid);
	return guest ? map_guest_in(session, guest, &guest->space, fields) : PK_NOMEM;
}

enum pk_status pk_session_add_guest(struct pk_session *session, uint32_t pid)
{
	struct pk_guest *guest = add_guest(session, pid);
	char name[64];
	const struct pk_image like = like_guest(pid, name);

	if (guest && !guest->kernel)
		guest->kernel = pk_images_add(&session->images, &like);
	if (!guest)
		return PK_NOMEM;
	return guest->kernel ? PK_OK : PK_NOMEM;
}

enum pk_status pk_session_map_guest_module(struct pk_session *session, uint32_t pid,
					   const char *name, uint64_t start, uint64_t size)
{
	const struct mmap_fields fields = {.pid = pid, .start = start, .size = size, .name = name};
	struct pk_guest *guest = add_guest(session, pid);

	if (!guest)
		return PK_NOMEM;
	return is_empty(&fields) ? PK_OK : map_guest_in(session, guest, &guest->listed, &fields);
}

static enum pk_status pk_session_mmap(struct pk_session *session, const struct pk_record *record)
{
	uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct mmap_fields fields;

	if (!parse_mmap(record, &fields))
		return PK_CORRUPT;
	if (is_empty(&fields))
		return PK_OK;
	if (mode == PERF_RECORD_MISC_KERNEL)
		return map_kernel(session, &fields);
	if (mode == PERF_RECORD_MISC_GUEST_KERNEL)
		return map_guest(session, &fields);
	if (mode == PERF_RECORD_MISC_GUEST_USER)
		return PK_OK;
	if (fields.executable && pk_is_jitdump(fields.name))
		return map_dump(session, &fields);
	return map_user(session, &fields);
}

static enum pk_status pk_session_ksymbol(struct pk_session *session, const struct pk_record *record)
{
	enum { KSYMBOL_UNREGISTER = 1 };
	const struct perf_record_ksymbol *symbol = (const void *)record->data;
	struct pk_image like = {.kind = PK_DSO_BPF,
				.path = pk_record_text(record, sizeof(*symbol))};
	struct pk_map map = {
		.start = symbol->addr, .end = symbol->addr + symbol->len, .executable = true};

	if (!like.path || map.end <= map.start)
		return PK_CORRUPT;
	if (symbol->flags & KSYMBOL_UNREGISTER)
		return pk_space_unmap(&session->kernel, map.start, map.end);
	return map_image(session, &session->kernel, &like, &map);
}

static enum pk_status pk_session_build_id(struct pk_session *session,
					  const struct pk_record *record)
{
	uint32_t size = PK_BUILD_ID_MAX;
	const struct perf_record_build_id *from = (const void *)record->data;
	const char *path = pk_record_text(record, sizeof(*from));
	uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (!path)
		return PK_CORRUPT;
	if (record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE)
		size = from->size;
	if (!size || size > PK_BUILD_ID_MAX)
		return PK_CORRUPT;
	if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER)
		return PK_OK;
	return pk_images_set_build_id(&session->images, path, from->build_id, size,
				      mode == PERF_RECORD_MISC_KERNEL) == PK_OK
		       ? PK_OK
		       : PK_NOMEM;
}

const char *pk_session_path_of_name(const struct pk_session *session, const char *name)
{
	return pk_images_path_of_name(&session->images, name);
}

/* ---- Records about tasks ---- */

static enum pk_status set_comm(struct pk_session *session, const struct pk_record *record)
{
	const struct perf_record_comm *from = (const void *)record->data;
	const char *text = pk_record_text(record, sizeof(*from));
	struct pk_thread *thread;
	uint32_t comm;

	if (!text)
		return PK_CORRUPT;
	thread = pk_session_thread(session, from->pid, from->tid);
	comm = pk_texts_add(&session->comms, text, strlen(text));
	if (!thread || !comm)
		return PK_NOMEM;
	thread->comm = comm;
	thread->named = true;
	thread->exit = 0; /* the tid is used again, but its FORK record was lost */
	if (record->misc & PERF_RECORD_MISC_COMM_EXEC) {
		pk_space_release(thread->process->code);
		thread->process->code = NULL;
		thread->process->is_32bit = false; /* the maps of the new program set it again */
	}
	return PK_OK;
}

/* Returns the process of a forked task. A new process shares the maps of its parent until one of
 * them changes the maps. If a process with this pid already exists, its EXIT was lost, and its
 * threads keep the old process. For a synthesized record, maps are not copied, because the records
 * after it list them. */
static struct pk_process *fork_process(struct pk_session *session, const struct pk_record *record,
				       const struct pk_thread *parent)
{
	const struct perf_record_task *task = (const void *)record->data;
	const uint32_t pid = task->pid, tid = task->tid;
	struct pk_process *stale = pk_table_get(&session->processes, pid), *process;

	if (pid == parent->process->pid)
		return parent->process;
	if (record->misc & PERF_RECORD_MISC_FORK_EXEC || (stale && tid != pid))
		return pk_session_process(session, pid);
	if (stale && !stale->threads) {
		pk_table_remove(&session->processes, pid);
		free_process(stale);
	}
	process = add_process(session, pid, pk_space_share(parent->process->space));
	if (process && parent->process->code)
		process->code = pk_space_share(parent->process->code);
	if (process)
		process->is_32bit = parent->process->is_32bit;
	return process;
}

static enum pk_status fork_thread(struct pk_session *session, const struct pk_record *record)
{
	const struct perf_record_task *task = (const void *)record->data;
	struct pk_thread *parent;
	struct pk_process *process;
	uint32_t comm;
	bool named;

	if (task->pid == task->ppid && task->tid == task->ptid)
		return PK_OK;
	parent = pk_session_thread(session, task->ppid, task->ptid);
	if (!parent)
		return PK_NOMEM;
	if (task->tid != task->ptid)
		remove_thread(session, task->tid);
	named = parent->named;
	/* The children of the idle task are called swapper, too. */
	comm = named || (!task->ptid && !session->has_outsiders) ? parent->comm
								 : made_up_comm(session, task->tid);
	process = fork_process(session, record, parent);
	if (!comm || !process)
		return PK_NOMEM;
	remove_thread(session, task->tid); /* if the record names the parent as its own child, this
					    * removes the parent */
	return add_thread(session, process, task->tid, comm, named) ? PK_OK : PK_NOMEM;
}

static enum pk_status set_machine_name(struct pk_session *session, const struct pk_record *record)
{
	struct pk_machine_names *names = &session->machine;

	switch (pk_feature_id(record)) {
	case PERF_FEATURE_HOSTNAME:
		pk_feature_get_string(record, names->host, sizeof(names->host));
		break;
	case PERF_FEATURE_OSRELEASE:
		pk_feature_get_string(record, names->release, sizeof(names->release));
		break;
	case PERF_FEATURE_ARCH:
		pk_feature_get_string(record, names->machine, sizeof(names->machine));
		break;
	default: break;
	}
	return PK_OK;
}

static enum pk_status read_definition(struct pk_session *session, const struct pk_record *record)
{
	if (pk_definition_of(record) == PK_LABEL)
		return labels_record(&session->labels, record);
	return pk_stream_symbols_record(&session->symbols, record);
}

enum pk_status pk_session_record(struct pk_session *session, const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return pk_session_mmap(session, record);
	case PERF_RECORD_COMM: return set_comm(session, record);
	case PERF_RECORD_FORK: return fork_thread(session, record);
	case PERF_RECORD_EXIT:
		exit_thread(session, ((const struct perf_record_task *)record->data)->tid);
		return PK_OK;
	case PERF_RECORD_CGROUP: return pk_cgroups_record(&session->cgroups, record);
	case PERF_RECORD_KSYMBOL: return pk_session_ksymbol(session, record);
	case PERF_RECORD_HEADER_BUILD_ID: return pk_session_build_id(session, record);
	case PERF_RECORD_HEADER_FEATURE: return set_machine_name(session, record);
	case PERF_RECORD_EVENT_UPDATE: return read_definition(session, record);
	default: return PK_OK;
	}
}
