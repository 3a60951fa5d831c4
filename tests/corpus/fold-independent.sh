# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-fold beside refold.pl, which folds what pk-script --json prints of the same recordings: weights, what stands
# in front of the frames, where stacks begin and end, names, order; compared byte by byte.
. "$PK_TOP/tests/corpus/corpus.bash"
own=$PK_CORPUS/own
data=$own/x86_64-7.2/data
refold=$PK_TOP/tests/corpus/refold.pl
# What refold.pl shall make, one line for each comparison, and the names of the comparisons.
: >sets
names=()

# symbolize NAME: NAME.pk and NAME.json, of a recording with everything done to it
symbolize()
{
	pk-merge-callchains -q "$data/$1.data" 2>err | pk-unwind -q --symfs="$own/x86_64-7.2/rootfs" 2>>err |
		pk-symbolize -q --lines --symfs="$own/x86_64-7.2/rootfs" --kallsyms=kallsyms >"$1.pk" 2>>err
	pk-script -q --json "$1.pk" >"$1.json" 2>>err
}

# expect NAME [OPTION...] FILE...: the file folded shall be what refold.pl makes of these
expect()
{
	mv folded "${#names[@]}.folded"
	echo "${#names[@]}.expected ${*:2}" >>sets
	names+=("$1")
}

# alike NAME [OPTION...]: folded by both with these options
alike()
{
	local name=$1
	shift
	pk-fold -q "${@/--raw/--addresses}" "$name.pk" >folded 2>err
	expect "$name: $*" "$@" "$name.json"
}

xz -dc "$own/x86_64-7.2/kallsyms.boot1.xz" >kallsyms
for name in syscalls.fp.pipe syscalls.dwarf threads.fp.a forker.mix-defer kmem locky.pf threads.latency; do
	symbolize "$name"
	alike "$name"
	for weight in samples period; do
		alike "$name" --weight="$weight"
	done
	alike "$name" --by=event,comm --weight=period
done

name=forker.mix-defer
for by in none pid tid comm cpu event host cgroup pid,tid tid,comm,event comm,pid,tid,cpu,event,host,cgroup; do
	alike $name --by=$by
	alike threads.fp.a --by=$by
done
alike $name --event=page-faults
alike $name --event='cpu-clock*' --event=page-faults --weight=samples
alike $name --event='sched:*' --weight=prev_prio
alike kmem --weight=bytes_alloc --by=event,tid
alike kmem --weight=bytes_req --event=kmem:kmalloc

# Weights of memory accesses.
ln -s "$PK_CORPUS/others/quipper-perf.data.weight_struct" memory.pk
pk-script -q --json memory.pk >memory.json 2>err
alike memory --raw --weight=weight --by=event,comm

for order in '' --reverse; do
	for frames in --root=main --leaf='*write*' '--root=one_round --leaf=vfs_write' '--root=[mr]*' --leaf=no_such \
		--max-depth=1 --max-depth=5 --collapse-recursion '--collapse-recursion --max-depth=3' \
		'--root=run_rounds --max-depth=2 --by=none'; do
		[ "$frames" != --leaf=no_such ] || continue
		# shellcheck disable=SC2086 # words
		alike syscalls.fp.pipe $order $frames
	done
done
for names in --addresses --modules --lines --inlines --inlines=no --suffixes --suffixes=k --suffixes=ij \
	'--modules --lines --suffixes --addresses' '--lines --reverse --by=none' '--inlines=no --collapse-recursion'; do
	# shellcheck disable=SC2086
	for name in syscalls.fp.pipe syscalls.dwarf threads.fp.a; do
		alike $name $names
	done
done
alike threads.fp.a --sort=weight
alike threads.fp.a --sort=weight --by=none --reverse --max-depth=1 --weight=samples
alike threads.fp.a --max-depth=0 --by=comm,cpu --weight=samples
alike threads.latency --weight=latency
alike threads.latency --weight=latency --by=comm,tid --sort=weight

# Two columns; the base as a recording, and as text.
pk-fold -q --diff=syscalls.fp.pipe.pk threads.fp.a.pk >folded
expect "--diff" --diff=syscalls.fp.pipe.json threads.fp.a.json
pk-fold -q syscalls.fp.pipe.pk >base
pk-fold -q --diff=base threads.fp.a.pk syscalls.dwarf.pk >folded
expect "--diff of a text" --diff=syscalls.fp.pipe.json threads.fp.a.json syscalls.dwarf.json
pk-fold -q --by=none --reverse --max-depth=2 --diff=threads.latency.pk threads.fp.a.pk >folded
expect "--diff of callers" --by=none --reverse --max-depth=2 --diff=threads.latency.json threads.fp.a.json

# Again and again while time goes on.
for ms in 10 200; do
	pk-fold -q --live=${ms}ms syscalls.fp.pipe.pk >folded
	expect "--live=${ms}ms" --live=${ms}000000 syscalls.fp.pipe.json
done

# Of several machines, as they were recorded.
inputs=() texts=()
for input in "$data/syscalls.fp.pipe.data" "$own/s390x-6.1/data/03-pipe.data" "$own/s390x-7.2/data/03-pipe.data" \
	"$data/locky.pf.pipe.data"; do
	inputs+=("$input")
	texts+=("json.${#texts[@]}")
	pk-script -q --json "$input" >"${texts[-1]}" 2>err
done
pk-fold -q --addresses --by=host,event,comm "${inputs[@]}" >folded
expect "several machines" --raw --by=host,event,comm "${texts[@]}"
cat "${inputs[@]}" | pk-fold -q --by=host,event,comm >folded
expect "several machines in a pipe" --raw --by=host,event,comm "${texts[@]}"

perl "$refold" <sets 2>err || complain "refold.pl: $(head -n 3 err)"
for i in "${!names[@]}"; do
	[ -s "$i.expected" ] || complain "${names[i]}: nothing is expected"
	cmp -s "$i.expected" "$i.folded" || {
		complain "== ${names[i]}"
		diff "$i.expected" "$i.folded" | cut -c1-250 | head -n 10
	}
done
[ ${#names[@]} -ge 100 ] || complain "only ${#names[@]} comparisons"
exit $status
