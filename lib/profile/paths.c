// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "vector.h"

/* The names of a frame. Usually, there is one name. There are more for functions that list inlined
 * calls, and there can be none. */
struct names {
	uint32_t at, count; /* index of the first name in paths.names, and number of names */
	bool known;	    /* the names are set */
	bool first, last; /* `first`: a path can start at this frame; `last`: a path can end at this
			   * frame */
};

/* The position of a path in the tree. */
struct place {
	uint32_t node; /* the node of the last name so far; 0 if there is none yet */
	/* The node where the path ends if no further frame matches the glob `last`. 0 if the path
	 * cannot end yet. */
	uint32_t end;
	uint32_t name; /* the last name so far */
	uint32_t depth;
	uint32_t pass; /* the pass in which this place was set */
	bool begun, java, cut;
};

/* The state of pk_paths_add(). */
struct paths {
	struct pk_tree *tree;
	const struct pk_dictionary *dictionary;
	const struct pk_groups *groups;
	const struct pk_path_options *options;
	const char *first, *last; /* globs for the first and the last frame of a path */
	struct buffer text, full_names;
	uint32_t *names; /* numbers of names in the tree */
	size_t names_count, names_capacity;
	struct names *frames; /* two for each frame: the first for all programs except java, the
			       * second for java */
	struct place *places; /* by index of the stack */
	uint32_t *way;	      /* In walk_down(): the stacks from the innermost frame to the root. In
			       * walk_up(): by stack, the index of its root. */
	uint32_t pass, group;
	struct pk_path_count *total;
	uint32_t *shorts; /* the result of pk_stack_shorts(); NULL if it was not needed yet */
	bool shortened;	  /* the path of the current cell was shortened */
	uint64_t without_address;
	/* The numbers of the names of the group's values. 0 stands for the name of the thread. */
	uint32_t prefix[PK_GROUP_COLUMNS + 1];
	struct pk_id_range stack_ids, frame_ids;
};

/* ---- Names of frames ---- */

static bool add_name(struct paths *u, const char *name, size_t size)
{
	uint32_t number = pk_tree_name(u->tree, name, size);

	if (pk_reserve(&u->names, &u->names_capacity, u->names_count, 1, sizeof(*u->names)) !=
	    PK_OK)
		return false;
	u->names[u->names_count++] = number;
	return number != 0;
}

static bool matches(const char *glob, const char *name)
{
	return !glob || !strcmp(glob, name) || !fnmatch(glob, name, 0);
}

/* Sets whether paths can start or end at the frame. One of its names must match the glob, either in
 * the form that is shown or in its full form. */
static enum pk_status match_names(struct paths *u, const struct pk_frame *frame, bool java,
				  struct names *names)
{
	static const struct pk_frame_options full = {.full = true};
	const char *name = u->text.data, *const end = name + u->text.size;

	for (; name < end; name += strlen(name) + 1) {
		names->first |= matches(u->first, name);
		names->last |= matches(u->last, name);
	}
	if ((!u->first && !u->last) || u->options->names.full || !names->count)
		return PK_OK;
	pk_frame_names(&u->full_names, u->dictionary, frame, java, &full);
	for (size_t at = 0; at < u->full_names.size; at += strlen(name) + 1) {
		name = u->full_names.data + at;
		names->first |= matches(u->first, name);
		names->last |= matches(u->last, name);
	}
	return u->full_names.failed ? PK_NOMEM : PK_OK;
}

/* Returns the names of a frame, or NULL if memory is exhausted. */
static const struct names *names_of(struct paths *u, uint32_t id, bool java)
{
	struct names *names = &u->frames[2 * (size_t)(id - u->frame_ids.base - 1) + java];
	const struct pk_frame *frame = pk_dictionary_get_frame(u->dictionary, id);
	const char *name;

	if (names->known)
		return names;
	pk_frame_names(&u->text, u->dictionary, frame, java, &u->options->names);
	if (u->text.failed)
		return NULL;
	names->known = true;
	u->without_address += u->options->names.addresses && frame->flags & PK_FRAME_UNRESOLVED &&
			      frame->flags & PK_FRAME_FUNCTION;
	names->at = (uint32_t)u->names_count;
	for (size_t at = 0; at < u->text.size; at += strlen(name) + 1) {
		name = u->text.data + at;
		if (!add_name(u, name, strlen(name)))
			return NULL;
		names->count++;
	}
	return match_names(u, frame, java, names) == PK_OK ? names : NULL;
}

/* ---- Steps of a path ---- */

static enum pk_status step_to(struct paths *u, struct place *place, uint32_t name)
{
	const struct pk_path_options *options = u->options;
	const bool limited = options->max_depth != PK_PATH_NO_LIMIT;
	const uint32_t limit = limited ? options->max_depth : PK_PATH_DEPTH_MAX;

	if (!name)
		return PK_NOMEM;
	if (options->collapse_recursion && place->depth && place->name == name)
		return PK_OK;
	if (place->depth >= limit) {
		place->cut |= !limited;
		return PK_OK;
	}
	place->node = pk_tree_child(u->tree, place->node, name);
	place->name = name;
	place->depth++;
	return place->node != 0 ? PK_OK : PK_NOMEM;
}

