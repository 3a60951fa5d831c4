// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cli.h"
#include "pkutil.h"
#include "unwind_info.h"
#include "unwind_rules.h"

#define RULES_MIN 1024
#define RULES_MAX (UINT32_C(1) << 18) /* places; beyond half of them all is forgotten: 24 MB */

/* What an image's code is unwound by. */
struct source {
	bool read;
	const struct pk_unwind_info *info;
	struct pk_cfi *cfi; /* NULL: nothing */
};

struct unwind_rules {
	struct resolver *resolver;
	struct pk_failures *failures;
	struct unwind_rule *slots;
	size_t capacity, count;
	uint64_t secret;
	struct source *sources; /* by image index */
	uint32_t sources_capacity;
};

struct unwind_rules *unwind_rules_new(struct resolver *resolver, struct pk_failures *failures)
{
	struct unwind_rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		return NULL;
	rules->resolver = resolver;
	rules->failures = failures;
	rules->secret = pk_secret();
	return rules;
}

static void forget_slots(struct unwind_rules *rules)
{
	free(rules->slots);
	rules->slots = NULL;
	rules->capacity = rules->count = 0;
}

void unwind_rules_forget(struct unwind_rules *rules)
{
	forget_slots(rules);
	for (uint32_t i = 0; i < rules->sources_capacity; i++)
		pk_cfi_free(rules->sources[i].cfi);
	free(rules->sources);
	rules->sources = NULL;
	rules->sources_capacity = 0;
}

void unwind_rules_free(struct unwind_rules *rules)
{
	if (!rules)
		return;
	unwind_rules_forget(rules);
	free(rules);
}

/* ---- What an image has ---- */

static void tell(const struct pk_object *object, const struct pk_cfi *cfi,
		 enum pk_object_state state)
{
	if (cfi && pk_cfi_count(cfi))
		pk_info("%s: %zu functions can be unwound", pk_object_path(object),
			pk_cfi_count(cfi));
	else if (state == PK_OBJECT_OTHER_BUILD)
		pk_warn("%s: is of another build: its functions cannot be unwound",
			pk_object_path(object));
	else if (state != PK_OBJECT_NOT_A_FILE)
		pk_info("%s: %s", pk_object_path(object),
			state == PK_OBJECT_READY ? "has no unwind information"
						 : "was not found, or cannot be read");
}

static struct pk_cfi_section section_of(const struct pk_unwind_section *section)
{
	return (struct pk_cfi_section){section->data, section->size, section->address};
}

static void read_source(struct unwind_rules *rules, const struct pk_machine *machine,
			const struct pk_image *image, struct source *source)
{
	struct pk_object *object = NULL;
	enum pk_object_state state;

	source->read = true;
	if (image->kind == PK_DSO_FILE || image->kind == PK_DSO_VDSO)
		object = resolver_object(rules->resolver, image);
	if (!object)
		return;
	source->info = pk_object_unwind_info(object, &state);
	if (source->info && source->info->machine == machine->elf_machine &&
	    source->info->swapped == machine->swapped) {
		const struct pk_cfi_section eh_frame = section_of(&source->info->eh_frame);
		const struct pk_cfi_section header = section_of(&source->info->eh_frame_hdr);
		const struct pk_cfi_section debug_frame = section_of(&source->info->debug_frame);

		source->cfi = pk_need(rules->failures,
				      pk_cfi_new(machine, &eh_frame, &header, &debug_frame));
	}
	tell(object, source->cfi, state);
}

/* NULL: out of memory. */
static struct source *source_of(struct unwind_rules *rules, const struct pk_machine *machine,
				const struct pk_image *image)
{
	uint32_t capacity = rules->sources_capacity ? rules->sources_capacity : 64;
	struct source *source;

	while (capacity <= image->index)
		capacity *= 2;
	if (capacity != rules->sources_capacity) {
		source = pk_need(rules->failures,
				 realloc(rules->sources, capacity * sizeof(*source)));
		if (!source)
			return NULL;
		memset(source + rules->sources_capacity, 0,
		       (capacity - rules->sources_capacity) * sizeof(*source));
		rules->sources = source;
		rules->sources_capacity = capacity;
	}
	source = &rules->sources[image->index];
	if (!source->read)
		read_source(rules, machine, image, source);
	return source;
}

const struct pk_cfi *unwind_rules_cfi(const struct unwind_rules *rules,
				      const struct unwind_rule *rule)
{
	return rules->sources[rule->image - 1].cfi;
}

/* ---- The table: open addressing by image and address ---- */

static struct unwind_rule *slot_of(const struct unwind_rules *rules, uint32_t image,
				   uint64_t address)
{
	const size_t mask = rules->capacity - 1;
	size_t i = pk_mix64(address ^ rules->secret, image ^ UINT64_C(0xe7037ed1a0b428db)) & mask;

	while (rules->slots[i].image &&
	       (rules->slots[i].image != image || rules->slots[i].address != address))
		i = (i + 1) & mask;
	return &rules->slots[i];
}

static bool make_room(struct unwind_rules *rules)
{
	const struct unwind_rules old = *rules;

	if (2 * rules->count < rules->capacity)
		return true;
	if (rules->capacity == RULES_MAX) {
		memset(rules->slots, 0, rules->capacity * sizeof(*rules->slots));
		rules->count = 0;
		return true;
	}
	rules->capacity = old.capacity ? 2 * old.capacity : RULES_MIN;
	rules->slots = pk_need(rules->failures, calloc(rules->capacity, sizeof(*rules->slots)));
	if (!rules->slots) {
		*rules = old;
		return false;
	}
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].image)
			*slot_of(rules, old.slots[i].image, old.slots[i].address) = old.slots[i];
	free(old.slots);
	return true;
}

static enum pk_cfi_status work_out(const struct source *source, uint64_t offset, uint64_t *work,
				   struct pk_cfi_row *row)
{
	uint64_t address;

	if (!source->cfi || !pk_unwind_address(source->info, offset, &address))
		return PK_CFI_NONE;
	return pk_cfi_find_within(source->cfi, address, work, row);
}

const struct unwind_rule *unwind_rules_find(struct unwind_rules *rules,
					    const struct pk_machine *machine,
					    const struct pk_image *image, uint64_t address,
					    uint64_t *work)
{
	const uint32_t number = image->index + 1;
	struct unwind_rule *rule;
	struct source *source;

	if (pk_unlikely(!make_room(rules)))
		return NULL;
	rule = slot_of(rules, number, address);
	if (pk_likely(rule->image))
		return rule;
	source = source_of(rules, machine, image);
	if (!source)
		return NULL;
	rule->status = work_out(source, address, work, &rule->row);
	if (!*work)
		return rule; /* stays free: another sample may have more left for it */
	rule->image = number;
	rule->address = address;
	rules->count++;
	return rule;
}
