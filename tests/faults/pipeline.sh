# SPDX-License-Identifier: BSD-2-Clause
# long
# A stage that is killed: the next one has everything that came before, says that the stream is cut,
# and fails. A stage whose reader goes away dies of it silently.
set -u -o pipefail
bad=0
fails()
{
	echo "$*"
	bad=1
}

raw=$PK_TOP/format/vectors/good/like-perf-le.pk
samples()
{
	pk-script -q --dump "$1" 2>/dev/null | grep -c ' SAMPLE type=9 '
}
folded()
{
	awk '{ sum += $NF } END { print sum + 0 }' "$1"
}

# Three sessions, and a fourth that is not over when its writer is killed. A stage passes on what it
# has before it waits for more; one that sorts keeps the last sample until another round is over.
mkfifo in
exec 3<>in # keeps it open: the stage waits for more
while read -r expected stage; do
	# shellcheck disable=SC2086 # with its options
	{
		$stage <in &
		echo $! >pid
		wait $!
	} 2>/dev/null | tee middle | {
		pk-fold --weight=samples >out 2>err
		echo $? >status
	} &
	cat "$raw" "$raw" "$raw" "$raw" >&3
	for ((tries = 0; tries < 200; tries++)); do
		[ "$(samples middle)" = "$expected" ] && break
		sleep 0.05
	done
	kill -KILL "$(cat pid)"
	wait
	[ "$(cat status)" = 1 ] || fails "$stage killed: pk-fold ends with $(cat status)"
	grep -q '^pk-fold: stdin: the stream is cut' err || fails "$stage killed: $(cat err)"
	[ "$(samples middle)" = "$expected" ] || fails "$stage killed: $(samples middle) samples passed"
	[ "$(folded out)" = "$expected" ] || fails "$stage killed: $(folded out) samples folded"
done <<END
12 pk-filter
11 pk-symbolize -q --kallsyms=/dev/null
END
exec 3>&-

# Far more than a pipe holds, and nobody reads it.
for ((i = 0; i < 4000; i++)); do cat "$raw"; done >many.pk
for stage in pk-filter "pk-symbolize -q --kallsyms=/dev/null" "pk-script --dump"; do
	# shellcheck disable=SC2086
	$stage many.pk 2>err | head -c 10 >/dev/null
	status=${PIPESTATUS[0]}
	[ "$status" = 141 ] || fails "$stage | head: status $status, not 141"
	[ ! -s err ] || fails "$stage | head: $(head -n 3 err)"
done
exit $bad
