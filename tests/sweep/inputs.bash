# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests that sweep. `sweep [OPTION...] PROGRAM [ARGUMENT...]` runs tests/sweep with the
# options of $SWEEP_OPTIONS; sweep_program PROGRAM runs the lines of tests/sweep/PROGRAM.bash, which
# name the inputs made here: $raw, $symbolized, ... (absolute, since each run has a directory of its own).
[ -z "$PK_SAN" ] || {
	echo "the sanitizers have an allocator of their own, which cannot be made to fail" >&2
	exit 77
}
. "$PK_TOP/tests/cli/stream.bash"
vectors=$PK_TOP/format/vectors/good data=$PK_TOP/tests/data
here=$PWD
swept=0 bad=0

# The options of the next line; tests/faults/sweep.sh has its own function.
sweep_options()
{
	echo "${SWEEP_OPTIONS-}"
}

sweep()
{
	local status
	swept=$((swept + 1))
	# shellcheck disable=SC2046 # options
	"$PK_BUILD/tests/sweep/sweep" $(sweep_options) "$@"
	status=$?
	case $status in
	0) ;;
	77) exit 77 ;;
	*) bad=1 ;;
	esac
}

sweep_program()
{
	local before=$swept
	cd "$here" || exit
	if [ -e "$PK_TOP/tests/sweep/$1.bash" ]; then
		. "$PK_TOP/tests/sweep/$1.bash"
	fi
	[ $swept -gt $before ] || {
		echo "tests/sweep/$1.bash: sweeps nothing"
		bad=1
	}
}

# nums WIDTHS VALUE...: little-endian numbers, for files that are not streams: nums 448 1 2 3
nums()
{
	local widths=$1 i
	shift
	while [ -n "$widths" ]; do
		for ((i = 0; i < ${widths:0:1}; i++)); do
			# shellcheck disable=SC2059 # escapes on purpose
			printf "\\x$(printf '%02x' $(($1 >> 8 * i & 255)))"
		done
		shift
		widths=${widths:1}
	done
}

# A recording of perf record --threads: of one event with IP and TIME, two files of two samples.
make_directory()
{
	local i
	mkdir -p "$1"
	{
		printf PERFILE2
		nums 8888888 104 80 104 80 192 8 0
		nums 88888 0 $((1 << 31 | 1 << 3)) 0 0 0 # DIR_FORMAT and one more
		nums 4488888448 1 64 0 1000 5 0 $((1 << 18)) 0 0 0
		nums 888 184 8 7
		nums 422 82 0 8
		nums 88 232 8
		nums 88 240 8
		nums 448 4 0 1
	} >"$1/data"
	for i in 0 1; do
		{
			nums 42288 9 2 24 0x1000 $((10 + i))
			nums 42288 9 2 24 0x2000 $((20 + i))
		} >"$1/data.$i"
	done
}

raw=$vectors/like-perf-le.pk
symbolized=$here/symbolized.pk
pk-symbolize -q --no-cache --kallsyms=/dev/null "$raw" >"$symbolized" || exit
folder=$here/folder
make_directory "$folder"
# Samples of an existing program: in the loop, the call and the separate part of a function.
root=$here/root
mkdir -p "$root/src"
cp "$data/annotate/list" "$data/annotate/list.c" "$root/src"
{
	header
	event 1 7
	name 7 cycles
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
	for address in 0x110 0x113 0x116 0x119 0x12f 0x153 0x158 0xf2; do
		sample 7 5 $((0x400000 + address))
	done
} | assemble >list.pk
list=$here/list.pk listed=$here/listed.pk
pk-symbolize -q --no-cache --kallsyms=/dev/null --symfs="$root" "$list" >"$listed" || exit
{
	header
	event 1 7
	comm 5 5 prog
	echo 'SWITCH trailer.pid=5 trailer.tid=6 trailer.time=20' # also runs
	sample 7 5 0x1000 1 30
	sample 7 6 0x2000 1 40
} | assemble >latency.pk
latency=$here/latency.pk
# Tracepoints, of a recording that is cut after its first samples but ends at a record.
zstd -qdc "$data/arm64.pk.zst" >arm64.pk
pk-filter -q --head=20 -o tracepoints.pk arm64.pk || exit
tracepoints=$here/tracepoints.pk
cp "$raw" uncompressed.pk && zstd -q -f "$symbolized" -o compressed.pk.zst || exit
compressed=$here/compressed.pk.zst
printf 'a key of more than sixteen bytes' >key
key=$here/key
