# SPDX-License-Identifier: BSD-2-Clause
# long
# Conditions of pk-filter beside the filters of perf script, on recordings: the same samples.
#
# Where they differ on purpose:
#   --symbol  is the innermost function, inlined or not; perf's -S the one that is not: so without inlined ones here
#   --cpu     perf refuses -C of a stream, whose events it has not read yet then: its column of CPUs is compared instead
#   streams   perf 6.1 does not read the files of perf 7.2, and swaps pid and tid of big-endian streams: it gets what
#             pk-filter without conditions makes of them
. "$PK_TOP/tests/corpus/corpus.bash"
command -v perf >/dev/null && perf version >/dev/null 2>&1 || {
	echo "no perf" >&2
	exit 77
}
own=$PK_CORPUS/own
xz -dc "$own/x86_64-7.2/kallsyms.boot1.xz" >boot1
tried=0 files=0 empty=0
symbols=(--kallsyms boot1 --symfs "$own/x86_64-7.2/rootfs")

# perf reads the symbols of the kernel whenever it starts, which is most of its work: only conditions of symbols and objects
# get them.
by_perf()
{
	local with=()
	case ${1-} in -S | --dsos) with=("${symbols[@]}") ;; esac
	perf script -G --ns -F comm,pid,tid,time,event,ip "${with[@]}" -i plain.pk "$@" 2>/dev/null
}

by_pk()
{
	pk-filter -q "$@" symbolized.pk | pk-script -q -G --ns -F comm,pid,tid,time,event,ip -
}

# Blanks are of no matter, nor is the order of samples of one time.
squeeze()
{
	tr -s ' \t' ' ' | sed 's/ $//' | sort
}

# compare OPTIONS OF PERF -- OPTIONS OF PK-FILTER
compare()
{
	local perf=()
	while [ "$1" != -- ]; do
		perf+=("$1")
		shift
	done
	shift
	by_perf "${perf[@]}" | squeeze >expected
	by_pk "$@" | squeeze >folded
	tried=$((tried + 1))
	[ -s expected ] || empty=$((empty + 1))
	cmp -s expected folded && return
	complain "== $file: perf script ${perf[*]}: $(wc -l <expected), pk-filter $*: $(wc -l <folded)"
	diff expected folded | head -n 4
}

# The commonest values of a column of text made by perf, that can be given to either.
values()
{
	perf script -G --ns -i plain.pk -F "$1" 2>/dev/null | sed 's/^ *//; s/ *$//' |
		grep -vE '^$|[][,*?!:() ]' | sort | uniq -c | sort -rn | awk '{ print $2 }' | awk 'NR <= 2 || NR == 8'
}

list()
{
	paste -sd, -
}

for file in x86_64-7.2/data/{forker.fp.a,syscalls.fp.pipe,threads.fp.a,threads.sched.a.pipe,locky.pf.pipe,kmem} \
	{arm64-7.2,armhf-7.2,s390x-7.2}/data/03-pipe; do
	[ -e "$own/$file.data" ] || continue
	pk-filter -q "$own/$file.data" >plain.pk 2>/dev/null
	pk-symbolize -q --no-inline "${symbols[@]}" plain.pk >symbolized.pk 2>/dev/null
	by_perf | squeeze >expected
	by_pk | squeeze >folded
	[ -s expected ] || continue
	cmp -s expected folded || {
		complain "== $file: without conditions"
		diff expected folded | head -n 4
		continue
	}
	files=$((files + 1))
	comms=$(values comm) pids=$(values pid) tids=$(values tid)
	for comm in $comms; do compare --comms "$comm" -- --comm "$comm"; done
	for pid in $pids; do compare --pid "$pid" -- --pid "$pid"; done
	for tid in $tids; do compare --tid "$tid" -- --tid "$tid"; done
	# shellcheck disable=SC2046,SC2086
	compare --comms "$(list <<<"$comms")" -- $(printf -- '--comm %s ' $comms)
	compare --pid "$(list <<<"$pids")" -- --pid "$(list <<<"$pids")"
	compare --tid "$(list <<<"$tids")" -- --tid "$(list <<<"$tids")"
	compare --comms "${comms%%$'\n'*}" --tid "$(list <<<"$tids")" -- --comm "${comms%%$'\n'*}" --tid "$(list <<<"$tids")"
	for cpu in 0 1; do
		perf script -G --ns -F cpu,time,event,ip -i plain.pk 2>/dev/null | grep "^ *\[00$cpu\]" | squeeze >expected
		[ -s expected ] || continue
		pk-filter -q --cpu $cpu plain.pk | pk-script -q -G --ns -F cpu,time,event,ip - | squeeze >folded
		tried=$((tried + 1))
		cmp -s expected folded || complain "== $file: CPU $cpu: $(wc -l <expected) and $(wc -l <folded)"
	done
	perf script -G --ns -F time -i plain.pk 2>/dev/null | tr -d ' :' | sort -n >moments
	from=$(awk '{ t[NR] = $1 } END { print t[int(NR / 4) + 1] }' moments)
	to=$(awk '{ t[NR] = $1 } END { print t[int(NR / 2) + 1] }' moments)
	compare --time "$from,$to" -- --time "$from,$to"
	compare --time "$from," -- --time "$from,"
	compare --time ",$to" -- --time ",$to"
	case $file in x86*) ;; *) continue ;; esac
	perf script -G -F ip,sym,dso "${symbols[@]}" -i plain.pk 2>/dev/null >named
	sed -n 's/^ *[0-9a-f]* [^ ]* (\(.*\))$/\1/p' named |
		grep -v unknown | sort | uniq -c | sort -rn | awk 'NR <= 4 { print $2 }' >objects
	while read -r dso; do
		compare --dsos "$dso" -- --where "dso == \"$dso\""
		case $dso in /*) compare --dsos "${dso##*/}" -- --dso "${dso##*/}" ;; esac
	done <objects
	grep -vF '[vdso]' named |
		sed -n 's/^ *[0-9a-f]* \([A-Za-z_0-9.]*\) (.*$/\1/p' | sort | uniq -c | sort -rn | awk 'NR <= 4 || NR == 9 { print $2 }' >names
	while read -r name; do compare -S "$name" -- --symbol "$name"; done <names
	# shellcheck disable=SC2046
	[ ! -s names ] || compare -S "$(list <names)" -- $(sed 's/^/--symbol /' names)
done
echo "$tried comparisons in $files recordings, $empty of no sample"
[ $files -ge 8 ] && [ $tried -ge 120 ] && [ $empty -lt $((tried / 10)) ] || complain "too few"
exit $status
