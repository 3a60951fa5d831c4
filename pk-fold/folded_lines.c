// SPDX-License-Identifier: BSD-2-Clause
/* Prints the folded lines of a tree. The lines are sorted by bytes or by weight. */
#include <stdlib.h>

#include "buffer.h"
#include "folded_lines.h"
#include "vector.h"

/* ---- Printing in order ---- */

/* Lines are sorted by bytes. The separator ';' is not the smallest byte: "a b;x" is before "a;x",
 * but "a" is before "a b". So the lines of the node "a" are not adjacent, and the node has two
 * entries in the order of its parent. The entry without `inner` is for the line that ends with the
 * name. The entry with `inner` has a ';' after the name, and is for all lines that continue after
 * the name. */
struct entry {
	const char *name;
	size_t size; /* size of the name in bytes, with the ';' */
	uint32_t node;
	bool inner;
	size_t prefix;	/* number of bytes of the line before this name */
	uint64_t full;	/* what `prefix` would be if no lines were cut */
	uint32_t depth; /* number of names before this name */
};

struct printer {
	const struct pk_tree *tree;
	FILE *file;
	unsigned int columns;
	/* Names that are not printed yet; the name to print next is at the end. */
	struct entry *stack;
	size_t count, capacity;
	struct buffer line; /* the current line; only its start if it is longer than LINE_MAX */
	uint64_t full;	    /* size of the current line in bytes if it were not cut */
	uint32_t depth;	    /* number of names in the current line */
	struct pk_allowance *allowance;
	uint64_t cut;
	struct buffer short_line;
	bool by_weight;
	/* All lines, if they must be sorted by weight before they are printed. */
	struct buffer lines;
	struct kept {
		uint64_t weight;
		size_t at, size; /* offset and size of the line in `lines`, in bytes */
	} * kept;
	size_t kept_count, kept_capacity;
};

static bool has_weight(const struct pk_tree *tree, uint32_t node)
{
	return tree->nodes[node].self[0] || tree->nodes[node].self[1];
}

static unsigned char byte_at(const struct entry *entry, size_t i)
{
	return (unsigned char)(entry->inner && i == entry->size - 1 ? ';' : entry->name[i]);
}

/* Sorts in descending order, because the last entry of the stack is printed first. */
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

static enum pk_status push(struct printer *printer, uint32_t node, bool inner)
{
	struct entry *entry;

	PK_TRY(pk_reserve(&printer->stack, &printer->capacity, printer->count, 1,
			  sizeof(*printer->stack)));
	entry = &printer->stack[printer->count++];
	*entry = (struct entry){.node = node,
				.inner = inner,
				.prefix = printer->line.size,
				.full = printer->full,
				.depth = printer->depth};
	entry->name = pk_tree_text(printer->tree, node, &entry->size);
	entry->size += inner;
	return PK_OK;
}

static enum pk_status push_children(struct printer *printer, uint32_t parent)
{
	const struct pk_tree_node *nodes = printer->tree->nodes;
	const size_t start = printer->count;

	for (uint32_t node = nodes[parent].first; node; node = nodes[node].next) {
		if (has_weight(printer->tree, node))
			PK_TRY(push(printer, node, false));
		if (nodes[node].first)
			PK_TRY(push(printer, node, true));
	}
	if (printer->count > start + 1)
		qsort(printer->stack + start, printer->count - start, sizeof(*printer->stack),
		      compare_descending);
	return PK_OK;
}

/* ---- By weight ---- */

static enum pk_status keep_line(struct printer *printer, const struct buffer *line, uint64_t weight)
{
	struct kept *kept;

	PK_TRY(pk_reserve(&printer->kept, &printer->kept_capacity, printer->kept_count, 1,
			  sizeof(*printer->kept)));
	kept = &printer->kept[printer->kept_count++];
	*kept = (struct kept){weight, printer->lines.size, line->size};
	buffer_add(&printer->lines, line->data, line->size);
	return printer->lines.failed ? PK_NOMEM : PK_OK;
}

/* Sorts by weight, the heaviest line first. Lines with equal weights stay in the order of their
 * bytes. */
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

/* Adds a blank and the number. printf() would take as much time as the rest of the line. */
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

/* Limits for lines in bytes. An input can define a stack with thousands of frames and long names in
 * a few bytes, because stacks share frames. So a line longer than LINE_MAX is cut in the middle.
 * When all lines together have cost more than the input allows, lines longer than LINE_SHORT are
 * cut, too. */
#define LINE_MAX   (UINT64_C(1) << 20)
#define LINE_SHORT (UINT64_C(1) << 10)

static uint64_t limit_of(const struct printer *printer)
{
	const uint64_t cost = printer->full + (uint64_t)printer->depth * PK_COST_TEXT;

	if (!printer->allowance || pk_allowance_spend(printer->allowance, cost))
		return LINE_MAX;
	return LINE_SHORT;
}

