# SPDX-License-Identifier: BSD-2-Clause
# A chain of 3,000 calls, defined in 600 KB, with a sample of each function in it: 4,500,000 frames. What a tail writes
# is bounded by the size of the input, and so is its memory; what is cut is reported. tests/long/growth.sh measures more.
. "$PK_TOP/tests/cli/cost.bash"
. "$PK_TOP/tests/cli/stream.bash"
exec 2>&1
perl "$PK_TOP/tests/long/growth.pl" depth 3000 | assemble >depth.pk
size=$(stat -c %s depth.pk)
# bound PROGRAM ARGUMENT...: in 200 MiB; at most 4 MiB, and 160 bytes for each byte of the input. Prints the number of
# messages about what is cut.
bound()
{
	local bytes
	bounded 20 200 "$@" depth.pk >out 2>messages
	bytes=$(stat -c %s out)
	tail -n 1 out | grep -a ': status'
	[ "$bytes" -gt 0 ] && [ "$bytes" -le $(((4 << 20) + 160 * size)) ] || echo "$*: $bytes bytes for $size"
	echo "$*: $(grep -c 'cut\|only their\|too large\|too long' messages)"
}
bound pk-fold
bound pk-fold --reverse
bound pk-plot flame --reverse
bound pk-script
bound pk-script --json
bound pk-report -g flat,0
bound pk-export speedscope
bound pk-export rows
bound pk-export otlp
bound pk-export callgrind
bound pk-export pprof
# The stack of 2,000 frames in 2,000 threads.
perl "$PK_TOP/tests/long/growth.pl" deepgroups 2000 | assemble >depth.pk
size=$(stat -c %s depth.pk)
bound pk-fold --by tid
bound pk-report --by tid,symbol
bound pk-report -g graph,0 --by tid
bound pk-plot chart
