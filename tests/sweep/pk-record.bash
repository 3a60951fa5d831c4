# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# The output and the calls differ between runs. Status 0 is correct if the stream is read without a message, and has
# as many records of each kind as without a fault, except for kinds whose number depends on time.
pk-record -q -e cpu-clock -o may-record -- true 2>may-record.err || {
	echo "pk-record: recording is not possible here: $(head -n 1 may-record.err)" >&2
	swept=$((swept + 1))
	return 0
}
# Other tests load BPF programs, too. This one is loaded all the time, if that is possible here.
coproc hold { exec "$PK_BUILD/tests/live/bpf_hold" pk_sweep 2>hold.err; }
read -r <&"${hold[0]}" || cat hold.err
cat >shape <<'END'
pk-script --dump "$1" | sed -n 's/.*_pk_sweep.*/name of pk_sweep/p; s/^[0-9]* \([A-Z][A-Z_0-9]*\) .*/\1/p' |
	grep -v '^SAMPLE$\|^SWITCH$\|^FINISHED_ROUND$\|^LOST\|^KSYMBOL$\|^BPF_EVENT$' | sort | uniq -c
END

# record [OPTION OF SWEEP...] -- ARGUMENT OF PK-RECORD...
record()
{
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	pk-record -q -o usual "$@" || return
	sh ./shape usual >usual.shape || exit
	# Less memory may be locked: then the rings are smaller.
	sweep "${options[@]}" -w 'rings of' -c "sh '$here/shape' out >shape 2>err && ! [ -s err ] &&
		diff '$here/usual.shape' shape" pk-record -o out "$@"
}

record -m 100 -- -e cpu-clock -- true
record -a -m 100 -- -e cpu-clock,page-faults -g -z --namespaces -- true
sleep 1000 &
# Asleep, it has mapped its libraries.
until grep -q "(sleep) S" /proc/$!/stat; do sleep 0.02; done
record -m 100 -- -e cpu-clock -p $! --for 5ms
kill $!
sweep -m 40 -c "grep -q cpu-clock \$STDOUT" pk-record --list='cpu*'
sweep -m 40 -w 'rings of' -c "grep -q '^own programs  *yes' \$STDOUT" pk-record --check
# Its name comes from the pattern and the time.
sweep -m 100 -w 'rings of' -c 'pk-script --dump *.pk >dump 2>err && ! [ -s err ] && grep -q " EXIT " dump' \
	pk-record -e cpu-clock --split 1h -o 'now-%Y.pk' -- true
if [ -r /sys/kernel/tracing/events/sched/sched_switch/format ]; then
	record -m 60 -- -e sched:sched_switch --filter 'prev_pid == 1' -- true
	mkdir -p config/pk
	echo 'events own: sched:sched_switch --formats sched:sched_wakeup* # two' >config/pk/views
	XDG_CONFIG_HOME=$here/config record -m 60 -- -e own -- true
fi
# Tasks come and go all over the system: their records are not counted.
if pk-record -q -e cpu-clock -a --for 1ms -o all.pk 2>/dev/null; then
	sweep -m 40 -w 'rings of' -c "pk-script --dump out >dump 2>err && ! [ -s err ] && grep -q ' COMM ' dump" \
		pk-record -e cpu-clock -a --for 1ms --all-cgroups -o out
fi
