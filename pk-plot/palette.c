// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE /* for memmem() */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "palette.h"

/* A range of colours. The hue is in degrees, and saturation and lightness are from 0 to 1. A frame
 * has three numbers from 0 to 1, which select one colour of the range. */
struct range {
	float hue, hue_size, saturation, saturation_size, light, light_size;
};

/* The ranges of hues that a palette can use. */
enum colours {
	HOT,
	MEM,
	IO,
	RED,
	GREEN,
	BLUE,
	AQUA,
	YELLOW,
	PURPLE,
	ORANGE,
	GREY,
	ANY, /* any hue; size_of_part() tells which part of the name selects it */
	ALL, /* any hue; the whole name selects it */
};

static const struct range ranges[] = {
	[HOT] = {0, 52, .80f, .15f, .56f, .10f},
	[MEM] = {130, 45, .55f, .20f, .52f, .12f},
	[IO] = {205, 35, .55f, .20f, .68f, .10f},
	[RED] = {350, 18, .75f, .15f, .66f, .10f},
	[GREEN] = {100, 35, .50f, .20f, .55f, .12f},
	[BLUE] = {200, 25, .60f, .20f, .68f, .10f},
	[AQUA] = {170, 20, .50f, .20f, .56f, .12f},
	[YELLOW] = {48, 12, .75f, .15f, .52f, .10f},
	[PURPLE] = {275, 30, .50f, .20f, .72f, .08f},
	[ORANGE] = {22, 14, .80f, .15f, .60f, .08f},
	[GREY] = {0, 0, 0, 0, .78f, .08f},
	[ANY] = {0, 360, .45f, .25f, .66f, .10f},
	[ALL] = {0, 360, .45f, .25f, .66f, .10f},
};

size_t frame_base(const char *name, size_t size, char *suffix)
{
	*suffix = 0;
	if (size <= 4 || name[size - 4] != '_' || name[size - 3] != '[' || name[size - 1] != ']' ||
	    !strchr("kijw", name[size - 2]))
		return size;
	*suffix = name[size - 2];
	return size - 4;
}

size_t frame_split(const char **name, size_t size, const char **object, size_t *object_size)
{
	const char *mark = memchr(*name, '`', size), *end;
	const size_t before = mark ? (size_t)(mark + 1 - *name) : 0;

	*object = *name;
	*name += before;
	*object_size = mark ? before - 1 : 0;
	end = memchr(*object, '(', *object_size);
	if (end)
		*object_size = (size_t)(end - *object);
	while (*object_size && (*object)[*object_size - 1] == ' ')
		--*object_size;
	return size - before;
}

static bool contains(const char *name, size_t size, const char *part)
{
	return memmem(name, size, part, strlen(part));
}

static bool starts(const char *name, size_t size, const char *part)
{
	return size >= strlen(part) && !memcmp(name, part, strlen(part));
}

static bool is_separator(const char *name, size_t size)
{
	return (size == 1 && *name == '-') || (size == 2 && !memcmp(name, "--", 2));
}

static bool is_java(const char *name, size_t size)
{
	static const char *const prefixes[] = {"java/", "javax/", "jdk/", "net/",  "org/",
					       "com/",	"io/",	  "sun/", "Ljava", "Lorg",
					       "Lcom",	"Ljdk",	  "Lsun", "Lnet",  "Lio/"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (starts(name, size, prefixes[i]))
			return true;
	return false;
}

/* ---- Which colours ---- */

static enum colours by_kind(const char *name, size_t size, char suffix)
{
	switch (suffix) {
	case 'k': return ORANGE;
	case 'j': return GREEN;
	case 'i': return AQUA;
	case 'w': return PURPLE;
	default: return contains(name, size, "::") ? YELLOW : HOT;
	}
}

static enum colours by_java(const char *name, size_t size, char suffix)
{
	if (!suffix && is_java(name, size))
		return GREEN;
	if (!suffix && !contains(name, size, "::"))
		return RED;
	return by_kind(name, size, suffix);
}

static enum colours by_js(const char *name, size_t size, char suffix)
{
	if (suffix == 'j' || (!suffix && contains(name, size, ".js")))
		return contains(name, size, "/") ? GREEN : AQUA;
	if (suffix == 'k')
		return ORANGE;
	if (contains(name, size, "::"))
		return YELLOW;
	return contains(name, size, ":") ? AQUA : RED;
}

static enum colours by_perl(const char *name, size_t size, char suffix)
{
	if (suffix == 'k')
		return ORANGE;
	if (contains(name, size, "::"))
		return YELLOW;
	return contains(name, size, "Perl") || contains(name, size, ".pl") ? GREEN : RED;
}

static enum colours by_waker(const char *name, size_t size, char suffix)
{
	(void)name, (void)size;
	return suffix == 'w' ? AQUA : BLUE;
}

static const struct palette_rule {
	const char *name;
	enum colours colours;
	enum colours (*choose)(
		const char *name, size_t size,
		char suffix); /* selects the colours for a name; NULL if all names have `colours` */
} rules[] = {
	{"kind", HOT, by_kind},	  {"name", ALL, NULL},	    {"module", ANY, NULL},
	{"package", ANY, NULL},	  {"hot", HOT, NULL},	    {"mem", MEM, NULL},
	{"io", IO, NULL},	  {"wakeup", AQUA, NULL},   {"chain", BLUE, by_waker},
	{"java", HOT, by_java},	  {"js", HOT, by_js},	    {"perl", HOT, by_perl},
	{"red", RED, NULL},	  {"green", GREEN, NULL},   {"blue", BLUE, NULL},
	{"aqua", AQUA, NULL},	  {"yellow", YELLOW, NULL}, {"purple", PURPLE, NULL},
	{"orange", ORANGE, NULL}, {"grey", GREY, NULL},
};

bool palette_find(struct palette *palette, const char *name)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rules[i].name, name))
			continue;
		palette->name = rules[i].name;
		return true;
	}
	return false;
}

