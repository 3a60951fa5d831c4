# SPDX-License-Identifier: BSD-2-Clause
# Programs that look up functions of a recording in a file print what they print of it after pk-symbolize: whole stacks.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
mkdir -p root/tmp
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	name 7 cycles
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
	sample_of user 7 5 0x400113 cpu=0 period=100 nr=2 'ips[0]=0x400113' 'ips[1]=0x400158'
	sample_of user 7 5 0x4000f2 cpu=0 period=100 nr=2 'ips[0]=0x4000f2' 'ips[1]=0x400158'
} | assemble >raw.pk
pk-symbolize -q --lines --symfs=root raw.pk >symbolized.pk
while read -r program options; do
	# shellcheck disable=SC2086 # words
	$program $options --symfs=root raw.pk >raw.out 2>/dev/null
	# shellcheck disable=SC2086
	$program $options --symfs=root symbolized.pk >symbolized.out 2>/dev/null
	cmp raw.out symbolized.out && echo "$program $options: $(grep -ac _start raw.out) lines with the caller"
done <<'T'
pk-export rows --by none
pk-export callgrind
pk-export firefox
pk-export speedscope
pk-fold
pk-plot flame
pk-report -g caller --by symbol
T
