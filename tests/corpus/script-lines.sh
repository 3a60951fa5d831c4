# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# Recordings as text, line by line what perf 7.2 printed of them on the recording machine or with its
# files: script-lines.counts has, for each, how many lines were the same when it was written, and how
# many perf printed. Fewer is a failure; UPDATE=1 writes the counts anew. Why some differ is told in
# docs/perf-script.md.
# Samples with deferred callchains are compared with --no-merge-callchains.
. "$PK_TOP/tests/corpus/corpus.bash"
counts=$PK_TOP/tests/corpus/script-lines.counts
x86=$PK_CORPUS/own/x86_64-7.2

xz -dc "$x86/kallsyms.boot1.xz" >boot1
xz -dc "$x86/kallsyms.boot2-nokaslr.xz" >boot2

kallsyms_of()
{
	case $1 in
	*bid* | lockrec-g* | orphans* | *live-inject* | threads.cpuswitch* | *fp-offcpu* | threads.latency* | attach*)
		echo boot2 ;;
	*) echo boot1 ;;
	esac
}

# With guests' vdso where that is, without inlined frames where that is.
expected_of()
{
	local kind
	case $1 in
	*defer* | *inject*) echo "$x86/ref/$1.script-nomerge.gz" && return ;;
	esac
	for kind in script-guest script-noinline script; do
		[ ! -e "$x86/ref/$1.$kind.gz" ] || break
	done
	echo "$x86/ref/$1.$kind.gz"
}

# count NAME EXPECTED OPTION...: "NAME SAME ALL" is appended to counts.
count()
{
	local name=$1 same
	gzip -dc "$2" >expected
	shift 2
	pk-script -q --no-merge --no-inline "$@" >folded 2>err
	same=$(diff --unchanged-line-format='=
' --old-line-format= --new-line-format= expected folded | wc -l)
	echo "$name $same $(wc -l <expected)" >>counts
}

for f in "$x86"/data/*.data; do
	name=$(basename "$f" .data)
	from=$(expected_of "$name")
	set -- --symfs "$x86/rootfs" --kallsyms "$(kallsyms_of "$name")" "$f"
	# What perf leaves out of tracepoints in a pipe.
	case $name in *fp-offcpu*.pipe | *.tp-*.pipe) set -- -F trace:comm,tid,cpu,time,event,trace,ip,sym "$@" ;; esac
	[ ! -s "$from" ] || count "x86_64/$name" "$from" "$@"
	# The same with other records between the samples; deferred callchains are merged there.
	from=$x86/ref/$name.tasks.txt.gz
	case $name in
	*defer* | *inject*) ;;
	*) [ ! -s "$from" ] || count "x86_64/$name/tasks" "$from" --show-task-events --show-mmap-events \
		--show-switch-events --show-lost-events --show-namespace-events "$@" ;;
	esac
done

for machine in arm64 armhf s390x; do
	own=$PK_CORPUS/own/$machine-7.2
	mkdir $machine && tar -xJf "$own/symfs.tar.xz" -C $machine
	gzip -dc "$own/kallsyms.gz" >$machine.kallsyms
	for from in "$own"/ref/*/script.txt.gz; do
		name=$(basename "${from%/*}")
		count "$machine/$name" "$from" --symfs $machine/symfs --kallsyms $machine.kallsyms "$own/data/$name"
	done
done

[ -z "${UPDATE-}" ] || cp counts "$counts"
join -a 1 <(sort "$counts") <(sort counts) | awk '
	NF < 5 || $4 < $2 { print $1 ": " $4 + 0 " of " $3 " lines are the same, not " $2; bad = 1 }
	{ same += $4; all += $3 }
	END { print same " of " all " lines are the same"; exit bad }' || status=1
exit $status