bool palette_is_by_module(const struct palette *palette)
{
	return !strcmp(palette->name, "module");
}

const char *palette_names(void)
{
	return "kind, name, module, package, hot, mem, io, wakeup, chain, java, js, perl, red, "
	       "green, "
	       "blue, "
	       "aqua, yellow, purple, orange, grey";
}

/* ---- Which colour ---- */

/* Calculates FNV-1a. The result, and so the colour, is the same on all machines. */
static uint32_t hash(const char *name, size_t size)
{
	uint32_t sum = 2166136261;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ (unsigned char)name[i]) * 16777619;
	return sum ^ sum >> 15;
}

/* Returns the size of the part of the name that determines the colour, and sets *name to its start.
 * If the name has a '`', this is the part before the '`'. Otherwise, with "module", this is the
 * part in [] at the end. With "package", this is the part before the last '/', '.' or "::". */
static size_t size_of_part(const char *palette, const char **name, size_t size)
{
	const char *const begin = *name, *mark = memchr(begin, '`', size);
	size_t i;

	if (mark)
		return (size_t)(mark - begin);
	if (!strcmp(palette, "module")) {
		const char *bracket = memchr(begin, '[', size);

		if (!bracket)
			return 0;
		*name = bracket;
		return size - (size_t)(bracket - begin);
	}
	for (i = 0; i < size && begin[i] != '(' && begin[i] != '<'; i++)
		;
	while (i && begin[i - 1] != '/' && begin[i - 1] != '.' && begin[i - 1] != ':')
		i--;
	return i;
}

static double channel(const double hue, double saturation, double light, double shift)
{
	const double k = fmod(shift + hue / 30, 12);
	const double a = saturation * fmin(light, 1 - light);

	return light - a * fmax(-1, fmin(fmin(k - 3, 9 - k), 1));
}

static void write_colour(char colour[PALETTE_COLOUR], double red, double green, double blue)
{
	snprintf(colour, PALETTE_COLOUR, "#%x%x%x", (unsigned int)lround(red * 15) & 15,
		 (unsigned int)lround(green * 15) & 15, (unsigned int)lround(blue * 15) & 15);
}

static void choose(const struct range *range, uint32_t number, char colour[PALETTE_COLOUR])
{
	const double first = (number & 0x3ff) / 1023.0, second = (number >> 10 & 0x3ff) / 1023.0,
		     third = (number >> 20 & 0x3ff) / 1023.0;
	const double hue = fmod(range->hue + first * range->hue_size, 360);
	const double saturation = range->saturation + second * range->saturation_size;
	const double light = range->light + third * range->light_size;

	write_colour(colour, channel(hue, saturation, light, 0), channel(hue, saturation, light, 8),
		     channel(hue, saturation, light, 4));
}

void palette_colour(struct palette *palette, const char *name, size_t size,
		    char colour[PALETTE_COLOUR])
{
	const struct palette_rule *rule = rules;
	enum colours colours;
	char suffix;

	while (strcmp(rule->name, palette->name))
		rule++;
	size = frame_base(name, size, &suffix);
	colours = rule->choose ? rule->choose(name, size, suffix) : rule->colours;
	if (rule->colours == ANY) {
		size = size_of_part(palette->name, &name, size);
		colours = size ? ANY : GREY;
	}
	if (is_separator(name, size))
		colours = GREY;
	if (palette->random)
		palette->seed = palette->seed * 1103515245 + 12345;
	choose(&ranges[colours], palette->random ? palette->seed >> 2 : hash(name, size), colour);
}

void palette_change(double change, char colour[PALETTE_COLOUR])
{
	/* The factor limits the colour, so that black text on the strongest blue still has a
	 * contrast of 4.9. */
	const double rest = 1 - fmin(1, fabs(change)) * 0.6;

	if (change > 0)
		write_colour(colour, 1, rest, rest);
	else
		write_colour(colour, rest, rest, 1);
}
