# SPDX-License-Identifier: BSD-2-Clause
# A command is recorded, with its threads; its exit status is passed on.
. "$PK_TOP/tests/live/record.bash"

pk-record -e cpu-clock -F 999 -g -- spinner 0.5 3 1 >out.pk 2>err
[ $? = 3 ] || fail "the command's exit status is lost: $(cat err)"
silent err
check out.pk
at_least "$(records $SAMPLE)" 100 samples
at_least "$(records $COMM)" 2 "names of tasks"
at_least "$(records $MMAP2)" 3 maps
perf_reads out.pk
if [ -e text ]; then
	at_least "$(grep -c 'spin_inner' text)" 100 "samples in spin_inner"
	at_least "$(grep -c 'spin_outer' text)" 100 "calls by spin_outer"
	grep -q '^spin-thread' text || fail "the thread is missing"
	if grep '^[a-z]' text | grep -qvE '^spin'; then fail "something else was sampled"; fi
fi

# Several events, the command's own output, a file.
pk-record -e cpu-clock:u,page-faults -e task-clock -c 100000 -o file.pk -- sh -c 'echo hello' >out 2>err
grep -qx hello out || fail "the command's output is lost"
silent err
check file.pk
perf_reads file.pk

# In a pipe the command's output must not get into the stream.
pk-record -e cpu-clock -- sh -c 'echo hello' >out.pk 2>err
grep -qx hello err || fail "the command's output is neither here nor there"
check out.pk

# A signal that ends the command.
pk-record -e cpu-clock -o file.pk -- sh -c 'kill -KILL $$'
[ $? = 137 ] || fail "not the status of a killed command"
check file.pk

# Its children count, unless they shall not.
pk-record -e cpu-clock -F 999 -o with.pk -- sh -c 'spinner 0.3; true' || fail "status $?"
pk-record -e cpu-clock -F 999 -i -o without.pk -- sh -c 'spinner 0.3; true' || fail "status $?"
check with.pk
with=$(records $SAMPLE)
check without.pk
without=$(records $SAMPLE)
at_least "$with" 50 "samples of children"
at_least 40 "$without" "samples without children, 40 is"

# The command's signals are as ours were.
pk-record -e cpu-clock -o file.pk -- grep -E '^Sig(Blk|Ign)' /proc/self/status >inside
grep -E '^Sig(Blk|Ign)' /proc/self/status | diff - inside || fail "the command's signals are not as they were"
