# SPDX-License-Identifier: BSD-2-Clause
# long
# timeout: 900
# A small stream, raw and symbolized, cut at many bytes (with PK_ALL=1: at each byte), with bits flipped, with a stdout
# that is full or closed: what was whole is written, what is wrong is said, and nothing crashes, hangs or goes missing
# without a word.
set -u
drive=$PK_BUILD/tests/faults/drive_damage
bad=0

cp "$PK_TOP/format/vectors/good/like-perf-le.pk" raw.pk
pk-symbolize -q --kallsyms=/dev/null raw.pk >symbolized.pk || exit

# damage CASE[:STRIDE] STREAM TOOL [OPTION...]
damage()
{
	"$drive" "$@" || bad=1
}

# Only some of the damage; tests/long/damage.sh tries each byte and bit. The strides have no factor in common with the sizes of
# fields and with the nine damages of a byte, so that all parts of both are hit.
every=:11 few=:97
[ -z "${PK_ALL-}" ] || every='' few=''
for stream in raw.pk symbolized.pk; do
	for case in "cut$every" "full$every" pipe; do
		damage "$case" $stream pk-symbolize -q --kallsyms=/dev/null
		damage "$case" $stream pk-filter -q
		damage "$case" $stream pk-script -q --dump
		damage "$case" $stream pk-fold -q --kallsyms=/dev/null --weight=samples
	done
	damage "flip$few" $stream pk-script --dump
	damage "flip$few" $stream pk-fold --kallsyms=/dev/null --weight=samples
done
damage "flip$few" raw.pk pk-symbolize --kallsyms=/dev/null
damage "flip$few" symbolized.pk pk-symbolize --kallsyms=/dev/null # passes it on, like the next
damage "flip$few" symbolized.pk pk-filter

# Stages that look closer; the conditions hold of all samples.
. "$PK_TOP/tests/cli/stream.bash"
cp "$PK_TOP/format/vectors/good/kernel-deferred-le.pk" deferred.pk
cp "$PK_TOP/format/vectors/good/sample-stacks-le.pk" stacks.pk
{
	header
	event 1 7
	comm 5 5 prog
	echo 'SWITCH trailer.pid=5 trailer.tid=6 trailer.time=20' # runs, too
	sample 7 5 0x1000 1 30
	sample 7 6 0x2000 1 40
} | assemble >latency.pk
mkdir -p root/src
cp "$PK_TOP/tests/data/annotate/list" root/src
{
	header
	event 1 7
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
	sample 7 5 0x400110
	sample 7 5 0x400153
	sample 7 5 0x4000f2
} | assemble | pk-symbolize -q --symfs=root >heat.pk
some=${every:-:3}
for case in "cut$some" "full$some" pipe; do
	damage "$case" raw.pk pk-filter -q --pid='!7' --comm='*' --where='ip && mode ~ "*"'
	damage "$case" symbolized.pk pk-filter -q --stack-has='*' --symbol='*' --every=1
	damage "$case" raw.pk pk-filter -q --drop=callchain,raw --time=+0,
	damage "$case" symbolized.pk pk-filter -q --strip-extensions
	damage "$case" symbolized.pk pk-fold -q --kallsyms=/dev/null --weight=samples --by=comm,pid,cpu,event,host --reverse \
		--modules --lines --sort=weight
	damage "$case" symbolized.pk pk-fold -q --kallsyms=/dev/null --weight=samples --root='*' --by=tid --collapse-recursion
	damage "$case" deferred.pk pk-merge-callchains -q
	damage "$case" stacks.pk pk-unwind -q --symfs=/nonexistent
	damage "$case" raw.pk pk-inject -q --symfs=/nonexistent
	case $case in
	cut*) ;; # without switches there is no latency
	*) damage "$case" latency.pk pk-fold -q --weight=latency ;;
	esac
done
for case in "cut$few" "full$few" pipe; do
	damage "$case" heat.pk pk-annotate -q --min-percent=0 --symfs=root --source
done
some=${few:-:29}
damage "flip$some" symbolized.pk pk-filter --where='stack ~ "*" || ip' --drop=addr
damage "flip$some" raw.pk pk-filter --comm='*'
damage "flip$some" symbolized.pk pk-fold --kallsyms=/dev/null --weight=samples --by=comm,pid,cpu,event,host --reverse --modules
damage "flip$some" latency.pk pk-fold --kallsyms=/dev/null --weight=samples --by=cpu
damage "flip$some" deferred.pk pk-merge-callchains
damage "flip$some" stacks.pk pk-unwind --symfs=/nonexistent
damage "flip$some" raw.pk pk-inject --symfs=/nonexistent
damage "flip$some" heat.pk pk-annotate --min-percent=0 --symfs=root
exit $bad
