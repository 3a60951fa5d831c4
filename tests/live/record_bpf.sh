# SPDX-License-Identifier: BSD-2-Clause
# Records of BPF programs are whole in each of several recordings at the same time: some kernels make those of all but
# the first too large.
. "$PK_TOP/tests/live/record.bash"

pk-record -q --off-cpu -e dummy -o probe.pk -- true 2>err || skip "off-CPU time cannot be recorded here: $(tail -n 1 err)"

pids=
for i in 1 2 3; do
	pk-record -q -a -e cpu-clock,task-clock -c 100000000 --for 2s -o $i.pk &
	pids="$pids $!"
done
for pid in $pids; do
	recording "$pid"
done
sleep 0.3
pk-record -q --off-cpu -e dummy -o program.pk -- true 2>err || fail "$(cat err)"
for pid in $pids; do
	wait "$pid" || fail "a recording"
done
KSYMBOL=17 BPF_EVENT=18
for i in 1 2 3; do
	check $i.pk
	at_least "$(records $KSYMBOL)" 2 "symbols of programs"
	at_least "$(records $BPF_EVENT)" 2 "programs"
done
