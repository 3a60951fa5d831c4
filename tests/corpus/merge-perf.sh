# SPDX-License-Identifier: BSD-2-Clause
# A perf that knows nothing of deferred callchains reads what has been merged: as many samples of each event, each with
# as many frames as pk-script has, which are not fewer than in the recording.
. "$PK_TOP/tests/corpus/corpus.bash"
perf version >/dev/null 2>&1 || {
	echo "no perf here" >&2
	exit 77
}
for name in forker.defer.a.pipe syscalls.defer.z sleeper.defer threads.tp-defer.a orphans.defer; do
	pk-merge-callchains -q "$PK_CORPUS/own/x86_64-7.2/data/$name.data" >merged.pk
	perf script -i - -F tid,time,event,ip --no-inline --show-mmap-events <merged.pk >by-perf 2>err ||
		complain "$name: perf: $(head -n 3 err)"
	grep -i -e 'out of order' -e unordered err && complain "$name: rounds promise too much"
	pk-script -q --dump merged.pk | awk '/^[0-9]+ SAMPLE/ { n++ } /^  ips\[/ && !/=0xfffffffffffff[ef]/ { f++ }
		END { print n, f }' >by-pk
	awk '/^ *-?[0-9]+ +[0-9.]+: +[^ ]+: *$/ { n++ } /^\t *[0-9a-f]+ / { f++ } END { print n, f }' by-perf >counted
	cmp -s by-pk counted || complain "$name: $(cat counted) samples and frames, not $(cat by-pk)"
done
exit $status