static enum pk_status step(struct paths *u, struct place *place, uint32_t frame)
{
	const struct names *names = names_of(u, frame, place->java);

	if (!names)
		return PK_NOMEM;
	place->begun |= names->first;
	if (!place->begun)
		return PK_OK;
	for (uint32_t i = 0; i < names->count; i++)
		PK_TRY(step_to(u, place, u->names[names->at + i]));
	if (names->last)
		place->end = place->node;
	return PK_OK;
}

/* Adds "[unknown]" for a stack whose definition is invalid. */
static enum pk_status step_unknown(struct paths *u, struct place *place)
{
	if (!place->begun)
		return PK_OK;
	PK_TRY(step_to(u, place, pk_tree_name(u->tree, "[unknown]", 9)));
	if (!u->last)
		place->end = place->node;
	return PK_OK;
}

/* Makes a name such as "pid=123" from a column of the group. */
static enum pk_status name_value(struct paths *u, unsigned int column, uint32_t *name)
{
	const struct pk_reference *reference = &u->groups->columns[column].reference;
	const char *label = reference->field ? reference->field->name : reference->name;
	struct buffer plain = {0};

	buffer_text(&plain, label);
	buffer_char(&plain, '=');
	if (!u->group || !pk_groups_text(u->groups, u->group, column, &plain))
		buffer_text(&plain, "unknown");
	if (!plain.failed)
		pk_comm_name(&u->text, plain.data, plain.size);
	*name = plain.failed || u->text.failed ? 0
					       : pk_tree_name(u->tree, u->text.data, u->text.size);
	free(plain.data);
	return *name ? PK_OK : PK_NOMEM;
}

/* Prepares the paths of a group. */
static enum pk_status begin_group(struct paths *u, uint32_t group)
{
	const struct pk_path_options *options = u->options;

	u->pass++;
	u->group = group;
	for (unsigned int i = 0; i < options->prefix_count; i++) {
		u->prefix[i] = 0;
		if (options->prefix[i] != PK_PATH_COMM)
			PK_TRY(name_value(u, (unsigned int)options->prefix[i], &u->prefix[i]));
	}
	return PK_OK;
}

/* Starts a path, and adds the names of options.prefix. root is the root of the stack. */
static enum pk_status begin(struct paths *u, struct place *place, const struct pk_stack *root)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(u->dictionary, root->frame);
	const bool has_comm = pk_frame_kind(root, frame) == PK_FRAME_IS_TASK;
	const char *comm = NULL;
	size_t size = 0;
	uint32_t name;

	*place = (struct place){.begun = !u->first, .pass = u->pass};
	if (has_comm)
		comm = pk_dictionary_get_string(u->dictionary, frame->function, &size);
	pk_comm_name(&u->text, comm ? comm : "", size);
	place->java = u->text.size >= 4 && !memcmp(u->text.data, "java", 4);
	for (unsigned int i = 0; i < u->options->prefix_count; i++) {
		name = u->prefix[i];
		if (!name && !has_comm)
			continue;
		if (!name)
			name = pk_tree_name(u->tree, u->text.size ? u->text.data : "",
					    u->text.size);
		place->node = name ? pk_tree_child(u->tree, place->node, name) : 0;
		if (!place->node)
			return PK_NOMEM;
	}
	if (!u->first && !u->last)
		place->end = place->node;
	return u->text.failed ? PK_NOMEM : PK_OK;
}

/* ---- Paths ---- */

static const struct pk_stack *stack_at(const struct paths *u, uint32_t index)
{
	return pk_dictionary_get_stack(u->dictionary, u->stack_ids.base + 1 + index);
}

static uint32_t parent_of(const struct paths *u, uint32_t index)
{
	return stack_at(u, index)->parent - u->stack_ids.base - 1;
}

static enum pk_status enter(struct paths *u, struct place *place, uint32_t index)
{
	const struct pk_stack *stack = stack_at(u, index);
	const struct pk_frame *frame = pk_dictionary_get_frame(u->dictionary, stack->frame);

	switch (pk_frame_kind(stack, frame)) {
	case PK_FRAME_IS_TASK: return PK_OK;
	case PK_FRAME_IS_NONE: return step_unknown(u, place);
	default: return step(u, place, stack->frame);
	}
}

/* Stores the stack and its callers in u->way, up to the first caller that was already walked in
 * this pass. Sets *index to this caller. If the allowance is not sufficient, returns false, and the
 * allowance is used up. */
static bool find_way(struct paths *u, uint32_t *index, uint32_t *length)
{
	struct pk_allowance *allowance = &u->total->allowance;
	const uint64_t most = u->shortened ? UINT32_MAX : allowance->left / PK_COST_NODE;
	uint32_t count = 0, at = *index, parent = 1;
	bool enough = true;

	while (parent && u->places[at].pass != u->pass) {
		enough = count < most;
		if (!enough)
			break;
		u->way[count++] = at;
		parent = stack_at(u, at)->parent;
		if (parent)
			at = parent - u->stack_ids.base - 1;
	}
	*index = at;
	*length = count;
	pk_allowance_spend(allowance, count * (uint64_t)PK_COST_NODE);
	return enough || pk_allowance_spend(allowance, PK_COST_NODE);
}

