# SPDX-License-Identifier: BSD-2-Clause
# long
# The views of pk-report for spans have the numbers of perf trace -s, perf sched latency, perf lock contention and perf kmem stat
# for the same recording.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/perf.bash"
command -v perl >/dev/null || skip "no perl"
pk-record -q -a -e sched:sched_switch -o probe.pk -- true 2>err || skip "no tracepoints of all tasks: $(head -n 1 err)"

# differences WHAT LEAST PERCENT: so many rows of by_perf, of which at most this part is not in by_pk
differences()
{
	local rows different
	rows=$(wc -l <by_perf)
	at_least "$rows" "$2" "rows of $1"
	different=$(comm -23 by_perf by_pk | wc -l)
	[ "$different" -le $((rows * $3 / 100)) ] ||
		fail "$1: $different of $rows rows are different: $(diff by_perf by_pk | head -n 10)"
}

# rows PERL FILE VIEW...: runs the code for each line of --csv of a view, with the fields in @F
rows()
{
	local code=$1 file=$2
	shift 2
	pk-report -q --csv --view "$@" "$file" 2>err | perl -F, -ane "next if \$. == 1; chomp @F; $code" | sort
}

# System calls by thread: calls, errors, total, min, avg and max. perf counts calls without a start, and execve changes the name.
pk-record -q -e syscalls -o calls.pk -- sh -c 'i=0; while [ $i -lt 50 ]; do i=$((i + 1)); [ -e /nonexistent$i ]; : </dev/null; done
	ls -l /etc | sort | wc -l' 2>err >&2 || fail "$(cat err)"
