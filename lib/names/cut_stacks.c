// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "chain_source.h"
#include "characters.h"
#include "cut_stacks.h"
#include "object_debug.h"
#include "object_names.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "vector.h"

#define OBJECTS_MAX 4096

/* A smaller share, in percent, is not reported. Even programs with frame pointers have a few of
 * these stacks, when they start and end. */
#define PERCENT_MIN 1

/* An object whose code is at the end of stacks. */
struct ending {
	uint32_t dso;	 /* the id of the object in the dictionary */
	bool is_library; /* true if the object is the C library */
	bool is_loader; /* True if the object is the dynamic loader. Programs start in it, so stacks
			 * that end in it lack no callers. */
	enum pk_frame_pointers keeps;
	bool judged;
	uint64_t cut,
		frames; /* the members of struct pk_cut_sums, for stacks that end in this object */
};

/* The verdict on a stack. */
struct verdict {
	uint8_t is;
	uint8_t frames;	 /* how many frames of the stack are not addresses of code, at most 255 */
	uint16_t object; /* if `is` is CUT: the index in `endings` of the object in which the stack
			  * ends */
};

enum { NOT_JUDGED, NOTHING, CUT, COMPLETE };

/* Whether a program or thread starts in a function (ENTRY) or not (ORDINARY). */
enum { NOT_COMPARED, ORDINARY, ENTRY };

/* A stack that has no verdict yet. */
struct step {
	uint32_t index; /* the index of the stack in pk_cut_stacks.verdicts */
	uint32_t frame;
};

/* The verdicts on the stacks of a dictionary, and the sums. */
struct pk_cut_stacks {
	const struct pk_dictionary *dictionary;
	struct verdict *verdicts; /* an item for each stack of the dictionary; the first stack has
				   * index 0 */
	size_t capacity;
	uint8_t *functions; /* for each string of the dictionary: NOT_COMPARED, ORDINARY or ENTRY;
			     * the first string has index 0 */
	size_t functions_capacity;
	/* The stacks that get a verdict now, from the innermost frame to the root. */
	struct step *path;
	size_t path_capacity;
	struct ending *endings;
	size_t endings_count, endings_capacity;
	struct pk_cut_sums sums; /* the sums since the last call of pk_cut_stacks_sums(); only
				  * add_up() updates `cut` and `frames` */
	bool reported;
};

struct pk_cut_stacks *pk_cut_stacks_new(const struct pk_dictionary *dictionary)
{
	struct pk_cut_stacks *cut = calloc(1, sizeof(*cut));

	if (cut)
		cut->dictionary = dictionary;
	return cut;
}

void pk_cut_stacks_free(struct pk_cut_stacks *cut)
{
	if (!cut)
		return;
	free(cut->verdicts);
	free(cut->functions);
	free(cut->path);
	free(cut->endings);
	free(cut);
}

/* ---- Names ---- */

static const char *text_of(const struct pk_cut_stacks *cut, uint32_t id)
{
	const char *text = id ? pk_dictionary_get_string(cut->dictionary, id, NULL) : NULL;

	return text ? text : "";
}

static bool starts_with_one(const char *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pk_starts_with(text, words[i]))
			return true;
	return false;
}

static bool is_c_library(const char *name)
{
	static const char *const names[] = {"libc.so", "libc-2", "libpthread", "ld-musl"};

	return starts_with_one(name, names, sizeof(names) / sizeof(*names));
}

static bool is_loader(const char *name)
{
	static const char *const names[] = {"ld-linux", "ld-2", "ld64"};

	return starts_with_one(name, names, sizeof(names) / sizeof(*names));
}

/* Returns true if a program or a thread starts in the function. */
static bool is_name_of_entry(const char *function)
{
	static const char *const exact[] = {
		"main",	   "_start",   "start_thread",	   "clone",	   "clone3",
		"__clone", "__clone3", "__clone_internal", "runtime.main", "runtime.mstart"};
	static const char *const starts[] = {"__libc_start_", "_dl_start", "runtime.goexit",
					     "runtime.rt0_go"};

	for (size_t i = 0; i < sizeof(exact) / sizeof(*exact); i++)
		if (!strcmp(function, exact[i]))
			return true;
	return starts_with_one(function, starts, sizeof(starts) / sizeof(*starts));
}

static bool is_entry(struct pk_cut_stacks *cut, uint32_t function)
{
	const size_t index = function - pk_dictionary_strings(cut->dictionary).base - 1;
	uint8_t *known;

	if (!function)
		return false;
	if (pk_extend(&cut->functions, &cut->functions_capacity, index) != PK_OK)
		return is_name_of_entry(text_of(cut, function));
	known = &cut->functions[index];
	if (*known == NOT_COMPARED)
		*known = is_name_of_entry(text_of(cut, function)) ? ENTRY : ORDINARY;
	return *known == ENTRY;
}

