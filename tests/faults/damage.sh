# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# A small stream, raw and symbolized, cut at every byte, with every bit flipped, with a stdout that
# is full or closed, and with every allocation failing: what was whole is written, what is wrong is
# said, and nothing crashes, hangs or goes missing without a word.
set -u
drive=$PK_BUILD/tests/faults/drive_damage shim=$PK_BUILD/tests/faults/no_memory.so
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0
bad=0

cp "$PK_TOP/format/vectors/good/like-perf-le.pk" raw.pk
pk-symbolize -q --kallsyms=/dev/null raw.pk >symbolized.pk || exit

# damage CASE[:STRIDE] STREAM TOOL [OPTION...]
damage()
{
	"$drive" "$1" "$2" "$shim" "${@:3}"
	case $? in
	0) ;;
	77) echo "$3: $1 left out" ;;
	*) bad=1 ;;
	esac
}

# Sanitizers make programs start slowly: only some of the damage then.
every=${PK_SAN:+:7} few=${PK_SAN:+:61}
for stream in raw.pk symbolized.pk; do
	for case in "cut$every" "full$every" pipe "memory$every"; do
		damage "$case" $stream pk-symbolize -q --kallsyms=/dev/null
		damage "$case" $stream pk-filter -q
		damage "$case" $stream pk-script -q --dump
		damage "$case" $stream pk-fold -q --weight=samples
	done
	damage "flip$few" $stream pk-script --dump
	damage "flip$few" $stream pk-fold --weight=samples
done
damage "flip$few" raw.pk pk-symbolize --kallsyms=/dev/null
damage "flip${few:-:5}" symbolized.pk pk-symbolize --kallsyms=/dev/null # passes it on, like the next
damage "flip${few:-:5}" symbolized.pk pk-filter
exit $bad