/* Returns the size of the last names of a stack, with a ';' before each name. As many names are
 * counted as fit into `limit` bytes. */
static size_t size_of_tail(const struct pk_tree *tree, uint32_t node, uint64_t limit)
{
	size_t sum = 0, size;

	for (; node; node = tree->nodes[node].parent) {
		pk_tree_text(tree, node, &size);
		if (size + 1 > limit - sum)
			break;
		sum += size + 1;
	}
	return sum;
}

/* Adds the last names of a stack to out. size is the result of size_of_tail(). */
static void append_tail(struct buffer *out, const struct pk_tree *tree, uint32_t node, size_t size)
{
	char *end = buffer_room(out, size), *const begin = end;

	if (!end)
		return;
	out->size += size;
	for (end += size; end > begin; node = tree->nodes[node].parent) {
		const char *name = pk_tree_text(tree, node, &size);

		end -= size + 1;
		*end = ';';
		memcpy(end + 1, name, size);
	}
}

/* Makes a line of at most about `limit` bytes. It has the first names, "[...]", and the last names.
 */
static struct buffer *shorten(struct printer *printer, uint32_t node, uint64_t limit)
{
	size_t tail = size_of_tail(printer->tree, node, limit / 2), size;
	struct buffer *out = &printer->short_line;
	size_t head = printer->line.size < limit / 2 ? printer->line.size : limit / 2;
	const char *name = pk_tree_text(printer->tree, node, &size);

	while (head && printer->line.data[head - 1] != ';')
		head--;
	out->size = 0;
	buffer_add(out, printer->line.data, head);
	buffer_add(out, "[...]", 5);
	if (tail) {
		append_tail(out, printer->tree, node, tail);
	} else { /* the last name is longer than the limit for all last names */
		buffer_add(out, ";", 1);
		buffer_add(out, name, limit / 2);
	}
	printer->cut++;
	return out;
}

/* Prints the line of a node. printer->line has the stack of the node, or the start of the stack if
 * it is too long. */
static enum pk_status print_line(struct printer *printer, uint32_t node)
{
	const uint64_t *weights = printer->tree->nodes[node].self;
	const uint64_t limit = limit_of(printer);
	struct buffer *line = &printer->line;

	if (printer->full > limit)
		line = shorten(printer, node, limit);
	for (unsigned int i = 0; i < printer->columns; i++)
		append_weight(line, weights[i]);
	buffer_add(line, "\n", 1);
	if (line->failed)
		return PK_NOMEM;
	if (!printer->by_weight) {
		fwrite(line->data, 1, line->size, printer->file);
		return PK_OK;
	}
	return keep_line(printer, line, weights[printer->columns - 1]);
}

/* Adds a name to the line. If inner is true, also adds a ';' after the name. */
static void extend_line(struct printer *printer, const char *name, size_t size, bool inner)
{
	printer->full += size + inner;
	printer->depth++;
	if (printer->full > LINE_MAX)
		return;
	buffer_add(&printer->line, name, size);
	if (inner)
		buffer_add(&printer->line, ";", 1);
}

/* Adds the names of the nodes below `node`, as long as each is the only child of its parent and has
 * no line of its own. Returns the last of these nodes. */
static uint32_t extend_to_branch(struct printer *printer, uint32_t node)
{
	const struct pk_tree_node *nodes = printer->tree->nodes;
	uint32_t child;

	while ((child = nodes[node].first) && !nodes[child].next && nodes[child].first &&
	       !has_weight(printer->tree, child)) {
		size_t size;
		const char *name = pk_tree_text(printer->tree, child, &size);

		extend_line(printer, name, size, true);
		node = child;
	}
	return node;
}

static enum pk_status print_all(struct printer *printer)
{
	PK_TRY(push_children(printer, 0));
	while (printer->count) {
		const struct entry entry = printer->stack[--printer->count];

		printer->line.size = entry.prefix;
		printer->full = entry.full;
		printer->depth = entry.depth;
		extend_line(printer, entry.name, entry.size - entry.inner, entry.inner);
		if (printer->line.failed)
			return PK_NOMEM;
		PK_TRY(entry.inner ? push_children(printer, extend_to_branch(printer, entry.node))
				   : print_line(printer, entry.node));
	}
	return PK_OK;
}

enum pk_status folded_print(const struct pk_tree *tree, FILE *file,
			    const struct folded_options *options, uint64_t *cut)
{
	struct printer printer = {.tree = tree,
				  .file = file,
				  .columns = options->columns,
				  .by_weight = options->by_weight,
				  .allowance = options->allowance};
	enum pk_status status = print_all(&printer);

	if (status == PK_OK && options->by_weight)
		print_kept(&printer);
	free(printer.stack);
	*cut = printer.cut;
	free(printer.line.data);
	free(printer.short_line.data);
	free(printer.kept);
	free(printer.lines.data);
	return status;
}
