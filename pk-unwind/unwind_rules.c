// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "cli.h"
#include "object_debug.h"
#include "pkutil.h"
#include "table.h"
#include "unwind_rules.h"
#include "vector.h"

#define RULES_MAX (UINT32_C(1) << 17) /* above this number the cache is cleared: 24 MB */

/* The unwind information of an image. */
struct source {
	bool read;
	const struct pk_unwind_info *info;
	struct pk_cfi *cfi; /* NULL: none */
};

struct unwind_rules {
	struct resolver *resolver;
	struct pk_failures *failures;
	struct unwind_rule *known;
	size_t count, capacity;
	struct pk_table numbers; /* index in known + 1, by the hash of image and address */
	struct source *sources;	 /* by image index */
	size_t sources_capacity;
};

struct unwind_rules *unwind_rules_new(struct resolver *resolver, struct pk_failures *failures)
{
	struct unwind_rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		return NULL;
	rules->resolver = resolver;
	rules->failures = failures;
	return rules;
}

static void forget_rules(struct unwind_rules *rules)
{
	free(rules->known);
	pk_table_free(&rules->numbers);
	rules->known = NULL;
	rules->capacity = rules->count = 0;
}

void unwind_rules_forget(struct unwind_rules *rules)
{
	forget_rules(rules);
	for (size_t i = 0; i < rules->sources_capacity; i++)
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

/* ---- Images ---- */

static void report_image(const struct pk_object *object, const struct pk_cfi *cfi,
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

static void read_source(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
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
	report_image(object, source->cfi, state);
}

/* NULL: out of memory. */
static struct source *source_of(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
				const struct pk_image *image)
{
	struct source *source;

	if (!pk_need_room(rules->failures,
			  pk_extend(&rules->sources, &rules->sources_capacity, image->index)))
		return NULL;
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

bool unwind_rules_differ(struct unwind_rules *rules, const struct pk_image *image, uint64_t a,
			 uint64_t b)
{
	struct pk_object *object = resolver_object(rules->resolver, image);
	struct pk_symbol symbol;

	return object && pk_object_lookup(object, a, &symbol) &&
	       (b < symbol.start || b >= symbol.end);
}

/* ---- Cached rules ---- */

static uint64_t hash_of(struct unwind_rules *rules, uint32_t image, uint64_t address)
{
	return pk_mix64(address ^ pk_table_secret(&rules->numbers),
			image ^ UINT64_C(0xe7037ed1a0b428db));
}

static const struct unwind_rule *find(const struct unwind_rules *rules, uint64_t hash,
				      uint32_t image, uint64_t address)
{
	struct pk_probe probe = pk_table_probe(&rules->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct unwind_rule *rule = &rules->known[number - 1];

		if (rule->image == image && rule->address == address)
			return rule;
	}
	return NULL;
}

/* Makes room for one rule, so that adding it cannot fail. */
static bool make_room(struct unwind_rules *rules)
{
	if (rules->count == RULES_MAX) {
		pk_table_clear(&rules->numbers);
		rules->count = 0;
	}
	if (pk_reserve(&rules->known, &rules->capacity, rules->count, 1, sizeof(*rules->known)) &&
	    pk_table_reserve(&rules->numbers, rules->numbers.count + 1))
		return true;
	pk_failed(rules->failures, NULL, ENOMEM);
	return false;
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
					    const struct pk_cfi_machine *machine,
					    const struct pk_image *image, uint64_t address,
					    uint64_t *work)
{
	const uint32_t number = image->index + 1;
	const uint64_t hash = hash_of(rules, number, address);
	const struct unwind_rule *known = find(rules, hash, number, address);
	struct unwind_rule *rule;
	struct source *source;

	if (pk_likely(known))
		return known;
	source = source_of(rules, machine, image);
	if (!source || !make_room(rules))
		return NULL;
	rule = &rules->known[rules->count];
	*rule = (struct unwind_rule){.image = number, .address = address};
	rule->status = work_out(source, address, work, &rule->row);
	/* If the work limit is reached, the rule is not cached: another sample may have more. */
	if (*work) {
		rules->count++;
		pk_table_add(&rules->numbers, hash, rules->count);
	}
	return rule;
}
