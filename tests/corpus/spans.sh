# SPDX-License-Identifier: BSD-2-Clause
# Spans of recordings of both byte orders and word sizes, compared with those of spans.pl, and read by perf.
. "$PK_TOP/tests/corpus/corpus.bash"
files=0

# try FILE FIELDS START START_KEY END END_KEY OPTION...: FIELDS of the span are the key
try()
{
	local file=$PK_CORPUS/own/${1/\//\/data\/} fields=$2
	[ -f "$file" ] || return
	files=$((files + 1))
	pk-script -q --ns -F tid,cpu,time,event,trace "$file" 2>/dev/null | perl "$PK_TOP/tests/corpus/spans.pl" "${@:3:4}" >expected
	pk-span -v "${@:7}" "$file" >out.pk 2>err
	pk-script -q -F event,trace out.pk | perl -ne '
		BEGIN { @fields = split(/,/, shift) }
		next unless /^\s*pk:span:/;
		my %is = /(\w+)=(\S*)/g;
		print join(" ", @is{"start", "duration", @fields}), "\n"' "$fields" >folded
	cmp -s expected folded || {
		complain "== $1: $(wc -l <expected) spans expected, $(wc -l <folded) found"
		diff expected folded | head -n 10
	}
	[ -s expected ] || complain "$1: there are no spans"
	sed -n -E 's/^pk-span:  +//p' err | tr -d , | awk '/ starts$/ { all = $1 } / spans$|never ended$|open at the end$|open spans? dropped|during an open span$|cancelled$|task ended$/ { sum += $1 }
		END { exit sum != all || !all }' || complain "$1: the numbers do not add up: $(cat err)"
	! command -v perf >/dev/null || perf_reads "$1"
}

# perf prints the same text of spans.
perf_reads()
{
	case $1 in
	*defer*) return ;; # perf 6.1 stops
	esac
	perf script -i - -F event,trace <out.pk 2>err | sed -n -E 's/^ *pk:span: *//p' >by_perf
	pk-script -q -F event,trace out.pk | sed -n -E 's/^ *pk:span: *//p' >by_pk
	cmp -s by_perf by_pk || {
		complain "$1: perf script prints $(wc -l <by_perf) spans, pk-script $(wc -l <by_pk): $(tail -n 1 err)"
		diff by_perf by_pk | head -n 4
	}
}

switch=(--start sched_switch --end sched_switch --key prev_pid=next_pid)
keys=('prev_pid=(\d+)' 'sched:sched_switch' 'next_pid=(\d+)')
try x86_64-7.2/threads.sched.a.data prev_pid sched:sched_switch "${keys[@]}" "${switch[@]}"
try x86_64-7.2/threads.sched.a.pipe.data prev_pid sched:sched_switch "${keys[@]}" "${switch[@]}"
try x86_64-7.2/syscalls.rawsys.data tid,id raw_syscalls:sys_enter '(?=.*tid=(\d+)).*NR (\d+)' raw_syscalls:sys_exit '(?=.*tid=(\d+)).*NR (\d+)' \
	--start sys_enter --end sys_exit --key tid,id
try x86_64-7.2/kmem.data ptr 'kmem:kmalloc|kmem:kmem_cache_alloc' 'ptr=(\S+)' 'kmem:kfree|kmem:kmem_cache_free' 'ptr=(\S+)' \
	--start kmalloc --start kmem_cache_alloc --end kfree --end kmem_cache_free --key ptr
try s390x-7.2/08-tp.data prev_pid sched:sched_switch "${keys[@]}" "${switch[@]}"
try s390x-6.1/08-tp.data prev_pid sched:sched_switch "${keys[@]}" "${switch[@]}"
try armhf-7.2/08-tp.data prev_pid sched:sched_switch "${keys[@]}" "${switch[@]}"
[ $files -ge 5 ] || complain "only $files recordings"
exit $status
