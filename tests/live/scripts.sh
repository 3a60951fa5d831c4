# SPDX-License-Identifier: BSD-2-Clause
# long
# The lines of docs/scripts.md print what perf's scripts print. tests/data/scripts/ has recordings, and what the scripts of perf 6.1 have
# printed for them. Where perf and its scripts are installed, they run on a new recording, too.
# PK_PERF_TEXTS=DIR: writes the texts of perf for the stored recordings there.
without_recording=1
. "$PK_TOP/tests/live/record.bash"
data=$PK_TOP/tests/data/scripts
perf_scripts=/usr/lib/perf-core/scripts
failed=0

complain()
{
	echo "$*"
	failed=1
}

# ---- Recordings ----

part()
{
	pk-filter -q "${@:2}" trace.pk -o "$1.pk" || fail "pk-filter: $1.pk"
}

# The recordings that the lines name, of trace.pk and samples.pk.
parts()
{
	part calls -e 'raw_syscalls:*'
	part rw -e 'syscalls:sys_*_read' -e 'syscalls:sys_*_write'
	part sched -e 'sched:*'
	part futex -e 'syscalls:sys_*_futex'
	part net -e 'net:*' -e 'skb:*'
	part drops -e skb:kfree_skb
	part tasks -e none
	cp samples.pk app.pk
}

# ---- perf ----

# script NAME RECORDING FILE SED [ARGUMENT]: the text of a script of perf, corrected with sed
script()
{
	sed -e "$4" "$perf_scripts/$3" >"${3##*/}"
	perf script -i "$2" -s "${3##*/}" "${@:5}" >"$1.txt" 2>script.err || complain "perf script: $1: $(tail -n 3 script.err)"
}

by_perf()
{
	script failed-syscalls calls.pk perl/failed-syscalls.pl ''
	script rw-by-file rw.pk perl/rw-by-file.pl '' python3
	script rw-by-pid rw.pk perl/rw-by-pid.pl ''
	script rwtop rw.pk perl/rwtop.pl ''
	script sctop calls.pk python/sctop.py 's/thread.start_new_thread.*/pass/; s/time.sleep.*/return/; $a def trace_end(): print_syscall_totals(3)'
	script syscall-counts calls.pk python/syscall-counts.py ''
	script netdev-times net.pk python/netdev-times.py 's/\(def skb__consume_skb(.*skbaddr\)):/\1, *rest):/
		/^def skb__kfree_skb/,/:$/s/skbaddr, protocol, location):/skbaddr, location, rx_sk, protocol, *rest):/'
	script net_dropmonitor drops.pk python/net_dropmonitor.py 's/location, protocol):/location, *rest):/; s|/proc/kallsyms|kallsyms|'
	script wakeup-latency sched.pk perl/wakeup-latency.pl "s/\\\$prio, \\\$success, /\$prio, /"
	script futex-contention futex.pk python/futex-contention.py ''
	rm -f perf.db
	script event_analyzing app.pk python/event_analyzing_sample.py 's|/dev/shm/perf.db|perf.db|'
	perf script -i work.pk >workqueue-stats.txt 2>/dev/null
	perf script -i sched.pk >sched-migration.txt 2>/dev/null
	perf script --show-task-events -i tasks.pk >twatch.txt 2>/dev/null
}

