# SPDX-License-Identifier: BSD-2-Clause
# long
# What pk-record asks of the kernel is what perf record asks for, field by field, for every row of
# attrs.table. Both run with a library that notes the attrs and lets counters be there that are not.
# What perf 6.1 asked for is kept in attrs.perf: ATTRS=perf runs perf itself instead, which takes
# minutes, ATTRS=update writes the file anew. PK_ONLY=PATTERN: only rows whose options match.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/fake_sysfs.bash"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 PK_REPLACE_ALL=1

attrs=${ATTRS-kept}
if [ "$attrs" != kept ]; then
	perf --version | grep -q ' 6\.1\.' || skip "the table is for perf 6.1"
fi
[ "$(id -u)" = 0 ] || skip "needs root"
[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
[ "$(uname -m)" = x86_64 ] || skip "the table is for x86_64"
tracepoints=
[ ! -d /sys/kernel/tracing/events/sched ] || tracepoints=1
for tree in intel hybrid amd arm; do
	fake_sysfs $tree
done

# attrs FILE COMMAND...: what the command opens, without perf's own event for BPF programs.
attrs()
{
	local file=$1
	shift
	PK_ATTRS=$PWD/$file LD_PRELOAD=$PK_BUILD/tests/faults/attr_log.so "$@" >"$file.out" 2>&1
	[ -s "$file" ] || return 1
	sed '/ flags=0x40044000 wakeup/d; s/type=0x2 config=[^ ]*/type=0x2 config=TRACEPOINT/' "$file" | sort -u >"$file.sorted"
}

# perf's attrs with what pk leaves out, or adds, for a reason.
without()
{
	local clear=0 flags=0 added=0
	case $1 in dwarf*) clear=$((0x8008)) flags=$((0x20000)) ;; esac
	case $1 in *switches) added=$((0x4000000)) ;; esac
	if [ "$1" = dummy ]; then
		sed 's/sample_type=0x1c7/sample_type=0x10187/; s/\(config=0x9 period=\)0x63 sample_type=0x10187\(.*\)702$/\10x1 sample_type=0x10087\2302/'
		return
	fi
	while read -r line; do
		for word in $line; do
			case $word in
			sample_type=*) printf 'sample_type=%#x ' $((${word#*=} & ~clear)) ;;
			flags=*) # the event that has records of maps has those of switches
				printf 'flags=%#x ' $((${word#*=} & ~flags | (${word#*=} & 0x100 ? added : 0))) ;;
			*) printf '%s ' "$word" ;;
			esac
		done
		echo
	done | sed 's/ $//'
}

# Calls a function with MACHINE, DIFFERENCE, the row's number and the options of each row.
each_row()
{
	local machine options difference row=0 words
	while IFS='|' read -r machine options difference; do
		case $machine in '#'* | '') continue ;; esac
		machine=${machine// /}
		read -ra words <<<"$options"
		unset SYSFS_PATH
		[ "$machine" = this ] || export SYSFS_PATH=$PWD/$machine
		row=$((row + 1))
		[[ $options =~ ${PK_ONLY-.} ]] || continue
		[[ -n $tracepoints || $options != *sched:* ]] || continue
		"$1" "$machine" "${difference// /}" $row "${words[@]}"
	done <"$PK_TOP/tests/live/attrs.table"
}

# perf waits for a second at its end: many of them at once.
run_perf()
{
	local row=$3
	shift 3
	attrs "perf.$row" perf record --buildid-mmap -o /dev/null "$@" -- true &
	[ $((row % 20)) != 0 ] || wait
}

# The row as it stands in attrs.perf.
keep()
{
	local row=$3
	[ "$row" != 1 ] || echo "# SPDX-License-Identifier: BSD-2-Clause"
	echo "## $1 ${*:4}"
	cat "perf.$row.sorted"
}

bad=0
compare()
{
	local machine=$1 difference=$2 row=$3
	shift 3
	rows=$row
	if ! attrs "pk.$row" pk-record -o out.pk "$@" -- true; then
		echo "$machine: pk-record $*: $(head -n 3 "pk.$row.out")"
	elif [ ! -s "perf.$row.sorted" ]; then
		echo "$machine: perf record $*: $(head -n 3 "perf.$row.out")"
	else
		without "$difference" <"perf.$row.sorted" | sort >wanted
		diff wanted "pk.$row.sorted" >difference && return
		echo "$machine: $*:"
		cat difference
	fi
	bad=$((bad + 1))
}

if [ "$attrs" = kept ]; then
	awk '/^## / { file = "perf." ++n ".sorted"; next } /^[lm]/ { print >file }' "$PK_TOP/tests/live/attrs.perf"
else
	each_row run_perf
	wait
fi
if [ "$attrs" = update ]; then
	each_row keep >"$PK_TOP/tests/live/attrs.perf"
fi
each_row compare
[ "$rows" -ge 80 ] || fail "only $rows rows"
[ $bad = 0 ] || fail "$bad of $rows differ"
[ -n "$tracepoints" ] || skip "all but the rows of tracepoints: no tracefs here"
exit 0
