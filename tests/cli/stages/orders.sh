# SPDX-License-Identifier: BSD-2-Clause
# long
# timeout: 900
# Stages that are independent of each other give the same answers in any order: spans, stacks, reports, latency, names, rows of
# timehist. For each recording and set of stages, the first order is compared with all others.
data=$PK_TOP/tests/data combinations=0
recordings=(switches.data naps.pk tasks.pk)
for file in "${recordings[@]}"; do
	zstd -qdc "$data/deferred/$file.zst" >"$file" || exit
done
if [ -n "${PK_CORPUS-}" ] && [ -n "${PK_ALL_ORDERS-}" ]; then
	for file in "$PK_CORPUS"/own/x86_64-7.2/data/*defer*.data "$PK_CORPUS"/own/x86_64-7.2/data/threads.*.data; do
		cp "$file" . && recordings+=("$(basename "$file")")
	done
fi

merge() { pk-merge-callchains -q "$@"; }
offcpu() { pk-span -q --pass offcpu "$@"; }
sched() { pk-span -q --pass sched "$@"; }
inject() { pk-inject -q --kallsyms=/dev/null --symfs=/nonexistent "$@"; }
filter() { pk-filter -q --where 'comm != "perf"' "$@"; }
keep() { pk-filter -q --where 'period > 0' "$@"; }

# permutations PREFIX WORD...: one order a line
permutations()
{
	local prefix=$1 i
	shift
	[ $# -gt 0 ] || echo "$prefix"
	for ((i = 1; i <= $#; i++)); do
		permutations "$prefix ${*:i:1}" "${@:1:i-1}" "${@:i+1}"
	done
}

# through STAGE...: of stdin
through()
{
	local first=$1
	shift
	if [ $# -gt 0 ]; then
		"$first" | through "$@"
	else
		"$first"
	fi
}

# What the tails make of a stream; the stages lose no record, so only names of programs and their arguments can differ.
answers()
{
	pk-fold -q --weight period --by event,comm "$1" | sort
	pk-fold -q --weight latency "$1" 2>/dev/null | sort
	pk-report -q --csv --by event,comm,parallelism --show samples,sum,max,latency "$1" | sort
	pk-script -q --format '{time} {event} {comm} {tid} {parallelism} {ip}' "$1"
	pk-script -q --view timehist "$1" 2>/dev/null
}

compare()
{
	local file=$1 order expected=''
	shift
	while read -r order; do
		# shellcheck disable=SC2086 # names of stages
		through $order <"$file" >out.pk 2>/dev/null
		answers out.pk >answers.now 2>&1
		if [ -z "$expected" ]; then
			expected=$order
			mv answers.now answers.first
			[ -s answers.first ] || echo "$file: $order: no answers"
		elif ! cmp -s answers.first answers.now; then
			echo "$file: '$order' differs from '$expected':"
			diff answers.first answers.now | head -n 4 | cut -c1-200
		fi
		combinations=$((combinations + 1))
	done < <(permutations '' "$@")
}

for file in "${recordings[@]}"; do
	compare "$file" merge keep inject
	compare "$file" merge filter
	pk-script --stats "$file" 2>/dev/null | grep -q sched_switch || continue
	compare "$file" merge offcpu keep
	compare "$file" merge sched inject
done
echo "$combinations combinations" >&2
[ $combinations -ge 30 ] && echo "30 combinations or more"
