// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "pgo.h"
#include "pgo_kernel.h"
#include "sandbox.h"
#include "search.h"
#include "where.h"

/* ---- Options ---- */

#define AT(member) PK_AT(struct pgo, member)

const struct pk_option pgo_rows[] = {
	{0, "object", "FILE", PK_INPUT,
	 "the program, library or kernel (vmlinux) to optimize (default: the program or library "
	 "with the most branches)",
	 AT(wanted)},
	PK_TITLE("Samples"),
	{0, "event", "GLOB", PK_CALL, "export these events (default: all)",
	 AT(base.options.tail.weigh), .parse = pk_add_event},
	{.kind = PK_ROWS, .rows = pk_where_row, AT(base.options.tail)},
	{.kind = PK_ROWS, .rows = pk_symbol_rows, AT(base.options.tail.symbols)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(base.common)},
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static bool is_folder(const char *path)
{
	struct stat status;

	return path && !stat(path, &status) && S_ISDIR(status.st_mode);
}

int pgo_start(void *format)
{
	struct pgo *pgo = format;
	struct pk_symbols_options options = pgo->base.options.tail.symbols;

	pgo->counts.most = PGO_TRACES_MAX;
	if (pgo->wanted) {
		pgo->wanted_path = realpath(pgo->wanted, NULL);
		if (!pgo->wanted_path) {
			pk_error("%s: %s", pgo->wanted, strerror(errno));
			return PK_EXIT_FAILED;
		}
		pk_build_id_of_file(pgo->wanted_path, &pgo->build_id, pk_lookups());
		pgo->counts.kernel = pgo_kernel_open(pgo->wanted_path);
		options.symfs = NULL; /* the file is on this machine */
		pgo->symbols = pk_symbols_new(&options);
		if (!pgo->symbols)
			return pk_no_memory();
	}
	if (!is_folder(pgo->base.path))
		return PK_CONTINUE;
	pgo->folder = pgo->base.path;
	pgo->base.kind = OUTPUT_NONE;
	pk_sandbox_folder(pgo->folder);
	return PK_CONTINUE;
}

enum pk_status pgo_sample(void *format, const struct export_sample *sample)
{
	struct pgo *pgo = format;

	return pgo_counts_add(&pgo->counts, &pgo->base.samples, sample);
}

int pgo_end(void *format, int result)
{
	struct pgo *pgo = format;

	pgo_counts_free(&pgo->counts);
	pgo_kernel_close(pgo->counts.kernel);
	free(pgo->wanted_path);
	result = pk_symbols_finish(pgo->symbols, result);
	return result;
}

/* ---- Selecting objects ---- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool same_name(const char *recorded, const char *wanted)
{
	const char *name = last_part(recorded), *other = last_part(wanted);
	const size_t size = pk_plain_path(name);

	return strlen(other) == size && !memcmp(name, other, size);
}

static bool is_sampled(const struct pgo_object *object)
{
	return object->traces.count || object->addresses.count;
}

/* Returns the object of --object. An object is found by its build-id. If the recording or the file
 * does not have one, it is found by its name. Returns NULL after a message. */
static struct pgo_object *find_wanted(const struct pgo *pgo)
{
	struct pgo_object *found = NULL, *other = NULL;
	char hex[PK_BUILD_ID_HEX], other_hex[PK_BUILD_ID_HEX];

	for (size_t i = 0; i < pgo->counts.count; i++) {
		struct pgo_object *object = pgo->counts.objects[i];

		if (!is_sampled(object))
			continue;
		if (pk_build_id_equal(&object->build_id, &pgo->build_id))
			return object;
		if (!pgo->counts.kernel && !same_name(object->path, pgo->wanted))
			continue;
		if (object->build_id.size && pgo->build_id.size)
			other = object;
		else
			found = object;
	}
	if (found) {
		pk_warn("%s: the recording or the file has no build-id, so it is not known whether "
			"this is the recorded file",
			pgo->wanted);
		return found;
	}
	if (!other) {
		pk_error("%s: the samples have no code of this file", pgo->wanted);
		return NULL;
	}
	pk_build_id_format(&other->build_id, hex);
	pk_build_id_format(&pgo->build_id, other_hex);
	pk_error("%s: not the recorded file: its build-id is %s, but the build-id of the recorded "
		 "file is %s",
		 pgo->wanted, other_hex, hex);
	return NULL;
}

/* Returns the object with the most branches, or with the most addresses if there are no branches.
 */
static struct pgo_object *find_largest(const struct pgo *pgo)
{
	struct pgo_object *largest = NULL;

	for (size_t i = 0; i < pgo->counts.count; i++) {
		struct pgo_object *object = pgo->counts.objects[i];

		if (is_sampled(object) && (!largest || object->branches > largest->branches ||
					   (!largest->branches && !object->branches &&
					    object->addresses.count > largest->addresses.count)))
			largest = object;
	}
	return largest;
}

static void report_others(const struct pgo *pgo, const struct pgo_object *chosen)
{
	char number[32];
	size_t others = 0;

	for (size_t i = 0; i < pgo->counts.count; i++)
		others += pgo->counts.objects[i] != chosen && is_sampled(pgo->counts.objects[i]);
	if (others)
		pk_info("the profile is that of %s; %s other object%s left out, which "
			"--object=FILE "
			"or -o FOLDER select",
			chosen->path, pk_number(number, others), others == 1 ? " is" : "s are");
}

/* ---- Writing ---- */

bool pgo_address(const struct pgo_target *target, uint32_t offset, uint64_t *address)
{
	*address = 0;
	return offset == PGO_NONE || pk_object_elf_address(target->object, offset, address);
}

/* Finds the file of an object. Returns false after a message. */
static bool find_file(struct pgo *pgo, struct pgo_target *target)
{
	const struct pgo_object *counts = target->counts;
	enum pk_object_state state;

	target->object = pgo->wanted ? pk_symbols_file(pgo->symbols, pgo->wanted_path,
						       &counts->build_id, NULL)
				     : pk_symbols_file(pgo->base.samples.tail.symbols, counts->path,
						       &counts->build_id, &counts->by);
	if (!target->object) {
		pgo->base.failed = true;
		return false;
	}
	state = pk_object_state(target->object);
	if (state == PK_OBJECT_READY || state == PK_OBJECT_STRIPPED)
		return true;
	pk_error("%s %s; its addresses are needed", pk_object_path(target->object),
		 pk_object_reason(target->object));
	pgo->base.status = PK_EXIT_FAILED;
	return false;
}

static void report_target(const struct pgo_target *target)
{
	char number[32];

	if (target->unplaced)
		pk_warn("%s: %s branches or samples are at offsets that are in no segment of the "
			"file, and are left out",
			target->counts->path, pk_number(number, target->unplaced));
}

/* Returns the path of the output of an object in the folder. Its name is that of the object with
 * the build-id. Objects without build-id are numbered. The caller frees it. Returns NULL if memory
 * is exhausted. */
static char *output_path(const struct pgo *pgo, size_t index, const char *extension)
{
	const struct pgo_object *object = pgo->counts.objects[index];
	const char *name = last_part(object->path);
	char hex[PK_BUILD_ID_HEX], *path = NULL, *p;

	pk_build_id_format(&object->build_id, hex);
	if (!object->build_id.size)
		snprintf(hex, sizeof(hex), "%zu", index + 1);
	if (asprintf(&path, "%s/%.*s.%s.%s", pgo->folder, (int)pk_plain_path(name), name, hex,
		     extension) < 0)
		return NULL;
	for (p = path + strlen(pgo->folder) + 1; *p; p++)
		if ((unsigned char)*p <= ' ' || *p == 0x7f)
			*p = '_';
	return path;
}

/* Writes the file of one object into the folder. */
static void write_file(struct pgo *pgo, size_t index, const char *extension,
		       void (*write)(struct pgo *pgo, struct pgo_target *target))
{
	struct export_output output = {0};
	struct pgo_target target = {
		.counts = pgo->counts.objects[index], .out = &output.text, .output = &output};
	char *path;
	int result;

	if (!find_file(pgo, &target))
		return;
	path = output_path(pgo, index, extension);
	if (!path) {
		pgo->base.failed = true;
		return;
	}
	result = output_open(&output, OUTPUT_FILE, path, NULL);
	if (!result) {
		write(pgo, &target);
		result = output_close(&output, result);
	}
	if (result)
		pgo->base.status = result;
	report_target(&target);
	free(path);
}

static void write_one(struct pgo *pgo, void (*write)(struct pgo *pgo, struct pgo_target *target))
{
	struct pgo_target target = {.counts = pgo->wanted ? find_wanted(pgo) : find_largest(pgo),
				    .out = &pgo->base.out.text,
				    .output = &pgo->base.out};

	if (!target.counts) {
		if (pgo->wanted || pgo->counts.samples || pgo->counts.branchless)
			pgo->base.status = PK_EXIT_FAILED;
		if (pgo->base.status && !pgo->wanted)
			pk_error("the samples have no code of programs or libraries; "
				 "--object=VMLINUX selects the code of the kernel");
		return;
	}
	if (!pgo->wanted)
		report_others(pgo, target.counts);
	if (!find_file(pgo, &target))
		return;
	write(pgo, &target);
	report_target(&target);
}

static void report_counts(const struct pgo_counts *counts)
{
	char number[32], total[32], most[32];

	if (!counts->samples && counts->branchless && !counts->only_addresses)
		pk_warn("the samples have no branches, so the profile has only their addresses; "
			"pk-record -b records branches");
	if (counts->samples && counts->branchless)
		pk_warn("%s of %s samples have no branches, and are left out",
			pk_number(number, counts->branchless),
			pk_number(total, counts->branchless + counts->samples));
	if (counts->partial)
		pk_warn("%s sample%s only some kinds of branches, or only calls; the code between "
			"these branches is left out",
			pk_number(number, counts->partial),
			counts->partial == 1 ? " has" : "s have");
	if (counts->dropped)
		pk_error(
			"%s of %s branches or samples are left out, because there are more than %s "
			"distinct ones; --where selects fewer",
			pk_number(number, counts->dropped),
			pk_number(total, counts->branches + counts->branchless),
			pk_number(most, counts->most));
}

void pgo_write(struct pgo *pgo, const char *extension,
	       void (*write)(struct pgo *pgo, struct pgo_target *target))
{
	report_counts(&pgo->counts);
	if (pgo->counts.dropped)
		pgo->base.status = PK_EXIT_FAILED;
	if (pgo->counts.kernel && !pgo_kernel_check(pgo->counts.kernel, pgo->wanted)) {
		pgo->base.status = PK_EXIT_FAILED;
		return;
	}
	if (!pgo->folder) {
		write_one(pgo, write);
		return;
	}
	for (size_t i = 0; i < pgo->counts.count; i++)
		if (is_sampled(pgo->counts.objects[i]))
			write_file(pgo, i, extension, write);
}
