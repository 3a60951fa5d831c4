// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "texts.h"
#include "tidy.h"
#include "tree.h"
#include "vector.h"

struct tree {
	struct pk_texts names;
	struct node {
		uint32_t parent, name; /* 0: none; a number of `names` */
	} * nodes;		       /* by number - 1 */
	size_t nodes_count, nodes_capacity;
	struct pk_table children; /* number of a node, by its parent and name */
	struct weights {
		uint64_t of[TREE_COLUMNS];
	} * weights; /* by node */
	size_t capacity;
	unsigned int columns;
};

struct tree *tree_new(unsigned int columns)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	tree->columns = columns;
	return tree;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	pk_texts_free(&tree->names);
	pk_table_free(&tree->children);
	free(tree->nodes);
	free(tree->weights);
	free(tree);
}

uint32_t tree_name(struct tree *tree, const char *name, size_t size)
{
	return pk_texts_add(&tree->names, name, size);
}

uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t name)
{
	const uint64_t key = (uint64_t)parent << 32 | name;
	uint64_t node = pk_table_get_u64(&tree->children, key);

	if (node)
		return (uint32_t)node;
	node = tree->nodes_count + 1;
	if (node > UINT32_MAX ||
	    !pk_reserve(&tree->nodes, &tree->nodes_capacity, tree->nodes_count, 1,
			sizeof(*tree->nodes)) ||
	    !pk_table_set_u64(&tree->children, key, node))
		return 0;
	tree->nodes[tree->nodes_count++] = (struct node){parent, name};
	return (uint32_t)node;
}

uint32_t tree_node(struct tree *tree, uint32_t parent, const char *name, size_t size)
{
	uint32_t id = tree_name(tree, name, size);

	return id ? tree_child(tree, parent, id) : 0;
}

bool tree_add(struct tree *tree, uint32_t node, unsigned int column, uint64_t weight)
{
	if (!pk_extend(&tree->weights, &tree->capacity, node))
		return false;
	tree->weights[node].of[column] += weight;
	return true;
}

/* ---- Printing in order ---- */

/*
 * Lines are sorted by their bytes, and ';' is not the least of bytes: all lines of node "a" but its
 * own come after those of a sibling "a b". So a node stands in its parent's order twice: as the end
 * of a line, and, with a ';' behind its name, as the beginning of others.
 */
struct entry {
	const char *name;
	size_t size; /* with the ';' */
	uint32_t node;
	bool inner;
	size_t prefix; /* how much of the line stands before the name */
	uint64_t full; /* the same of a line that is not cut */
};

struct printer {
	const struct tree *tree;
	FILE *file;
	uint32_t *first, *next; /* children of nodes; 0 is the parent of the roots */
	struct entry *stack;	/* what is still to print, the next one last */
	size_t count, capacity;
	struct buffer line; /* at most LINE_MAX of it */
	uint64_t full;	    /* bytes of the whole line */
	uint64_t printed, line_count, cut;
	struct buffer short_line;
	bool by_weight;
	struct buffer lines; /* all of them, to be sorted by weight */
	struct kept {
		uint64_t weight;
		size_t at, size; /* in lines */
	} * kept;
	size_t kept_count, kept_capacity;
};

static uint32_t parent_of(const struct tree *tree, uint32_t node)
{
	return tree->nodes[node - 1].parent;
}

static const char *name_of(const struct tree *tree, uint32_t node, size_t *size)
{
	return pk_texts_get(&tree->names, tree->nodes[node - 1].name, size);
}

static bool has_weight(const struct tree *tree, uint32_t node)
{
	return node < tree->capacity && (tree->weights[node].of[0] || tree->weights[node].of[1]);
}

static unsigned char byte_at(const struct entry *entry, size_t i)
{
	return (unsigned char)(entry->inner && i == entry->size - 1 ? ';' : entry->name[i]);
}

