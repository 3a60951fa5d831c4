# SPDX-License-Identifier: BSD-2-Clause
# long
# --control, -D -1, --split by signal, --overwrite, --filter, -u, --pid-file, --fail-on.
. "$PK_TOP/tests/live/record.bash"

# Nothing is recorded but between enable and disable, and each word is answered.
mkfifo commands answers
exec 5<>answers
pk-record -e cpu-clock -F 499 -D -1 --control fifo:commands,answers -o out.pk -- spinner 3 2>err &
recorder=$!
exec 4>commands
say()
{
	echo "$1" >&4
	read -r -t 20 answer <&5 || fail "$1: no answer: $(cat err)"
	[ "$answer" = ack ] || fail "$1: answered $answer"
}
say ping
say disable
say enable
sleep 0.4
say disable
echo nonsense >&4
say stop
wait $recorder || fail "status $?: $(cat err)"
grep -q "'nonsense': the commands are enable, disable" err || fail "said: $(cat err)"
check out.pk
at_least "$(records $SAMPLE)" 10 "samples while enabled"
at_least "$(records $MMAP2)" 3 "maps from before that"
exec 4>&- 5>&-

# SIGUSR2 begins another file; each has names of its own for what is in it.
mkdir split
pk-record -e cpu-clock -F 499 -g -o 'split/%s.pk' -- sh -c 'spinner 0.3; kill -USR2 $PPID; spinner 0.3' 2>err || fail "status $?: $(cat err)"
silent err
[ "$(find split -type f | wc -l)" = 2 ] || fail "not two files: $(ls -A split)"
for file in split/*; do
	check "$file"
	pk-script "$file" 2>/dev/null | grep -q 'spin_inner' || fail "$file: no names"
done

# Snapshots of rings that the kernel overwrites: streams that are whole, and no larger than the rings.
mkdir snapshots
pk-record -e cpu-clock -F 499 -g --overwrite -m 16k -o 'snapshots/%s.pk' -- sh -c 'spinner 0.3; kill -USR2 $PPID; sleep 0.3; spinner 0.3' 2>err || fail "--overwrite: $(cat err)"
silent err
[ "$(find snapshots -type f | wc -l)" = 2 ] || fail "not two snapshots: $(ls -A snapshots)"
for file in snapshots/*; do
	check "$file"
	at_least "$(records $SAMPLE)" 10 "$file: samples"
	at_least 700 "$(records $SAMPLE)" "$file: samples, 700 is"
done

# Some events overwritten, others not: a signal writes the former alone, as a stream of its own, and so does the end.
for terms in "-e cpu-clock/overwrite,name=kept/ -e task-clock/name=written/" "--overwrite -e cpu-clock/name=kept/ -e task-clock/no-overwrite,name=written/"; do
	rm -rf mixed
	mkdir mixed
	pk-record -F 499 $terms -m 16k -o 'mixed/%s.pk' -- sh -c 'spinner 0.3; kill -USR2 $PPID; sleep 0.3; spinner 0.3' 2>err || fail "$terms: $(cat err)"
	silent err
	[ "$(find mixed -type f | wc -l)" = 4 ] || fail "$terms: not four files: $(ls -A mixed)"
	for file in mixed/*; do
		check "$file"
		pk-script -q -F event "$file" | sed 's/:u:/:/; s/^ *//' | sort -u | paste -sd ' '
	done >found
	[ "$(sort found | uniq -c | awk '{ printf "%s%s", $1, $2 }')" = 2kept:2written: ] || fail "$terms: not twice each: $(cat found)"
done
pk-record -F 499 -e cpu-clock/overwrite/ -- spinner 0.2 >alone.pk 2>err || fail "a single overwritten event: $(cat err)"
check alone.pk
at_least "$(records $SAMPLE)" 10 "samples that were overwritten in the end"

# A pid file is there as long as the recording, and for one only.
pk-record -e cpu-clock --pid-file pid -o out.pk -- sh -c 'cat pid; pk-record --pid-file pid -o other.pk true; echo $?' >out 2>err || fail "$(cat err)"
[ "$(sed -n 2p out)" = 1 ] && [ "$(sed -n 1p out)" -gt 0 ] || fail "pid file: $(cat out err)"
grep -q 'another running recording' err || fail "said: $(cat err)"
[ ! -e pid ] || fail "the pid file is still there"

# Losses as an exit status.
pk-record -e cpu-clock -F max --call-graph dwarf,60000 -m 64k --fail-on lost -o /dev/full -- spinner 0.2 2>err
[ $? = 1 ] || fail "/dev/full: not 1"
# The reason is printed with -q, too.
pk-record -q -e cpu-clock -F max --call-graph dwarf,60000 -m 64k --fail-on lost -o lost.pk -- spinner 0.5 2>err ||
	grep -q ' samples lost: ' err || fail "--fail-on lost: said: $(cat err)"

pk-record -e cpu-clock -u nobody-at-all -o out.pk 2>err
grep -q 'is not a user' err || fail "-u: said: $(cat err)"
pk-record -e cpu-clock --filter 'a == 1' -o out.pk -- true 2>err
[ $? = 2 ] || fail "--filter without a tracepoint is no usage error"
[ "$(id -u)" = 0 ] || exit 0
# Each thread of the user takes a file descriptor for each CPU.
if pk-record -e cpu-clock -F 499 -u root --for 300ms -o out.pk 2>err; then
	check out.pk
	at_least "$(records $COMM)" 2 "tasks of root"
else
	[ "$(ulimit -n)" -lt 1024 ] && grep -q 'too many open files' err || fail "-u: $(cat err)"
fi
# A user who is named twice is recorded once.
setpriv --reuid=64123 --regid=64123 --clear-groups sleep 60 &
sleeper=$!
while [ "$(stat -c %u /proc/$sleeper)" != 64123 ] || ! grep -q '^sleep$' /proc/$sleeper/comm; do sleep 0.02; done
pk-record -q -e cpu-clock -u 64123,64123 --for 100ms -o out.pk 2>err || fail "-u: $(cat err)"
kill $sleeper
ids=$(pk-script -q --header out.pk | sed -n 's/.* id = {\([^}]*\)}.*/\1/p' | tr ',' '\n' | wc -l)
[ "$ids" = "$(getconf _NPROCESSORS_ONLN)" ] || fail "-u: $ids events of a user with one thread"
[ -d /sys/kernel/tracing/events/sched ] || exit 0
# Other tests may start a program of the same name at the same time.
cp "$(command -v spinner)" only_here
pk-record -a -e sched:sched_process_exec --filter 'filename ~ "*/only_here"' -o out.pk -- sh -c 'true; /bin/true; ./only_here 0.01' 2>err ||
	fail "--filter: $(cat err)"
check out.pk
[ "$(records $SAMPLE)" = 1 ] || fail "--filter: $(records $SAMPLE) samples, not 1"
exit 0
