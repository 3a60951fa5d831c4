# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# What comes out varies, and so do the calls: status 0 is right if the stream is whole and has the
# command's COMM, MAPs and EXIT (or, where there is no command, those of the process that is recorded).
pk-record -q -e cpu-clock -o may-record -- true 2>may-record.err || {
	echo "pk-record: recording is not possible here: $(head -n 1 may-record.err)" >&2
	swept=$((swept + 1))
	return 0
}
whole='pk-script --dump out >dump 2>err && ! [ -s err ] && grep -q "^[0-9]* COMM " dump && grep -q "^[0-9]* MMAP" dump'
with_exit="$whole && grep -q '^[0-9]* EXIT ' dump && grep -q 'comm=.true.' dump"
sweep -m 100 -c "$with_exit" pk-record -e cpu-clock -o out -- true
sweep -m 100 -c "$with_exit" pk-record -e cpu-clock,page-faults -g -z -o out --namespaces -- true
sweep -m 100 -c "$whole && grep -q 'comm=.bash.' dump" pk-record -e cpu-clock -p $$ --for 5ms -o out
sweep -m 40 -c "grep -q cpu-clock \$STDOUT" pk-record --list='cpu*'
# Of another name: what the pattern makes of the time.
sweep -m 100 -c 'pk-script --dump *.pk >dump 2>err && ! [ -s err ] && grep -q " EXIT " dump' \
	pk-record -e cpu-clock --split 1h -o 'now-%Y.pk' -- true
if [ -r /sys/kernel/tracing/events/sched/sched_switch/format ]; then
	sweep -m 60 -c "$whole && grep -q 'sched:sched_switch' dump && grep -q TRACING_DATA dump" \
		pk-record -e sched:sched_switch --filter 'prev_pid == 1' -o out -- true
fi
if pk-record -q -e cpu-clock -a --for 1ms -o all.pk 2>/dev/null; then
	sweep -m 40 -c "$whole" pk-record -e cpu-clock -a --for 1ms --all-cgroups -o out
fi