/* The one to print first comes last. */
static int compare_descending(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	size_t both = a->size < b->size ? a->size : b->size, plain = both ? both - 1 : 0;
	int order = memcmp(b->name, a->name, plain);

	if (!order && both)
		order = byte_at(b, both - 1) - byte_at(a, both - 1);
	if (!order)
		order = (b->size > a->size) - (b->size < a->size);
	return order;
}

static bool push(struct printer *printer, uint32_t node, bool inner)
{
	struct entry *entry;

	if (!pk_reserve(&printer->stack, &printer->capacity, printer->count, 1,
			sizeof(*printer->stack)))
		return false;
	entry = &printer->stack[printer->count++];
	*entry = (struct entry){
		.node = node, .inner = inner, .prefix = printer->line.size, .full = printer->full};
	entry->name = name_of(printer->tree, node, &entry->size);
	entry->size += inner;
	return true;
}

static bool push_children(struct printer *printer, uint32_t parent)
{
	size_t start = printer->count;

	for (uint32_t node = printer->first[parent]; node; node = printer->next[node]) {
		if (has_weight(printer->tree, node) && !push(printer, node, false))
			return false;
		if (printer->first[node] && !push(printer, node, true))
			return false;
	}
	if (printer->count > start)
		qsort(printer->stack + start, printer->count - start, sizeof(*printer->stack),
		      compare_descending);
	return true;
}

static bool link_children(struct printer *printer)
{
	const struct tree *tree = printer->tree;

	printer->first = calloc(tree->nodes_count + 1, sizeof(*printer->first));
	printer->next = calloc(tree->nodes_count + 1, sizeof(*printer->next));
	if (!printer->first || !printer->next)
		return false;
	for (uint32_t node = 1; node <= tree->nodes_count; node++) {
		uint32_t parent = parent_of(tree, node);

		printer->next[node] = printer->first[parent];
		printer->first[parent] = node;
	}
	return true;
}

/* ---- By weight ---- */

static bool keep_line(struct printer *printer, const struct buffer *line, uint64_t weight)
{
	struct kept *kept;

	if (!pk_reserve(&printer->kept, &printer->kept_capacity, printer->kept_count, 1,
			sizeof(*printer->kept)))
		return false;
	kept = &printer->kept[printer->kept_count++];
	*kept = (struct kept){weight, printer->lines.size, line->size};
	buffer_add(&printer->lines, line->data, line->size);
	return !printer->lines.failed;
}