# The rows in a text of perf: the number of the line of the document, and the columns of that line.
rows_of_perf()
{
	case $1 in
	failed-syscalls) awk 'NF == 2 && $2 ~ /^[0-9]+$/ { print 1, $2, $1 }' ;;
	rw-by-file) awk '/^unhandled/ { exit } /^file/ { kind = $2 } NF == 3 && $1 ~ /^[0-9]+$/ { print 1, $2, $3, "syscalls:sys_enter_" kind, $1 }' ;;
	rw-by-pid | rwtop) awk '/^unhandled/ { exit } /^read/ { part = 1 } /^write/ { part = 2 } /^failed/ { part = 3; kind = $2 == "reads" ? "read" : "write" }
		$1 !~ /^[0-9]+$/ { next }
		part == 1 { print 1, $3, $4, $5, $2, $1 }
		part == 2 { print 2, $3, $4, $2, $1 }
		part == 3 { print 3, $4, "syscalls:sys_exit_" kind, $1, $2, $3 }' ;;
	sctop | syscall-counts) awk '/^[0-9]+ +[0-9]+$/ { print 1, $2, $1; if (counts) print 2, $2 }' counts="$([ $1 = sctop ] || echo 1)" ;;
	netdev-times) awk '/sec .*msec/ { gsub(/m?sec/, ""); print 3, $1, $2, $3, $4 }' ;;
	net_dropmonitor) awk '$3 ~ /^[0-9]+$/ { printf "1 %d %s+0x%x\n", $3, $1, $2 }' ;;
	workqueue-stats) awk '/queue_work:|execute_start:/ { sub(/.*\[/, ""); queued = /queue_work/; sub(/ .*function[= ]/, " "); n[$1 " " $2, queued]++; key[$1 " " $2] }
		END { for (k in key) { sub(/\]/, "", k); print 1, n[k, 1] + 0, n[k, 0] + 0, k } }' FS='[] ]+' ;;
	wakeup-latency) awk -F ': ' '/_(latency|wakeups)/ && NF == 2 { value[++n] = $2 } END { print 1, value[1], value[2], value[3], value[4] }' ;;
	sched-migration) sed -nE 's/.*sched_migrate_task: comm=(.*) pid=.* orig_cpu=([0-9]+) dest_cpu=([0-9]+)$/\1 \2 \3/p' | sort | uniq -c | sed 's/^/1 /' ;;
	futex-contention) sed -nE 's/^(.*)\[([0-9]+)\] lock ([0-9a-f]+) contended ([0-9]+) times, .*max: ([0-9]+) ns, min ([0-9]+) ns.*/1 \4 \5 \6 \1 \2 0x\3/p' ;;
	event_analyzing) awk '/pebs_ll/ { exit } $2 == "number" { part++ } $2 ~ /^[0-9]+$/ { sub(/Unknown_symbol/, "[unknown]"); print part, $2, $1 }' ;;
	twatch) sed -nE 'h; s/.*PERF_RECORD_(COMM|FORK|EXIT)( exec)?:? ?(.*)/1 \1 \3/p; g; s/.*PERF_RECORD_COMM( exec)?: ?(.*):([0-9/]+)$/2 COMM \3 \2/p
		s/.*PERF_RECORD_(FORK|EXIT)\(([0-9]+):([0-9]+)\):\(([0-9]+):([0-9]+)\)/2 \1 \2\/\3 of \4\/\5/p' ;;
	esac
}

# ---- pk ----

lines_of()
{
	awk -v name="## $1" '/^## / { inside = $0 == name } inside && sub(/^    \$ /, "") && !/^pk-record/' "$PK_TOP/docs/scripts.md"
}

# rows_of_pk NAME: the rows that the lines of the document print, in the form of rows_of_perf
rows_of_pk()
{
	local line number=0
	while read -r line; do
		number=$((number + 1))
		line=${line/examples\//$PK_TOP/examples/}
		case $line in
		*net_dropmonitor.py*) line+=' kallsyms' ;;
		esac
		bash -c "set -o pipefail; $line" >out 2>line.err || complain "$1: $line: $(tail -n 3 line.err)"
		awk -v n=$number '!/^#/ && NF { gsub(/ - /, " 0 "); $1 = $1; print n, $0 }' out
	done < <(lines_of "$1")
}

# What pk prints, but perf does not.
without()
{
	case $1 in
	syscall-counts) awk '$1 == 2 { print $1, $2; next } 1' ;;
	# The time until a packet through lo is received, where perf has the time until it is freed.
	netdev-times) sed -E 's/ m?s\b//g; s/^2 /3 /' | cut -d ' ' -f -5 ;;
	rw-by-pid) perl -MErrno -pe 's/\b(E[A-Z0-9]+)$/-Errno->can($1)->()/e' ;;
	wakeup-latency) awk '{ $3 = int($3); $NF = ""; print }' ;;
	futex-contention) awk '{ $3 = ""; print }' ;;
	event_analyzing) awk '$1 == 2 { $3 = "" } 1' ;;
	twatch) sed -E 's/^1 .*PERF_RECORD_(COMM|FORK|EXIT)( exec)?:? ?(.*)/1 \1 \3/' ;;
	*) cat ;;
	esac
}