/* ---- Stacks ---- */

/* Returns the index of the object in endings. Returns OBJECTS_MAX if there are too many objects, or
 * if memory is exhausted. */
static uint16_t ending_of(struct pk_cut_stacks *cut, uint32_t dso)
{
	size_t i = 0;

	while (i < cut->endings_count && cut->endings[i].dso != dso)
		i++;
	if (i < cut->endings_count)
		return (uint16_t)i;
	if (i == OBJECTS_MAX ||
	    pk_reserve(&cut->endings, &cut->endings_capacity, i, 1, sizeof(*cut->endings)) != PK_OK)
		return OBJECTS_MAX;
	cut->endings[cut->endings_count++] =
		(struct ending){.dso = dso,
				.is_library = is_c_library(pk_object_file(cut->dictionary, dso)),
				.is_loader = is_loader(pk_object_file(cut->dictionary, dso))};
	return (uint16_t)i;
}

/* Updates the verdict on the callers with a frame of user code. The verdict must not be COMPLETE.
 */
static void add_user(struct pk_cut_stacks *cut, const struct pk_frame *frame,
		     struct verdict *verdict)
{
	const struct ending *ending = verdict->is == CUT ? &cut->endings[verdict->object] : NULL;

	if (!frame->dso) {
		verdict->is = NOTHING;
		verdict->frames += verdict->frames < UINT8_MAX;
	} else if (is_entry(cut, frame->function)) {
		verdict->is = COMPLETE;
	} else if (!ending) {
		verdict->object = ending_of(cut, frame->dso);
		verdict->is =
			verdict->object < OBJECTS_MAX && !cut->endings[verdict->object].is_loader
				? CUT
				: COMPLETE;
	} else if (ending->is_library && ending->dso != frame->dso) {
		/* The outermost frame is in the C library, and has called code of another object.
		 * This was the call of main() or of the first function of a thread. The functions
		 * of the C library can lack names, so is_entry() does not know them. */
		verdict->is = COMPLETE;
	}
}

/* Updates the verdict on the callers with the innermost frame of a stack. */
static void judge(struct pk_cut_stacks *cut, uint32_t id, struct verdict *verdict)
{
	const struct pk_frame *frame;

	if (verdict->is == COMPLETE)
		return;
	frame = pk_dictionary_get_frame(cut->dictionary, id);
	if (!frame || frame->flags & (PK_FRAME_GUEST | PK_FRAME_TRUNCATED))
		verdict->is = COMPLETE; /* This stack ends for another reason, which other code
					   reports. */
	else if (frame->flags & PK_FRAME_USER)
		add_user(cut, frame, verdict);
}

/* Writes the stack and its callers to cut->path, up to the first stack that already has a verdict.
 * Sets *verdict to the verdict of this stack. Returns how many stacks were written, or SIZE_MAX if
 * memory is exhausted. */
static size_t list_path(struct pk_cut_stacks *cut, uint32_t base, uint32_t id,
			struct verdict *verdict)
{
	const struct pk_stack *stack;
	uint32_t end = UINT32_MAX; /* callers are defined earlier and have smaller ids */
	size_t count = 0;

	*verdict = (struct verdict){NOTHING, 0, 0};
	for (; id > base && id < end; id = stack->parent) {
		if (cut->verdicts[id - base - 1].is != NOT_JUDGED) {
			*verdict = cut->verdicts[id - base - 1];
			break;
		}
		stack = pk_dictionary_get_stack(cut->dictionary, id);
		if (!stack)
			break;
		if (pk_reserve(&cut->path, &cut->path_capacity, count, 1, sizeof(*cut->path)) !=
		    PK_OK)
			return SIZE_MAX;
		cut->path[count++] = (struct step){id - base - 1, stack->frame};
		end = id;
	}
	return count;
}

/* Determines the verdicts on the stack and its callers. */
static enum pk_status judge_path(struct pk_cut_stacks *cut, uint32_t base, uint32_t stack)
{
	struct verdict verdict;
	size_t count;

	PK_TRY(pk_extend(&cut->verdicts, &cut->capacity, stack - base - 1));
	count = list_path(cut, base, stack, &verdict);
	if (count == SIZE_MAX)
		return PK_NOMEM;
	while (count) {
		const struct step *step = &cut->path[--count];

		judge(cut, step->frame, &verdict);
		cut->verdicts[step->index] = verdict;
	}
	return PK_OK;
}

/* Returns the verdict on a stack. The first call determines the verdict. It is stored, because a
 * stack can have many samples. It is not determined earlier, because many stacks need no verdict,
 * such as stacks that are known to be truncated. Returns NULL if memory is exhausted, or if there
 * is no such stack. */
