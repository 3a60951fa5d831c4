# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of documents: runs their lines "    $ COMMAND", in their order, in one folder. Lines that need events or
# rights that this machine lacks are left out and reported, and so are those that read what such a line would have written.
set -u -o pipefail
mkdir bin
printf '#!/bin/sh\nexec cat >/dev/null\n' >bin/flamegraph.pl
chmod +x bin/flamegraph.pl
PATH=$PWD/bin:$PATH
ln -s "$PK_TOP/examples" examples

pk-record -q -a -e cpu-clock -o probe.pk -- true 2>err || {
	echo "recording of everything is not possible here: $(head -n 1 err)" >&2
	exit 77
}
# On a machine that idles there would be nothing to see. It takes no time from other tests.
nice -n 19 "$PK_BUILD/tests/live/spinner" 1000 &
spinner=$!
trap 'kill $spinner' EXIT
lacking='no such event|not supported|no counter|no hardware|there is no tracepoint|cannot be opened|no tracepoint|uprobe|tracefs|--off-cpu: '
lacking+='|no sample is of event pk:|no field (flags|lock_addr|dev|vec)'
lacking+='|failed to determine tracepoint|clang is not installed|--bpf: |bpf/bpf_helpers.h'
lacking+='|path has blanks|no such counter|samples lost|control group|does not give|perf: command not found'
# What a filter looks for need not have run.
lacking+='|the recording has no samples'
# If two programs record the same software event, Linux 6.18 gives samples of one the id of the other's event.
lacking+='|sample of an unknown event'
# Some virtual machines do not trace all switches (docs/off-cpu.md). live/offcpu tests these samples, and records again then.
lacking+='|no sample is of event offcpu-time'
# A virtual machine often has no processor's PMU, but what is said then must not hide a PMU whose name is wrong.
[ -e /sys/bus/event_source/devices/cpu ] || lacking+='|no such PMU or event as cpu: '
failed=0 tried=0 untried=0 left_out=0

complain()
{
	echo "$*"
	failed=1
}

# A program before `| head` can end by SIGPIPE (141), as it should.
run()
{
	local status
	timeout 60 bash -c "set -o pipefail; $1" </dev/null >out 2>err
	status=$?
	[[ $status != 141 || $1 != *'| head'* ]] || status=0
	return $status
}

# The recordings of lines that were left out, which later lines read.
makes='(>|-o )([a-z.-]+\.pk)' absent=
try()
{
	local status file
	for file in $absent; do
		[[ $1 != *"$file"* || ( $1 =~ $makes && ${BASH_REMATCH[2]} = "$file" ) ]] || {
			left_out=$((left_out + 1))
			[[ ! $1 =~ $makes ]] || absent+=" ${BASH_REMATCH[2]}"
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

# lines_of DOCUMENT: its commands
lines_of()
{
	sed -n 's/^    \$ //p' "$PK_TOP/docs/$1" | grep -E -e "${PK_ONLY-.}"
}

# enough N: fewer lines than these are no test
enough()
{
	[ $failed = 0 ] || exit 1
	[ -n "${PK_ONLY-}" ] || [ $tried -ge "$1" ] || {
		echo "only $tried lines could be tried" >&2
		exit 77
	}
}