pk-span -q syscalls calls.pk >spans.pk || fail "pk-span syscalls"
pk-export perf.data -o calls.data calls.pk || fail "no file for perf"
perf trace -s -i calls.data 2>&1 | perl -ne '
	$tid = $1 if /^ .* \((\d+)\), \d+ events/;
	print "$tid $1 $2 $3 $4 $5 $6 $7\n" if /^   (\w+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +[\d.]+%/' |
	grep -v ' execve ' | sort >by_perf
rows 'printf "%s %s %s %s %.3f %.3f %.3f %.3f\n", @F[8, 9, 1, 2], map { $_ / 1e6 } @F[3 .. 6]' spans.pk syscalls --by tid,call >by_pk
differences "perf trace -s" 30 5

# Waiting for a processor, by thread. perf 6 counts no preemption on kernels whose state for it is R+. perf adds a delay of 0 for a task that it
# has not seen before; it ignores the delay after the first wakeup of some tasks, and tasks of which it has seen no switch.
# Tasks whose switches are not all in the recording are left out, such as the recorder itself, and those that were switched out while the
# recording started: perf counts a delay from their first sched_stat_runtime.
counted='!(prev_state == 256)'
[ "$perf_version" -lt 7 ] || counted=1
pk-record -q -a -e sched -o sched.pk -- sh -c 'for i in 1 2 3 4 5 6 7 8; do sleep 0.05; ls / | sort >/dev/null; done' 2>err >&2 ||
	fail "$(cat err)"
pk-script -q -F event,trace sched.pk | sed -n 's/.*sched_switch: .* prev_pid=\([0-9]*\) .* next_pid=\([0-9]*\) .*/\1 \2/p
	s/.*sched_stat_runtime: .* pid=\([0-9]*\) runtime.*/\1/p' | awk '
	NF == 1 && runs[$1] == 0 { if ($1 in runs) print $1; runs[$1] = 1 }
	NF == 1 { next }
	$1 in runs && !runs[$1] { print $1 }
	runs[$2] { print $2 }
	{ runs[$1] = 0; runs[$2] = 1 }' | sort -u >partly
pk-span -q sched sched.pk >spans.pk || fail "pk-span sched"
pk-export perf.data -o sched.data sched.pk || fail "no file for perf"
perf sched latency -p -i sched.data 2>/dev/null | perl -ne '
	next unless /^  \S.*?:(\d+) *\| *([\d.]+) ms \| *(\d+) \| avg: *([\d.]+) ms \| max: *([\d.]+) ms \|.*max end: *([\d.]+)/;
	print "$1 $2 $3 $4 $5 $6\n" if $6 > 0' | sort | join -v 1 - partly >by_perf
rows 'printf "%s %.3f %s %.3f %.3f %d.%06d\n", $F[7], $F[1] / 1e6, $F[2], $F[4] / 1e6, $F[5] / 1e6, $F[6] / 1e9, $F[6] / 1e3 % 1e6' \
	spans.pk sched-latency --by trace.pid --where "$counted" | join -v 1 - partly >by_pk
at_least "$(wc -l <by_perf)" 10 "rows of perf sched latency"
join -a 1 -a 2 by_perf by_pk | awk '
	function near(a, b, most) { return a - b <= most && b - a <= most }
	NF == 6 && ($2 == 0 || $3 == 0) || $8 == $3 + 1 && ++first <= NR / 5 + 1 || $2 == $7 && $5 == $10 && $6 == $11 &&
		($3 == $8 && near($4, $9, 0.0015) || $3 == $8 + 1 && near($3 * $4, $8 * $9, 0.001 * $3)) { next } { print }' >differ
[ ! -s differ ] || fail "perf sched latency: task, runtime, number, average, largest, its end of perf, and of pk:" "$(head -n 5 differ)"

# Runs of each thread. perf also counts runs whose start was not recorded, from the last switch on that processor: pk-span counts these
# as ends without a start. The last run of a task that has ended is one of a task -1 in perf 6; perf 7 forgets the runs of a task that has ended.
perf sched timehist -s -i sched.data 2>/dev/null |
	perl -ne 'print "$1 $2 $3 $4 $5 $6\n" if /\[(-?\d+)(?:\/\d+)?\] +\S+ +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) /' | sort >by_perf
rows 'printf "%d %d %.3f %.3f %.3f %.3f\n", @F[8, 2], map { int($_ / 1e3) / 1e3 } @F[3 .. 6]' spans.pk sched-timehist-summary >by_pk
at_least "$(wc -l <by_perf)" 10 "rows of perf sched timehist -s"
unstarted=$(pk-span -v sched sched.pk 2>&1 >/dev/null | sed -n '/pk:run$/,/pk:delay$/s/^pk-span: *\([0-9,]*\) ends\? without a start$/\1/p' | tr -d ,)
if [ "$perf_version" -ge 7 ]; then
	pk-script -q -F event,trace sched.pk | sed -n 's/.*sched_process_exit: .*pid=\([0-9]*\).*/\1/p' | sort >ended
	for file in by_perf by_pk; do join -v 1 $file ended >still && mv still $file; done
else
	[ $(($(awk '{ n += $2 } END { print n }' by_perf) - $(awk '{ n += $2 } END { print n }' by_pk))) = $((unstarted)) ] ||
		fail "perf sched timehist -s: other runs than those without a start, $unstarted: $(diff by_perf by_pk | head -n 20)"
fi
# A thread can have both: a run that perf alone counts, and a last one that perf counts as one of the task -1.
join by_perf by_pk | awk '$2 == $7 && ($3 != $8 || $4 != $9 || $5 != $10 || $6 != $11)' >differ
[ "$(wc -l <differ)" -le $((unstarted)) ] || fail "perf sched timehist -s: $(cat differ)"
[ "$(join by_perf by_pk | awk '$2 == $7' | wc -l)" -ge 5 ] || fail "perf sched timehist -s: few threads with the same number: $(diff by_perf by_pk | head -n 20)"

# Contended locks by type.
if [ -e /sys/kernel/tracing/events/lock/contention_begin ] && perf lock contention -h 2>&1 | grep -q contention; then
	cat >fight.c <<-'C'
	#include <pthread.h>
	#include <sys/mman.h>
	static void *work(void *arg)
	{
		for (int i = 0; i < 500; i++) {
			char *p = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			for (int k = 0; k < 65536; k += 4096)
				p[k] = 1;
			munmap(p, 65536);
		}
		return arg;
	}
	int main(void)
	{
		pthread_t threads[8];
		for (int i = 0; i < 8; i++)
			pthread_create(&threads[i], 0, work, 0);
		for (int i = 0; i < 8; i++)
			pthread_join(threads[i], 0);
	}
	C
	"${CC:-gcc}" -O1 -pthread -o fight fight.c || fail "no program"
	pk-record -q -a -g -e locks -o locks.pk -- ./fight 2>err || fail "$(cat err)"
	pk-span -q locks locks.pk >spans.pk || fail "pk-span locks"
	pk-export perf.data -o locks.data locks.pk || fail "no file for perf"
	perf lock contention -i locks.data 2>&1 | perl -ne '
		BEGIN { %flags = ("spinlock" => 1, "rwlock:R" => 3, "rwlock:W" => 5, "rwsem:R" => 2, "rwsem:W" => 4, "mutex" => 0) }
		next unless /^ +(\d+) +[\d.]+ \w+ +[\d.]+ \w+ +[\d.]+ \w+ +(\S+)/ && defined $flags{$2};
		$count{$flags{$2}} += $1; END { print "$_ $count{$_}\n" for keys %count }' | sort >by_perf
	# 32 is the bit of mutexes, with or without that of a spinlock.
	rows 'BEGIN { %bit = (SPIN => 1, READ => 2, WRITE => 4, MUTEX => 32) }
		$flags = 0; $flags |= $bit{$_} // 0 for split(/\|/, $F[3]);
		printf "%s %s\n", $flags & 32 ? 0 : $flags, $F[1]' spans.pk locks-addr --show samples,sum --by flags |
		awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort >by_pk
	# perf has one type for all locks of the same callers, that of the first one.
	join -a 1 -a 2 by_perf by_pk | awk '{ more = $2 - $3; all += more; if (NF != 3 || more > 3 || more < -3) print }
		END { if (all || !NR) print "all:", all }' >differ
	[ ! -s differ ] || fail "perf lock contention: type, number of perf, and of pk: $(cat differ)"

	# By caller. Without names of functions, perf's callers are the sets of the 4th to 8th address of callchains.
	perf lock contention --kallsyms /dev/null -i locks.data 2>&1 | perl -ne '
		BEGIN { %flags = ("spinlock" => 1, "rwlock:R" => 3, "rwlock:W" => 5, "rwsem:R" => 2, "rwsem:W" => 4, "mutex" => 0);
			%unit = (ns => 1, us => 1e3, ms => 1e6, s => 1e9) }
		next unless /^ +(\d+) +([\d.]+) (\w+) +([\d.]+) (\w+) +[\d.]+ \w+ +(\S+) +(\S+)/ && defined $flags{$6};
		die "named\n" if $7 ne "Unknown";
		print "$flags{$6} $1 ", $2 * $unit{$3}, " ", $4 * $unit{$5}, "\n"' 2>err | sort -k1,1n -k2,2n -k3,3g >by_perf
	pk-script -q --json spans.pk | perl -ne '
		next unless /"event":"pk:wait","period":(\d+)/;
		$time = $1;
		($flags) = /"flags":(\d+)/;
		@ips = /\{"ip":"(0x[0-9a-f]+)"/g;
		splice(@ips, 8);
		$key = join(" ", sort(splice(@ips, 3)));
		$n{$key}++;
		$sum{$key} += $time;
		$max{$key} = $time if $time > ($max{$key} // 0);
		$flags{$key} //= $flags & 32 ? 0 : $flags;
		END { print "$flags{$_} $n{$_} $sum{$_} $max{$_}\n" for keys %n }' | sort -k1,1n -k2,2n -k3,3g >by_pk
	if grep -q named err; then
		echo "not tried: callers of locks, because perf has names" >&2
	else
		at_least "$(wc -l <by_perf)" 1 "callers in perf lock contention"
		# perf identifies a caller by a hash of its addresses, so few rows may have no counterpart.
		awk '
			function near(a, b) { return a - b <= 0.006 * a + 6 && b - a <= 0.006 * a + 6 }
			NR == FNR { line[++n] = $0; next }
			{
				split($0, row)
				for (i = 1; i <= n; i++) {
					split(line[i], other)
					if (!used[i] && row[1] == other[1] && row[2] == other[2] && near(row[3], other[3]) && near(row[4], other[4])) break
				}
				if (i > n) print
				used[i] = 1
			}' by_pk by_perf >differ
		[ "$(wc -l <differ)" -le $((2 + $(wc -l <by_perf) / 10)) ] ||
			fail "perf lock contention, by caller: $(wc -l <differ) of $(wc -l <by_perf) differ: $(head -n 5 differ)"
	fi
else
	echo "not tried: locks" >&2
fi

# Allocations of the kernel by their caller.
if [ -e /sys/kernel/tracing/events/kmem/kmalloc ] && perf kmem -h 2>&1 | grep -q alloc; then
	pk-record -q -m 16M -e kmem -o kmem.pk -- ls -lR /etc >/dev/null 2>err || fail "$(cat err)"
	pk-span -q kmem kmem.pk >spans.pk || fail "pk-span kmem"
	pk-export perf.data -o kmem.data kmem.pk || fail "no file for perf"
	for by in caller alloc; do
		perf kmem -i kmem.data --$by --raw-ip --slab stat 2>err | perl -ne '
			next unless m{^ 0x([0-9a-f]+) +\| +(\d+)/\d+ +\| +(\d+)/\d+ +\| +(\d+) +\| +(\d+) }; print "$1 $2 $3 $4 $5\n"' | sort >by_perf
		view=kmem
		[ $by = caller ] || view=kmem-alloc
		rows '$F[7] = sprintf("%x", $F[7]) unless $F[7] =~ s/^0x//; printf "%s %s %s %s %s\n", @F[7, 1 .. 4]' spans.pk $view >by_pk
		at_least "$(wc -l <by_perf)" 5 "rows of perf kmem stat --$by"
		# perf counts a ping-pong again if an address is released again without an allocation in between.
		join by_perf by_pk | awk '$2 != $6 || $3 != $7 || $4 != $8 || $5 < $9' >differ
		[ ! -s differ ] || fail "perf kmem stat --$by: $(head -n 5 differ)"
		[ "$(join -v 1 by_perf by_pk | wc -l)" = 0 ] && [ "$(join -v 2 by_perf by_pk | wc -l)" = 0 ] ||
			fail "perf kmem stat --$by: other rows: $(diff by_perf by_pk | head -n 5)"
		again=$(join by_perf by_pk | awk '{ n += $5 - $9 } END { print n }')
		[ "$again" -le "$(pk-script -q -F event,time kmem.pk | grep -c free)" ] ||
			fail "perf kmem stat --$by: $again more ping-pongs"
	done
	# Pages: numbers by order and flags; those that were released, and releases alone.
	perf kmem -i kmem.data --page stat 2>err | perl -ne 'print "$1 $2\n" if /^Total (alloc\+freed|alloc-only|free-only) requests *: *(\d+)/' >by_perf
	{
		rows 'print "$F[1] $F[3]\n"' spans.pk kmem-pages | awk '{ all += $1; open += $2 }
			END { print "alloc+freed", all - open; print "alloc-only", 0 + open }'
		pk-span -v kmem kmem.pk 2>&1 >/dev/null | tr -d , | sed -n '/pk:pages$/,$s/^pk-span: *\([0-9]*\) ends\? without a start$/free-only \1/p'
	} >by_pk
	grep -v ' 0$' by_perf | diff - <(grep -v ' 0$' by_pk) >differ || fail "perf kmem stat --page: $(cat differ)"
else
	echo "not tried: allocations of the kernel" >&2
fi
exit 0
