# SPDX-License-Identifier: BSD-2-Clause
# long
# A day of unattended recordings: some are killed, some find the disk full, some have a reader that
# stalls. Every file is complete and readable, or absent; what is lost is counted; nothing grows.
# CRON_DAY=1000 makes it a long one, tests/long/cron_day.sh is one of 200 recordings; SEED another one.
# timeout: 3600
. "$PK_TOP/tests/live/record.bash"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0
count=${CRON_DAY:-20}
RANDOM=${SEED:-1}
mkdir day
pattern='day/host-%Y%m%dT%H%M%S.pk.zst'
record=(pk-record -q -e cpu-clock -F 499 -g -o "$pattern" --keep 12)
[ -z "$PK_SAN" ] || record+=(--block=30s)
record+=(-- spinner 0.04)

tell()
{
	fail "recording $n ($kind): $*"
}

# As many files as may be, each of them whole.
look()
{
	local file files=0
	for file in day/*; do
		[ -e "$file" ] || continue
		files=$((files + 1))
		[ "$file" -nt looked ] || continue
		pk-script -q --stats "$file" >stats 2>script.err || tell "$file: $(cat script.err)"
	done
	touch looked
	[ $files -le $((12 + between)) ] || tell "$files files, not 12"
	[ $files -gt 12 ] || between=0
}

normal()
{
	"${record[@]}" 2>err || tell "status $?: $(cat err)"
	silent err
	good=$((good + 1))
	between=0
}

# At any moment from the start to the end; between the new file's name and the removal of the oldest one
# there is one too many, until the next recording is complete.
killed()
{
	"${record[@]}" 2>err &
	sleep "0.$((RANDOM % 2))$((RANDOM % 10))"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	[ $? = 137 ] || return
	kills=$((kills + 1))
	between=$((between + 1))
}

# In order: what there is until then.
stopped()
{
	"${record[@]}" 2>err &
	sleep "0.0$((RANDOM % 9))"
	kill -TERM $! 2>/dev/null
	wait $! 2>/dev/null
	case $? in
	0 | 143) ;; # 143: before it was ready for signals
	*) tell "status $?: $(cat err)" ;;
	esac
}

full_disk()
{
	local before
	before=$(find day -name 'host-*' | sort)
	PK_FAULT=write=1 LD_PRELOAD=$PK_BUILD/tests/faults/shim.so "${record[@]}" 2>err
	[ $? = 1 ] || tell "not status 1"
	grep -q 'No space left on device' err || tell "said: $(cat err)"
	[ "$before" = "$(find day -name 'host-*' | sort)" ] || tell "a file is there"
	full=$((full + 1))
}

# The reader takes nothing for a while: what has no room is lost, and counted.
stalled()
{
	pk-record -e cpu-clock -F max --call-graph dwarf,8192 -m 16k --buffer 16k -- spinner 0.15 2>err |
		{ sleep 0.25 && cat >stalled.pk; }
	[ "${PIPESTATUS[0]}" = 0 ] || tell "status: $(cat err)"
	check stalled.pk
	lost=$(sed -n 's/^lost //p' counts)
	told=$(sed -n 's/^pk-record: \([0-9,]*\) of [0-9,]* samples lost.*/\1/p' err | tr -d ,)
	[ "${told:-0}" = "$lost" ] || tell "$lost samples are lost, but told was: $(cat err)"
	losses=$((losses + lost))
}

# Who may not record all processes records one.
everything=()
! may_record_all || everything=(-a)

# The reader takes nothing ever again, or goes away.
gone()
{
	# shellcheck disable=SC2216 # that is the point
	pk-record -e cpu-clock -F 499 -g "${everything[@]}" -R --block=50ms -- spinner 0.04 2>err | sleep 0.6
	case ${PIPESTATUS[0]} in
	0 | 141) ;; # it fitted into the pipe
	1) grep -q 'does not read' err || tell "said: $(cat err)" ;;
	*) tell "status ${PIPESTATUS[0]}: $(cat err)" ;;
	esac
}

kinds=(normal killed stopped full_disk stalled killed gone normal)
good=0 kills=0 full=0 losses=0 between=0 kind=none
for ((n = 1; n <= count; n++)); do
	kind=${kinds[RANDOM % ${#kinds[@]}]}
	$kind
	look
done
n=last kind=normal
normal
look
left=$(find day -name '.*.part' | wc -l)
[ "$left" = 0 ] || fail "$left unfinished files are left"
echo "$count recordings: $good whole, $kills killed, $full on full disks, $losses samples lost to readers"
[ $good -gt 0 ] || fail "nothing was recorded"
[ "$losses" -gt 0 ] || fail "no reader was too slow"

# One recording of many streams needs no more at its end than at its beginning.
rm -rf day/*
pk-record -q -e cpu-clock -F 499 -g -o 'day/host-%Y%m%dT%H%M%S.pk.zst' --split 0.1s --keep 5 --for 2500ms -- sh -c 'while sleep 0.05; do :; done' 2>err &
recorder=$!
state()
{
	find "/proc/$recorder/fd" -mindepth 1 2>/dev/null | wc -l
	awk '/^VmRSS/ { print $2 }' "/proc/$recorder/status"
}
sleep 1
mapfile -t before < <(state)
sleep 1
mapfile -t after < <(state)
wait $recorder || fail "status $?: $(cat err)"
[ "${after[0]}" -le $((before[0] + 2)) ] || fail "${before[0]} descriptors, then ${after[0]}"
[ -n "$PK_SAN" ] || [ "${after[1]}" -le $((before[1] + 512)) ] || fail "${before[1]} KiB, then ${after[1]}"
[ "$(find day -name 'host-*' | wc -l)" = 5 ] || fail "not 5 files: $(ls -A day)"
n=split kind=split
look
exit 0
