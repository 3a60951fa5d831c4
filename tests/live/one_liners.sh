# SPDX-License-Identifier: BSD-2-Clause
# PK_ONLY=PATTERN: only lines that match.
# The lines of docs/one-liners.md work, in their order. Lines that need events or rights that this machine lacks are skipped
# and reported. Lines marked as untried run on few machines: only their attr is compared, with the text after the mark.
set -u -o pipefail
. "$PK_TOP/tests/live/fake_sysfs.bash"
mkdir bin
printf '#!/bin/sh\nexec cat >/dev/null\n' >bin/flamegraph.pl
chmod +x bin/flamegraph.pl
PATH=$PWD/bin:$PATH

pk-record -q -a -e cpu-clock -o probe.pk -- true 2>err || {
	echo "recording of everything is not possible here: $(head -n 1 err)" >&2
	exit 77
}
# On a machine that idles there would be nothing to see.
"$PK_BUILD/tests/live/spinner" 1000 &
spinner=$!
trap 'kill $spinner' EXIT
lacking='no such event|not supported|no counter|no hardware|there is no tracepoint|cannot be opened|no tracepoint|uprobe|tracefs|--off-cpu: '
lacking+='|no sample is of event pk:|no field (flags|lock_addr|dev|vec)'
lacking+='|no such counter|samples lost|control group|does not give|perf: command not found'
# If two programs record the same software event, Linux 6.18 gives samples of one the id of the other's event.
lacking+='|sample of an unknown event'
# A virtual machine often has no processor's PMU, but what is said then must not hide a PMU whose name is wrong.
[ -e /sys/bus/event_source/devices/cpu ] || lacking+='|no such PMU or event as cpu: '
failed=0 tried=0 untried=0 left_out=0

complain()
{
	echo "$*"
	failed=1
}

run()
{
	timeout 60 bash -c "set -o pipefail; $1" </dev/null >out 2>err
}

# The recordings of lines that were left out, which later lines read.
makes='(>|-o )([a-z-]+\.pk)' absent=
try()
{
	local status file
	for file in $absent; do
		[[ $1 != *"$file"* || ( $1 =~ $makes && ${BASH_REMATCH[2]} = "$file" ) ]] || {
			left_out=$((left_out + 1))
			echo "left out: $1: no $file" >&2
			return
		}
	done
	run "$1"
	status=$?
	if [ $status = 0 ]; then
		tried=$((tried + 1))
	elif grep -qE "$lacking" err || ! [ -s err ]; then
		left_out=$((left_out + 1))
		[[ ! $1 =~ $makes ]] || absent+=" ${BASH_REMATCH[2]}"
		echo "left out: $1: $(head -n 1 err)" >&2
	else
		complain "$1: status $status: $(head -n 3 err)"
	fi
}

# ask LINE WORDS [MACHINE]: every event can be had, and the first has an attr with these words, apart by semicolons.
ask()
{
	local line=$1 words=$2 machine=$3 file=${1##*>} word events
	[ "$(uname -m)" = x86_64 ] || return
	if [ -n "$machine" ]; then
		[ -d "$machine" ] || fake_sysfs "$machine"
		export SYSFS_PATH=$PWD/$machine
	fi
	ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 PK_REPLACE_ALL=1 PK_ATTRS=$PWD/attrs \
		LD_PRELOAD=$PK_BUILD/tests/faults/attr_log.so run "$line"
	unset SYSFS_PATH
	events=$(pk-script --header-only "$file" 2>>err | grep '^# event' | head -n 1)
	while read -r word; do
		[[ $events == *"$word"* ]] || complain "$line: no '$word' in '$events': $(head -n 3 err)"
	done <<<"${words//; /$'\n'}"
	untried=$((untried + 1))
}

# To let go of hundreds of tracepoints takes the kernel ten seconds: all of them once, then only some.
many="-e 'syscalls:sys_enter_*'" some="-e 'syscalls:sys_enter_r*'" seen=

mark='^(.*[^ ]) +# untried( \(([a-z-]+)\))?(: (.*))?$'
while read -r line; do
	if [[ $line =~ $mark ]]; then
		[ "${BASH_REMATCH[3]}" = - ] || ask "${BASH_REMATCH[1]}" "${BASH_REMATCH[5]}" "${BASH_REMATCH[3]}"
	else
		[ -z "$seen" ] || line=${line/"$many"/"$some"}
		[[ $line != *"$many"* ]] || seen=1
		try "$line"
	fi
done < <(sed -n 's/^    \$ //p' "$PK_TOP/docs/one-liners.md" | grep -E -e "${PK_ONLY-.}")
[ $failed = 0 ] || exit 1
[ -n "${PK_ONLY-}" ] || [ $tried -gt 20 ] || {
	echo "only $tried lines could be tried" >&2
	exit 77
}
echo "$tried lines tried, $left_out left out; the attrs of $untried"
