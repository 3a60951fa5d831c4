# SPDX-License-Identifier: BSD-2-Clause
# The first allocations of pk-record fail, one by one: it says so and never crashes.
set -u
shim=$PK_BUILD/tests/faults/fail_memory.so bad=0
pk-record -q -e cpu-clock -o out.pk true 2>err || {
	echo "recording is not possible here: $(head -n 1 err)" >&2
	exit 77
}
for n in {1..20}; do
	PK_FAULT=memory=$n LD_PRELOAD=$shim \
		ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0:allocator_may_return_null=1 \
		pk-record -q -e cpu-clock -o out.pk true 2>err
	status=$?
	[ $status -le 2 ] && { [ $status = 0 ] || [ -s err ]; } || {
		echo "allocation $n: status $status: $(cat err)"
		bad=1
	}
done
exit $bad
