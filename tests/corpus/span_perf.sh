# SPDX-License-Identifier: BSD-2-Clause
# Recordings of Linux 7.2: the views of spans have the rows of perf trace -s, perf sched and perf kmem stat. perf reads the file that
# pk-export writes, because perf 6.1 refuses newer ones.
. "$PK_TOP/tests/corpus/corpus.bash"
. "$PK_TOP/tests/live/perf.bash"
folder=$PK_CORPUS/own/x86_64-7.2/data
[ -d "$folder" ] || {
	echo "no recordings of Linux 7.2" >&2
	exit 77
}

# recording NAME: its file, and data for perf
recording()
{
	file=$folder/$1
	pk-export perf.data -q -o data "$file" || complain "$1: no file for perf"
}

# rows PERL VIEW...: runs the code for each line of --csv of a view of spans.pk, with the fields in @F
rows()
{
	local code=$1
	shift
	pk-report -q --csv --view "$@" spans.pk | perl -F, -ane "next if \$. == 1; chomp @F; $code" | sort
}

# equal WHAT LEAST: by_perf and by_pk, of at least so many rows
equal()
{
	[ "$(wc -l <by_perf)" -ge "$2" ] || complain "$1: only $(wc -l <by_perf) rows"
	cmp -s by_perf by_pk || complain "$1: $(diff by_perf by_pk | head -n 10)"
}

# The start of execve was not recorded. A call that ends its task has no exit, for which perf waits.
recording syscalls.rawsys.data
pk-span -q syscalls "$file" >spans.pk
perf trace -s -i data 2>&1 | perl -ne '
	$tid = $1 if /^ .* \((\d+)\), \d+ events/;
	print "$tid $1 $2 $3 $4 $5 $6 $7\n" if /^   (\w+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +[\d.]+%/' |
	grep -v ' execve ' | sort >by_perf
rows 'printf "%s %s %s %s %.3f %.3f %.3f %.3f\n", @F[8, 9, 1, 2], map { $_ / 1e6 } @F[3 .. 6]' syscalls --by tid,call |
	grep -v ' exit_group ' >by_pk
equal "perf trace -s" 20

recording threads.sched.a.data
perf sched map -i data 2>err >by_perf
pk-script -q --view map "$file" >by_pk
# perf 7 has columns only for the processors that it has seen.
[ "$perf_version" -lt 7 ] || sed -i -E 's/ +/ /g' by_perf by_pk
equal "perf sched map" 500
pk-span -q sched "$file" >spans.pk
# perf also counts runs whose start was not recorded, which pk-span counts as ends without a start. perf 6 has a task -1 with the last runs of
# tasks that have ended, perf 7 forgets all their runs.
perf sched timehist -s -i data 2>err |
	perl -ne 'print "$1 $2 $3 $4 $5 $6\n" if /\[(-?\d+)(?:\/\d+)?\] +\S+ +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) /' | sort >by_perf
rows 'printf "%d %d %.3f %.3f %.3f %.3f\n", @F[8, 2], map { int($_ / 1e3) / 1e3 } @F[3 .. 6]' sched-timehist-summary >by_pk
sum() { awk '{ n += $2 } END { print n }' "$1"; }
unstarted=$(pk-span -v sched "$file" 2>&1 >/dev/null | sed -n '/pk:run$/,/pk:delay$/s/^pk-span: *\([0-9]*\) ends\? without a start$/\1/p')
[ "$perf_version" -ge 7 ] || [ $(($(sum by_perf) - $(sum by_pk))) = "$unstarted" ] || complain "perf sched timehist -s: not $unstarted more runs: $(diff by_perf by_pk)"
join by_perf by_pk | awk '$2 == $7 { equal++; if ($3 != $8 || $4 != $9 || $5 != $10 || $6 != $11) print } END { if (equal < 5) print "few rows" }' >differ
[ ! -s differ ] || complain "perf sched timehist -s: $(cat differ)"
# perf adds a delay of 0 to tasks that it has not seen before. perf 6 ignores the delay of tasks that were preempted.
counted='!(prev_state == 256)'
[ "$perf_version" -lt 7 ] || counted=1
perf sched latency -p -i data 2>err | perl -ne '
	next unless /^  \S.*?:(\d+) *\| *[\d.]+ ms \| *(\d+) \| avg: *([\d.]+) ms \| max: *([\d.]+) ms \|.*max end: *([\d.]+)/;
	print "$1 $4 $5 $2 $3\n" if $5 > 0' | sort >all
rows 'printf "%s %.3f %d.%06d %s %.3f\n", $F[7], $F[5] / 1e6, $F[6] / 1e9, $F[6] / 1e3 % 1e6, $F[2], $F[4] / 1e6' \
	sched-delay --by trace.pid --where "$counted" >found
cut -d ' ' -f 1-3 all >by_perf
cut -d ' ' -f 1-3 found >by_pk
equal "perf sched latency" 10
join all found | awk '{ more = $4 - $8; sum = $4 * $5 - $8 * $9 }
	more < 0 || more > 1 || sum > 0.001 * ($4 + 1) || sum < -0.001 * ($4 + 1)' >differ
[ ! -s differ ] || complain "perf sched latency: $(cat differ)"

# perf counts a ping-pong again if memory is released again.
recording kmem.data
pk-span -q kmem "$file" >spans.pk
perf kmem -i data --caller --raw-ip --slab stat 2>err |
	perl -ne 'next unless m{^ 0x([0-9a-f]+) +\| +(\d+)/\d+ +\| +(\d+)/\d+ +\| +(\d+) +\| +(\d+) }; print "$1 $2 $3 $4 $5\n"' | sort >all
rows 'printf "%s %s %s %s %s\n", $F[7] =~ s{^0x}{}r, @F[1 .. 4]' kmem >found
cut -d ' ' -f 1-4 all >by_perf
cut -d ' ' -f 1-4 found >by_pk
equal "perf kmem stat" 30
join all found | awk '$5 < $9' >differ
[ ! -s differ ] || complain "perf kmem stat: ping-pongs: $(cat differ)"
exit $status