normal()
{
	sed -E 's/ +/ /g; s/ $//' | grep "^[${lines:-1-9}] " | sort
}

# compare LEAST NAME...: the rows are equal, at least so many
compare()
{
	local least=$1 name
	for name in "${@:2}"; do
		rows_of_perf $name <$texts/$name.txt | normal >by_perf
		rows_of_pk $name | without $name | normal >by_pk
		[ $name != netdev-times ] || { comm -12 by_perf by_pk >both && mv both by_pk; } # perf sees only some freed
		[ "$(wc -l <by_perf)" -ge "$least" ] || complain "$name: only $(wc -l <by_perf) rows of perf"
		cmp -s by_perf by_pk || complain "$name: rows of perf, and of pk:" "$(diff by_perf by_pk | head -n 10)"
	done
}

compare_stored()
{
	compare 2 failed-syscalls rw-by-file rw-by-pid rwtop sctop syscall-counts
	compare 1 wakeup-latency sched-migration futex-contention
	compare 3 workqueue-stats
	compare 5 netdev-times twatch
	compare 2 net_dropmonitor
	compare 20 event_analyzing
}

# ---- The stored recordings ----

if [ ! -e "$PK_BUILD/python/pkstream/_pkstream.abi3.so" ]; then
	skip "the extension of Python is not built: python3 lacks its headers of C (python3-dev)"
fi
case $PK_SAN in
*address*) # only the programs, and not their Python
	skip "the sanitizer does not run in the interpreter: live/python_api tests that" ;;
esac
export PYTHONPATH=$PK_BUILD/python PYTHONDONTWRITEBYTECODE=1
for f in trace samples work; do
	zstd -qd "$data/$f.pk.zst" -o $f.pk
done
cp "$data/kallsyms" .
parts
texts=$data
compare_stored
if ! perf version >/dev/null 2>&1 || [ ! -e $perf_scripts/perl/rwtop.pl ]; then
	echo "no perf with its scripts: compared with its stored texts only" >&2
	exit $failed
fi

[ -z "${PK_PERF_TEXTS-}" ] || {
	by_perf
	cp ./*.txt "$PK_PERF_TEXTS"
}

# ---- A new recording ----

events='raw_syscalls:*,sched:sched_switch,sched:sched_wakeup,sched:sched_migrate_task,net:net_dev_queue,net:net_dev_xmit'
events+=,net:netif_receive_skb,skb:consume_skb,skb:kfree_skb,skb:skb_copy_datagram_iovec
for f in read write futex; do events+=,syscalls:sys_enter_$f,syscalls:sys_exit_$f; done
python=$(python3 -c 'import sys; print(sys.executable)')
if pk-record -q -m 4M -e "$events" -o trace.pk -- "$python" -S -E "$PK_TOP/tests/live/scripts_load.py" 2>err; then
	pk-record -q -F 5000 -- "$python" -S -E "$PK_TOP/tests/live/scripts_load.py" 2>err | pk-symbolize -q -o samples.pk 2>err
	parts
	texts=.
	cp /proc/kallsyms .
	by_perf
	compare 2 failed-syscalls rw-by-file rw-by-pid rwtop sctop syscall-counts
	# Not wakeup-latency: perf has no switches to the tasks of a command, pk-record records them.
	compare 0 sched-migration futex-contention netdev-times net_dropmonitor
	compare 5 twatch
	# perf looks names up in the files of this machine, pk-symbolize did: functions can have several.
	lines=13 compare 2 event_analyzing
else
	echo "no new recording: $(head -n 1 err)" >&2
fi
exit $failed
