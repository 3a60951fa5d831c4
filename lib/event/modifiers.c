// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <string.h>

#include "event_parser.h"

#define EXCLUDE_MODES (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV)
#define EXCLUDE_SIDES (PERF_ATTR_EXCLUDE_HOST | PERF_ATTR_EXCLUDE_GUEST)
#define MODIFIED                                                                                   \
	(EXCLUDE_MODES | EXCLUDE_SIDES | PERF_ATTR_EXCLUDE_IDLE | PERF_ATTR_PRECISE_IP_MASK |      \
	 PERF_ATTR_PINNED | PERF_ATTR_EXCLUSIVE)

#define LETTERS "ukhGHIpPSDeWb"

/* The state of an event while modifiers are applied. */
struct modified {
	uint64_t flags;
	struct event_letters letters; /* the modifiers that were given; `sides` is also true if the
				       * event already has G or H */
};

/* Applies u, k or h. The first of these letters excludes all modes except its own mode. Each
 * further letter includes its mode again. */
static void include_only(uint64_t *flags, uint64_t all, uint64_t wanted)
{
	if (!(*flags & all))
		*flags |= all;
	*flags &= ~wanted;
}

static void choose_side(struct modified *modified, uint64_t wanted)
{
	if (!modified->letters.sides)
		modified->flags |= EXCLUDE_SIDES;
	modified->letters.sides = true;
	modified->flags &= ~wanted;
}

/* Applies the modifier p. Returns false if p was already applied three times. */
static bool more_precise(struct modified *modified)
{
	if ((modified->flags & PERF_ATTR_PRECISE_IP_MASK) == PERF_ATTR_PRECISE_IP_MASK)
		return false;
	modified->flags += UINT64_C(1) << PERF_ATTR_PRECISE_IP_SHIFT;
	/* The kernel cannot sample guests with precision. */
	if (!modified->letters.sides)
		modified->flags |= PERF_ATTR_EXCLUDE_GUEST;
	return true;
}

/* Applies one letter. Returns false if it cannot be applied. As in perf, u also excludes guests,
 * but k and h do not exclude them. */
static bool parse_letter(struct modified *modified, char letter)
{
	uint64_t *flags = &modified->flags;

	switch (letter) {
	case 'u':
		include_only(flags, EXCLUDE_MODES, PERF_ATTR_EXCLUDE_USER);
		if (!modified->letters.sides)
			*flags |= PERF_ATTR_EXCLUDE_GUEST;
		return true;
	case 'k': include_only(flags, EXCLUDE_MODES, PERF_ATTR_EXCLUDE_KERNEL); return true;
	case 'h': include_only(flags, EXCLUDE_MODES, PERF_ATTR_EXCLUDE_HV); return true;
	case 'G': choose_side(modified, PERF_ATTR_EXCLUDE_GUEST); return true;
	case 'H': choose_side(modified, PERF_ATTR_EXCLUDE_HOST); return true;
	case 'I': *flags |= PERF_ATTR_EXCLUDE_IDLE; return true;
	case 'p': return more_precise(modified);
	case 'P': modified->letters.precise_max = true; return true;
	case 'S': modified->letters.sample_read = true; return true;
	case 'D': *flags |= PERF_ATTR_PINNED; return true;
	case 'e': *flags |= PERF_ATTR_EXCLUSIVE; return true;
	case 'W': modified->letters.weak = true; return true;
	default:
		return letter == 'b'; /* b means "count with BPF". It is ignored, because the
				       * results are the same. */
	}
}

static void apply(const struct modified *modified, struct event *event, bool leads)
{
	uint64_t which = MODIFIED;

	if (!leads)
		which &= ~(PERF_ATTR_PINNED | PERF_ATTR_EXCLUSIVE);
	event->attr.flags &= ~which;
	event->attr.flags |= modified->flags & which;
	event->letters = modified->letters;
}

/* Returns PK_FAILED after a message if a letter is unknown, if p is given more than three times,
 * or, as in perf, if another letter is given twice. */
static enum pk_status check_letters(const struct event_parser *parser, const char *letters,
				    size_t length)
{
	size_t precise = 0;

	for (size_t i = 0; i < length; i++) {
		const size_t at = (size_t)(letters - parser->text) + i;

		if (!strchr(LETTERS, letters[i]))
			return pk_event_parser_complain(
				parser, at,
				"no such modifier: the modifiers are u k h G H I p "
				"pp ppp P S D e W b");
		precise += letters[i] == 'p';
		if (precise > 3)
			return pk_event_parser_complain(parser, at, "ppp is the highest precision");
		if (letters[i] != 'p' && memchr(letters, letters[i], i))
			return pk_event_parser_complain(parser, at, "the same modifier twice");
	}
	return PK_OK;
}

/* Returns the state before the first letter is applied. For the modifiers of a group, it is the
 * state of the event. For the modifiers of an event itself, it is empty. */
static struct modified initial_flags(const struct event *event, bool group)
{
	struct modified modified = {.letters.any = event->letters.any};

	if (!group)
		return modified;
	modified.flags = event->attr.flags & MODIFIED;
	modified.letters.sides = event->letters.sides;
	modified.letters.sample_read = event->letters.sample_read;
	return modified;
}

enum pk_status pk_event_modifiers_read(struct event_parser *parser, size_t first, bool group)
{
	const char *letters = parser->text + parser->at;
	size_t length = 0;

	while (isalnum((unsigned char)letters[length]))
		length++;
	if (!length)
		return pk_event_parser_complain(parser, parser->at,
						"modifiers are expected here, such as u or pp");
	PK_TRY(check_letters(parser, letters, length));
	for (size_t i = first; i < parser->list->count; i++) {
		struct event *event = &parser->list->items[i];
		struct modified modified = initial_flags(event, group);

		for (size_t n = 0; n < length; n++)
			if (!parse_letter(&modified, letters[n]))
				return pk_event_parser_complain(parser, parser->at + n,
								"ppp is the highest precision");
		apply(&modified, event, event->leader == i);
	}
	parser->at += length;
	return PK_OK;
}
