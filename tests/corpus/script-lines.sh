# SPDX-License-Identifier: BSD-2-Clause
# long
# Recordings as text, line by line what perf 7.2 printed of them on the recording machine or with its
# files. Lines that differ must be explained by a rule of script-lines.pl; what the rules are for is told in
# docs/perf-script.md. script-lines.counts has, for each recording, how many lines were the same and
# how many each rule explained when it was written: fewer of the former or more of the latter is a
# failure. UPDATE=1 writes the counts anew.
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

# by_time FILE: sorts its samples, of several lines each, by time and thread
by_time()
{
	perl -e 'local $/ = ""; my @all = map { s/\n+\z//r } <>;
		my %key = map { $_ => m/^\s*(?:.*?)\s(-?\d+)\s.*?(\d+\.\d+):/ ? sprintf("%020.9f %d", $2, $1) : "" } @all;
		print map { "$_\n\n" } sort { $key{$a} cmp $key{$b} || $a cmp $b } @all' "$1" >sorted && mv sorted "$1"
}

# compare_lines NAME EXPECTED FILE RULES OPTION...: a line is appended to counts.
compare_lines()
{
	local name=$1 from=$2 file=$3 rules=$4
	shift 4
	# perf has printed these without objects.
	case $name in *fp-offcpu*.pipe* | *.tp-*.pipe* | *tp-g-pipe*) set -- -F trace:comm,tid,cpu,time,event,trace,ip,sym "$@" ;; esac
	case $name in *dwarf*) rules+=" unwound" ;; esac
	case $rules in inlines*) ;; *) set -- --no-inline "$@" ;; esac
	gzip -dc "$from" >expected
	pk-script -q --no-merge "$@" "$file" >actual 2>err || complain "$name: $(head -n 1 err)"
	# perf prints a sample where its user half is, pk in the order of time.
	case $name in */merged) by_time expected && by_time actual ;; esac
	[ -e exits ] || pk-script -q --show-task-events -F tid,time,event "$file" 2>/dev/null |
		sed -n 's/^ *\([0-9]*\) *\([0-9.]*\): PERF_RECORD_EXIT.*/\1 \2/p' >exits
	# shellcheck disable=SC2086 # words on purpose
	echo "$name $(perl "$PK_TOP/tests/corpus/script-lines.pl" expected actual exits=exits $rules 2>"left")" >>counts
	[ -z "${PK_LEFT-}" ] || sed "s|^|$name |" left >>"$PK_LEFT"
}

for f in "$x86"/data/*.data; do
	name=$(basename "$f" .data)
	from=$(expected_of "$name")
	rules=
	# Counters: pk-stat's. A file of stat is beyond perf.
	case $name in
	stat*) continue ;;
	*defer* | *inject*) rules="inlines vdso" ;;
	esac
	rm -f exits
	set -- --symfs "$x86/rootfs" --kallsyms "$(kallsyms_of "$name")"
	[ ! -s "$from" ] || compare_lines "x86_64/$name" "$from" "$f" "$rules" "$@"
	# What perf merges itself; it leaves late samples where and as they are.
	from=$x86/ref/$name.script.gz
	case $name in
	*inject* | *.tp-*.pipe) ;;
	*defer*)
		pk-merge-callchains -q "$f" >merged 2>err
		[ ! -s "$from" ] || compare_lines "x86_64/$name/merged" "$from" merged "inlines vdso late executed" "$@"
		;;
	esac
	# The same with other records between the samples; deferred callchains are merged there.
	from=$x86/ref/$name.tasks.txt.gz
	case $name in
	*defer* | *inject*) ;;
	*) [ ! -s "$from" ] || compare_lines "x86_64/$name/tasks" "$from" "$f" "vdso" --show-task-events \
		--show-mmap-events --show-switch-events --show-lost-events --show-namespace-events "$@" ;;
	esac
done

# other_machine FOLDER BOOT: a folder of text below BOOT is compared.
other_machine()
{
	local machine=$1 own=$PK_CORPUS/own/$1 boot=$PK_CORPUS/own/$1/$2 name from text=ref data=data rules
	[ -d "$machine" ] || { mkdir "$machine" && tar -xJf "$own/symfs.tar.xz" -C "$machine"; }
	cp "$boot"/vdso/*/vdso "$machine/symfs/[vdso]"
	gzip -dc "$boot/kallsyms.gz" >kallsyms
	[ -z "$2" ] || text=text data=
	for from in "$boot/$text"/*/script.txt.gz; do
		name=$(basename "${from%/*}")
		rules=inlines
		rm -f exits
		case $name in *-stat-pipe*) continue ;; esac
		case $machine in
		*-6.1) rules+=" narrow" ;;
		arm64*)
			pk-script -q -F uregs "$boot/$data/$name" | sed 's/.*lr:0x\([0-9a-f]*\).*/\1/' >links
			rules+=" links=links"
			;;
		esac
		compare_lines "$machine/${2:+$2/}$name" "$from" "$boot/$data/$name" "$rules" \
			--symfs "$machine/symfs" --kallsyms kallsyms
	done
}

other_machine arm64-7.2 ''
other_machine arm64-7.2 boot2
other_machine armhf-7.2 ''
other_machine s390x-7.2 ''
other_machine s390x-6.1 ''

[ -z "${UPDATE-}" ] || cp counts "$counts"
awk '
	function split_counts(n,  i, parts) {
		delete found
		for (i = 2; i <= n; i++) { split($i, parts, "="); found[parts[1]] = parts[2] }
	}
	FNR == NR { for (i = 2; i <= NF; i++) { split($i, p, "="); stored[$1, p[1]] = p[2] } names[$1] = $0; next }
	{
		split_counts(NF)
		for (rule in found) {
			same = rule == "same"
			bad = same ? found[rule] < stored[$1, rule] : found[rule] > stored[$1, rule] + 0
			if (bad) { print $0 "\n    was: " names[$1]; failed = 1 }
			if (same) lines += found[rule]
			sum[rule] += found[rule]
		}
		whole += NF == 2
		seen[$1] = 1
	}
	END {
		for (name in names) if (!seen[name]) { print name ": not compared"; failed = 1 }
		for (rule in sum) printf "%s %d, ", rule, sum[rule]
		print whole " of " FNR " recordings are the same altogether"
		exit failed
	}' "$counts" counts || status=1
exit $status
