// SPDX-License-Identifier: BSD-2-Clause
#include "branch_entry.h"
#include "field_table.h"

/* The fields of an entry of the branch stack (SPEC 5.4). pk_view.branch is the index of the entry.
 */

static bool branch_of(struct pk_view *view, struct pk_branch *branch)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (!sample || view->branch >= sample->branches.count)
		return false;
	*branch = pk_branch_at(&sample->branches, view->branch);
	return true;
}

/* ---- Addresses ---- */

#define ADDRESS(end)                                                                               \
	static bool branch_##end##_key(struct pk_view *view, uint64_t *key)                        \
	{                                                                                          \
		struct pk_branch branch;                                                           \
                                                                                                   \
		return branch_of(view, &branch) &&                                                 \
		       pk_view_name_address(view, branch.end, false, key);                         \
	}                                                                                          \
                                                                                                   \
	static bool branch_##end##_dso_key(struct pk_view *view, uint64_t *key)                    \
	{                                                                                          \
		struct pk_branch branch;                                                           \
                                                                                                   \
		return branch_of(view, &branch) && pk_view_object_of(view, branch.end, key);       \
	}                                                                                          \
                                                                                                   \
	static bool branch_##end##_addr_key(struct pk_view *view, uint64_t *key)                   \
	{                                                                                          \
		struct pk_branch branch;                                                           \
                                                                                                   \
		if (!branch_of(view, &branch))                                                     \
			return false;                                                              \
		*key = branch.end;                                                                 \
		return true;                                                                       \
	}

ADDRESS(from)
ADDRESS(to)

/* ---- Flags ---- */

/* The texts that perf prints. The key is the index. */
static const char *const predictions[] = {"N/A", "Y", "N"};

static bool mispredict_key(struct pk_view *view, uint64_t *key)
{
	struct pk_branch branch;

	if (!branch_of(view, &branch))
		return false;
	*key = branch.flags & PK_BRANCH_PREDICTED      ? 2
	       : branch.flags & PK_BRANCH_MISPREDICTED ? 1
						       : 0;
	return true;
}

static const char *mispredict_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)context;
	return pk_with_size(predictions[key], size);
}

static bool flag_key(struct pk_view *view, uint64_t flag, char mark, uint64_t *key)
{
	struct pk_branch branch;

	if (!branch_of(view, &branch))
		return false;
	*key = (unsigned char)(branch.flags & flag ? mark : '.');
	return true;
}

static bool in_tx_key(struct pk_view *view, uint64_t *key)
{
	return flag_key(view, PK_BRANCH_IN_TX, 'T', key);
}

static bool branch_abort_key(struct pk_view *view, uint64_t *key)
{
	return flag_key(view, PK_BRANCH_ABORT, 'A', key);
}

static const char *mark_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)context;
	return pk_with_size(key == 'T' ? "T" : key == 'A' ? "A" : ".", size);
}

#define in_tx_text	  mark_text
#define branch_abort_text mark_text

/* Sets *key to 0 if the processor has not counted the cycles. */
static bool branch_cycles_key(struct pk_view *view, uint64_t *key)
{
	struct pk_branch branch;

	if (!branch_of(view, &branch))
		return false;
	*key = pk_branch_cycles(branch.flags);
	return *key;
}

const char *pk_branch_type(uint64_t flags)
{
	static const char *const types[] = {
		"",	  "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",	"SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX", ""};

	return types[flags >> 20 & 15];
}

static bool branch_type_key(struct pk_view *view, uint64_t *key)
{
	struct pk_branch branch;

	if (!branch_of(view, &branch))
		return false;
	*key = branch.flags & UINT64_C(15) << 20;
	return true;
}

static const char *branch_type_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)context;
	return pk_with_size(pk_branch_type(key), size);
}

/* ---- The table ---- */

#define BRANCH .sample_bits = PERF_SAMPLE_BRANCH_STACK

static const struct pk_field fields[] = {
	{"branch_from", "symbol_from", BUILT(branch_from), BRANCH,
	 .needs = PK_NEED_BRANCHES | PK_NEED_CODE, .is_private = true,
	 .about = "function that contains the branch; otherwise the address"},
	{"branch_to", "symbol_to", BUILT(branch_to), BRANCH,
	 .needs = PK_NEED_BRANCHES | PK_NEED_CODE, .is_private = true,
	 .about = "function at the target of the branch; otherwise the address"},
	{"branch_from_dso", "dso_from", OBJECT(branch_from_dso), BRANCH,
	 .needs = PK_NEED_BRANCHES | PK_NEED_TASKS, .is_private = true,
	 .about = "path of the object that contains the branch"},
	{"branch_to_dso", "dso_to", OBJECT(branch_to_dso), BRANCH,
	 .needs = PK_NEED_BRANCHES | PK_NEED_TASKS, .is_private = true,
	 .about = "path of the object at the target of the branch"},
	{"branch_from_addr", "addr_from", NUMBER(branch_from_addr, PK_VALUE_ADDRESS), BRANCH,
	 .needs = PK_NEED_BRANCHES, .is_private = true, .about = "address of the branch"},
	{"branch_to_addr", "addr_to", NUMBER(branch_to_addr, PK_VALUE_ADDRESS), BRANCH,
	 .needs = PK_NEED_BRANCHES, .is_private = true,
	 .about = "address of the target of the branch"},
	{"mispredict", NULL, TEXT(mispredict), BRANCH, .needs = PK_NEED_BRANCHES,
	 .about = "whether the branch was predicted wrongly: Y, N or N/A"},
	{"in_tx", NULL, TEXT(in_tx), BRANCH, .needs = PK_NEED_BRANCHES,
	 .about = "T if the branch is in a transaction, otherwise ."},
	{"branch_abort", NULL, TEXT(branch_abort), BRANCH, .needs = PK_NEED_BRANCHES,
	 .about = "A if the branch is the abort of a transaction, otherwise ."},
	{"branch_type", NULL, TEXT(branch_type), BRANCH, .needs = PK_NEED_BRANCHES,
	 .about = "type of the branch: COND, UNCOND, IND, CALL, IND_CALL, RET, SYSCALL, SYSRET, "
		  "IRQ ...; empty if it is unknown"},
	{"branch_cycles", NULL, NUMBER(branch_cycles, PK_VALUE_NUMBER), BRANCH,
	 .needs = PK_NEED_BRANCHES, .about = "cycles since the previous branch"},
};

const struct pk_fields pk_fields_of_branches = FIELDS(fields);
