// SPDX-License-Identifier: BSD-2-Clause
/* What one condition comes to, for samples of one event. */
#include "sift_internal.h"

/* The same for all samples. */
static void always(struct sift_glance *glance, bool answer)
{
	glance->kind = GLANCE_MODE;
	glance->modes = answer ? 0xff : 0;
}

static void glance_at_range(const struct where *node, const struct pk_event *event,
			    struct sift_glance *glance)
{
	glance->at = sifter_place(event, node->ranged_by, &glance->narrow);
	if (!glance->at)
		return;
	glance->kind = GLANCE_NUMBER;
	glance->negated ^= node->negated;
	glance->low = node->low;
	glance->high = node->high;
}

static void glance_at_text(struct sifter *sifter, const struct where *node,
			   const struct pk_event *event, bool symbolized,
			   struct sift_glance *glance)
{
	if (node->left->op != WHERE_FIELD || node->right->op != WHERE_STRING)
		return;
	switch (node->left->field) {
	case WHERE_EVENT: always(glance, sifter_fits(node, event->name)); break;
	case WHERE_MODE:
		glance->kind = GLANCE_MODE;
		for (uint16_t mode = 0; mode < 8; mode++)
			if (sifter_fits(node, sifter_mode(mode)))
				glance->modes |= (uint8_t)(1u << mode);
		break;
	case WHERE_COMM:
	case WHERE_DSO:
	case WHERE_SYMBOL:
	case WHERE_STACK:
		if (!symbolized)
			return;
		glance->kind = GLANCE_STACK;
		glance->base = pk_dictionary_stacks(sifter->dictionary).base;
		glance->memo = &sifter->memos[2 * node->memo];
		break;
	default: return;
	}
	glance->negated ^= node->op == WHERE_NE;
}

void sifter_glance(struct sifter *sifter, const struct pk_event *event, bool symbolized,
		   struct sift_glance *glance)
{
	const struct where *node = sifter->where;

	*glance = (struct sift_glance){.kind = GLANCE_NONE};
	for (; node->op == WHERE_NOT; node = node->left)
		glance->negated = !glance->negated;
	if (node->ranged)
		glance_at_range(node, event, glance);
	else if (node->op == WHERE_LIKE || node->op == WHERE_EQ || node->op == WHERE_NE)
		glance_at_text(sifter, node, event, symbolized, glance);
}