static const struct verdict *verdict_of(struct pk_cut_stacks *cut, uint32_t stack)
{
	const struct pk_id_range range = pk_dictionary_stacks(cut->dictionary);
	const uint32_t index = stack - range.base - 1;

	if (index >= range.count)
		return NULL;
	if (pk_likely(index < cut->capacity && cut->verdicts[index].is != NOT_JUDGED))
		return &cut->verdicts[index];
	return judge_path(cut, range.base, stack) == PK_OK ? &cut->verdicts[index] : NULL;
}

static bool has_frame_pointers(const struct pk_event *event)
{
	enum pk_chain_source source;

	if (!(event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) ||
	    event->attr.flags & PERF_ATTR_EXCLUDE_CALLCHAIN_USER)
		return false;
	source = pk_chain_source_of(event);
	return source == PK_CHAIN_WHOLE || source == PK_CHAIN_LACKS_CALLER;
}

enum pk_status pk_cut_stacks_count(struct pk_cut_stacks *cut, const struct pk_event *event,
				   uint32_t stack)
{
	const struct verdict *verdict;

	cut->sums.samples++;
	if (!has_frame_pointers(event))
		return PK_OK;
	verdict = verdict_of(cut, stack);
	if (!verdict)
		return PK_NOMEM;
	if (verdict->is == CUT) {
		cut->endings[verdict->object].cut++;
		cut->endings[verdict->object].frames += verdict->frames;
	}
	return PK_OK;
}

/* ---- Objects ---- */

static bool omits(struct pk_cut_stacks *cut, struct ending *ending, struct resolver *resolver)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(cut->dictionary, ending->dso);
	struct pk_image image = {.kind = dso ? (enum pk_dso_kind)dso->kind : PK_DSO_UNKNOWN,
				 .code = true};
	struct pk_object *object;

	if (ending->judged || !dso || (dso->kind != PK_DSO_FILE && dso->kind != PK_DSO_VDSO))
		return ending->keeps == PK_FRAME_POINTERS_OMITTED;
	ending->judged = true;
	image.path = image.name = text_of(cut, dso->path);
	image.build_id_size = dso->build_id_size;
	memcpy(image.build_id, dso->build_id, sizeof(image.build_id));
	object = pk_resolver_open(resolver, &image);
	ending->keeps = object ? pk_object_frame_pointers(object) : PK_FRAME_POINTERS_UNKNOWN;
	return ending->keeps == PK_FRAME_POINTERS_OMITTED;
}

static int by_cut(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	return x->cut == y->cut ? (x->dso > y->dso) - (x->dso < y->dso) : x->cut < y->cut ? 1 : -1;
}

/* Reports the names of the objects, starting with the object that ends most stacks. It sorts the
 * endings, so no verdict may refer to them any more. */
static void name(struct pk_cut_stacks *cut, struct pk_messages *messages)
{
	struct pk_object_names names;
	uint32_t ids[PK_OBJECTS_NAMED];
	size_t count = 0;

	qsort(cut->endings, cut->endings_count, sizeof(*cut->endings), by_cut);
	for (; count < cut->endings_count && cut->endings[count].cut; count++)
		if (count < PK_OBJECTS_NAMED)
			ids[count] = cut->endings[count].dso;
	names = pk_object_names(cut->dictionary, ids, count);
	pk_messages_warn(messages,
			 "no frame pointers in %s: callers are missing; record with "
			 "--call-graph auto",
			 names.text);
}

/* Adds the counts of objects without frame pointers to the sums. Drops the counts of all other
 * objects. */
static void add_up(struct pk_cut_stacks *cut, struct resolver *resolver)
{
	for (size_t i = 0; i < cut->endings_count; i++) {
		struct ending *ending = &cut->endings[i];

		if (ending->cut && !omits(cut, ending, resolver))
			ending->cut = ending->frames = 0;
		cut->sums.cut += ending->cut;
		cut->sums.frames += ending->frames;
	}
}

static void clear(struct pk_cut_stacks *cut)
{
	if (cut->verdicts)
		memset(cut->verdicts, 0, cut->capacity * sizeof(*cut->verdicts));
	if (cut->functions)
		memset(cut->functions, 0, cut->functions_capacity);
	cut->endings_count = 0;
}

void pk_cut_stacks_forget(struct pk_cut_stacks *cut, struct resolver *resolver)
{
	add_up(cut, resolver);
	clear(cut);
}

struct pk_cut_sums pk_cut_stacks_sums(struct pk_cut_stacks *cut, struct resolver *resolver,
				      struct pk_messages *messages)
{
	struct pk_cut_sums sums;

	add_up(cut, resolver);
	sums = cut->sums;
	cut->sums = (struct pk_cut_sums){0};
	if (100 * sums.cut < PERCENT_MIN * sums.samples)
		sums.cut = sums.frames = 0;
	if (sums.cut && cut->endings_count && !cut->reported) {
		cut->reported = true;
		name(cut, messages);
	}
	clear(cut);
	return sums;
}
