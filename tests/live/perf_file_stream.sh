# SPDX-License-Identifier: BSD-2-Clause
# long
# Recordings by the perf at hand, in a file and in a directory: what pk-filter makes of them is, to perf and
# to pk, the same recording.
status=0
complain()
{
	echo "$*"
	status=1
}

perf record --no-bpf-event -e cpu-clock -g -o file -- true >log 2>&1 || {
	echo "perf cannot record here: $(grep . log | head -n 1)" >&2
	exit 77
}
work='i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done'

# record NAME OPTION...: perf 6.1 does not survive maps with build-ids that it has not requested, which Linux 6.18 writes while
# somebody else requests them (SPEC 3.5). It survives them if it requests them itself.
record()
{
	local name=$1 option
	shift
	for option in '' --buildid-mmap; do
		# shellcheck disable=SC2086 # no word, or one
		perf record --no-bpf-event $option -e cpu-clock "$@" -o $name -- bash -c "$work" && perf script -i $name >/dev/null && return
		rm -rf $name
	done >log 2>&1
}

files=()
compare()
{
	[ -e "$1" ] || {
		complain "$1: perf record: $(tail -n 1 log)"
		return
	}
	pk-filter -q "$1" >stream 2>err || complain "$1: pk-filter: $(cat err)"
	perf script -i "$1" "${files[@]}" >expected 2>err
	[ -s expected ] || complain "$1: perf: $(cat err)"
	perf script -i - "${files[@]}" <stream >found 2>err
	cmp -s expected found || {
		complain "$1: perf reads another stream: $(tail -n 1 err)"
		diff expected found | head -n 10
	}
	perf report --stdio -i - <stream >found 2>err || complain "$1: perf report: $(tail -n 1 err)"
	pk-symbolize -q "${files[@]}" "$1" | pk-fold -q >expected 2>err
	[ -s expected ] || complain "$1: pk: $(cat err)"
	pk-symbolize -q "${files[@]}" <stream | pk-fold -q >found
	cmp -s expected found || complain "$1: folded differently as a stream"
	# shellcheck disable=SC2002 # a pipe is what is meant
	[ -d "$1" ] || cat "$1" | pk-symbolize -q | pk-fold -q >found
	cmp -s expected found || complain "$1: folded differently from a pipe"
}

record file -F 999 -g
compare file
record two -e page-faults -F 999
compare two
record compressed -z -F 999 -g
compare compressed
# Files of threads need a recording by cpu.
# Programs of others can be gone when they are looked up again.
mkdir none
files=(--symfs="$PWD/none")
record folder --threads -a -F 499 -g
if [ -d folder ]; then
	compare folder
	samples=$(perf script -i folder -F comm,tid,time,event 2>/dev/null | grep -c cpu-clock)
	pk-script --stats --json folder 2>/dev/null | grep -q "\"samples\":$samples," ||
		complain "folder: perf has $samples samples, we: $(pk-script --stats folder 2>&1 | grep cpu-clock)"
fi
exit $status