/* The heaviest first; equals stay in the order of their stacks. */
static int compare_kept(const void *left, const void *right)
{
	const struct kept *a = left, *b = right;
	int order = (a->weight < b->weight) - (a->weight > b->weight);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static void print_kept(struct printer *printer)
{
	if (printer->kept_count)
		qsort(printer->kept, printer->kept_count, sizeof(*printer->kept), compare_kept);
	for (size_t i = 0; i < printer->kept_count; i++)
		fwrite(printer->lines.data + printer->kept[i].at, 1, printer->kept[i].size,
		       printer->file);
}

/* ---- Lines ---- */

/* " 123": printf would take as long as all the rest of the line. */
static void append_weight(struct buffer *line, uint64_t weight)
{
	char text[24], *at = text + sizeof(text);

	do {
		*--at = (char)('0' + weight % 10);
		weight /= 10;
	} while (weight);
	*--at = ' ';
	buffer_add(line, at, (size_t)(text + sizeof(text) - at));
}

/*
 * A stack with thousands of frames and long names is defined by a few bytes, if others have most of
 * it, too. A line longer than LINE_MAX is cut in the middle; so is one that is longer than
 * LINE_SHORT, when all lines so far have more than ALL_MIN and LINE_AVERAGE each: lines of real
 * stacks are far from that.
 */
#define LINE_MAX     (UINT64_C(1) << 20)
#define LINE_AVERAGE (UINT64_C(32) << 10)
#define LINE_SHORT   (UINT64_C(4) << 10)
#define ALL_MIN	     (UINT64_C(64) << 20)

static uint64_t limit_of(const struct printer *printer)
{
	const uint64_t all = ALL_MIN + LINE_AVERAGE * printer->line_count;

	return printer->printed + printer->full <= all ? LINE_MAX : LINE_SHORT;
}

/* How many bytes the last names of a stack have, each with the ';' in front of it, as far as they
 * are no more than limit. */
static size_t size_of_tail(const struct tree *tree, uint32_t node, uint64_t limit)
{
	size_t sum = 0, size;

	for (; node; node = parent_of(tree, node)) {
		name_of(tree, node, &size);
		if (size + 1 > limit - sum)
			break;
		sum += size + 1;
	}
	return sum;
}

/* The last names of a stack, size bytes as above, into out. */
static void append_tail(struct buffer *out, const struct tree *tree, uint32_t node, size_t size)
{
	char *end = buffer_room(out, size), *const begin = end;

	if (!end)
		return;
	out->size += size;
	for (end += size; end > begin; node = parent_of(tree, node)) {
		const char *name = name_of(tree, node, &size);

		end -= size + 1;
		*end = ';';
		memcpy(end + 1, name, size);
	}
}

/* The beginning and the end of the line, with "[...]" between them. */
static struct buffer *shorten(struct printer *printer, uint32_t node, uint64_t limit)
{
	size_t tail = size_of_tail(printer->tree, node, limit / 2), size;
	struct buffer *out = &printer->short_line;
	size_t head = printer->line.size < limit / 2 ? printer->line.size : limit / 2;
	const char *name = name_of(printer->tree, node, &size);

	while (head && printer->line.data[head - 1] != ';')
		head--;
	out->size = 0;
	buffer_add(out, printer->line.data, head);
	buffer_add(out, "[...]", 5);
	if (tail) {
		append_tail(out, printer->tree, node, tail);
	} else { /* the last name alone is too long */
		buffer_add(out, ";", 1);
		buffer_add(out, name, limit / 2);
	}
	printer->cut++;
	return out;
}

/* The line of a node whose stack is in printer->line, or begins there. */
static bool print_line(struct printer *printer, uint32_t node)
{
	const struct weights *weights = &printer->tree->weights[node];
	const uint64_t limit = limit_of(printer);
	struct buffer *line = &printer->line;

	if (printer->full > limit)
		line = shorten(printer, node, limit);
	for (unsigned int i = 0; i < printer->tree->columns; i++)
		append_weight(line, weights->of[i]);
	buffer_add(line, "\n", 1);
	if (line->failed)
		return false;
	printer->printed += line->size;
	printer->line_count++;
	if (!printer->by_weight) {
		fwrite(line->data, 1, line->size, printer->file);
		return true;
	}
	return keep_line(printer, line, weights->of[printer->tree->columns - 1]);
}

/* Goes on from the entry's prefix with its name. */
static void extend_line(struct printer *printer, const struct entry *entry)
{
	printer->line.size = entry->prefix;
	printer->full = entry->full + entry->size;
	if (printer->full > LINE_MAX)
		return;
	buffer_add(&printer->line, entry->name, entry->size - entry->inner);
	if (entry->inner)
		buffer_add(&printer->line, ";", 1);
}

static bool print_all(struct printer *printer)
{
	if (!link_children(printer) || !push_children(printer, 0))
		return false;
	while (printer->count) {
		struct entry entry = printer->stack[--printer->count];

		extend_line(printer, &entry);
		if (printer->line.failed || !(entry.inner ? push_children(printer, entry.node)
							  : print_line(printer, entry.node)))
			return false;
	}
	return true;
}

bool tree_print(const struct tree *tree, FILE *file, bool by_weight, uint64_t *cut)
{
	struct printer printer = {.tree = tree, .file = file, .by_weight = by_weight};
	bool done = print_all(&printer);

	if (done && by_weight)
		print_kept(&printer);
	free(printer.first);
	free(printer.next);
	free(printer.stack);
	*cut = printer.cut;
	free(printer.line.data);
	free(printer.short_line.data);
	free(printer.kept);
	free(printer.lines.data);
	return done;
}