/* Replaces the stack by its outermost frames, because the allowance is not sufficient. */
static enum pk_status shorten(struct paths *u, uint32_t *index)
{
	if (!u->shorts)
		u->shorts = pk_stack_shorts(u->dictionary);
	if (!u->shorts)
		return PK_NOMEM;
	u->shortened = u->shorts[*index] != *index;
	*index = u->shorts[*index];
	return PK_OK;
}

/* Adds the path of a stack from the root to the innermost frame. Frames that several stacks have in
 * common are walked once for each group. Returns NULL if memory is exhausted. */
static const struct place *walk_down(struct paths *u, uint32_t leaf)
{
	uint32_t length, index = leaf;
	struct place place;

	if (!find_way(u, &index, &length)) {
		index = leaf;
		if (shorten(u, &index) != PK_OK)
			return NULL;
		find_way(u, &index, &length);
	}
	place = u->places[index];
	if (place.pass != u->pass && begin(u, &place, stack_at(u, index)) != PK_OK)
		return NULL;
	while (length) {
		index = u->way[--length];
		if (enter(u, &place, index) != PK_OK)
			return NULL;
		u->places[index] = place;
	}
	return &u->places[index];
}

/* Returns true if further frames cannot change the path. */
static bool is_complete(const struct paths *u, const struct place *place)
{
	return !u->first && !u->last && !u->options->collapse_recursion &&
	       place->depth >= u->options->max_depth;
}

/* Adds the path of a stack from the innermost frame to the root. Returns NULL if memory is
 * exhausted. */
static const struct place *walk_up(struct paths *u, uint32_t index)
{
	struct place *place = &u->places[index];
	uint32_t root = u->way[index];

	if (begin(u, place, stack_at(u, root)) != PK_OK)
		return NULL;
	for (uint32_t left = PK_PATH_DEPTH_MAX;; index = parent_of(u, index)) {
		if (enter(u, place, index) != PK_OK)
			return NULL;
		if (index == root || is_complete(u, place))
			break;
		place->cut |= !left;
		if (!left--)
			break;
		u->shortened = !pk_allowance_spend(&u->total->allowance, PK_COST_NODE) &&
			       left <= PK_PATH_DEPTH_MAX - PK_STACK_SHORT;
		if (u->shortened)
			break;
	}
	return place;
}

/* Sets way[i] to the root of stack i, for walk_up(). */
static void find_roots(struct paths *u)
{
	for (uint32_t i = 0; i < u->stack_ids.count; i++)
		u->way[i] = stack_at(u, i)->parent ? u->way[parent_of(u, i)] : i;
}

static enum pk_status add_cells(struct paths *u, unsigned int column, const struct pk_cell *cells,
				size_t count, struct pk_path_count *total)
{
	if (u->options->reverse)
		find_roots(u);
	for (size_t i = 0; i < count; i++) {
		const struct place *place;

		if (cells[i].stack >= u->stack_ids.count)
			continue;
		if (!i || cells[i].group != u->group)
			PK_TRY(begin_group(u, cells[i].group));
		u->shortened = false;
		place = u->options->reverse ? walk_up(u, cells[i].stack)
					    : walk_down(u, cells[i].stack);
		if (!place)
			return PK_NOMEM;
		total->all += cells[i].weight;
		if (!place->end)
			total->outside += cells[i].weight;
		else
			pk_tree_add(u->tree, place->end, column, cells[i].weight);
		if (place->cut)
			total->cut += cells[i].weight;
		if (u->shortened)
			total->shortened += cells[i].weight;
	}
	return PK_OK;
}

enum pk_status pk_paths_add(struct pk_tree *tree, unsigned int column,
			    const struct pk_groups *groups, const struct pk_cell *cells,
			    size_t count, const struct pk_path_options *options,
			    struct pk_path_count *total)
{
	const struct pk_dictionary *dictionary = pk_source_dictionary(&groups->context->stacks);
	struct paths u = {
		.tree = tree,
		.dictionary = dictionary,
		.groups = groups,
		.options = options,
		.total = total,
		.first = options->reverse ? options->leaf : options->root,
		.last = options->reverse ? options->root : options->leaf,
		.stack_ids = pk_dictionary_stacks(dictionary),
		.frame_ids = pk_dictionary_frames(dictionary),
	};
	enum pk_status status;

	if (!u.stack_ids.count || !count)
		return PK_OK;
	u.frames = calloc(2 * ((size_t)u.frame_ids.count + 1), sizeof(*u.frames));
	u.places = calloc(u.stack_ids.count, sizeof(*u.places));
	u.way = calloc(u.stack_ids.count, sizeof(*u.way));
	status = u.frames && u.places && u.way ? add_cells(&u, column, cells, count, total)
					       : PK_NOMEM;
	total->without_address += u.without_address;
	free(u.text.data);
	free(u.full_names.data);
	free(u.names);
	free(u.frames);
	free(u.places);
	free(u.way);
	free(u.shorts);
	return status;
}
