# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# npm's pprof-format (at NODE_PATH or in npm's global folder) reads profiles of pk-export pprof: each function has the numbers of pk-report.
. "$PK_TOP/tests/live/export.bash"
command -v node >/dev/null || skip "node is not installed"
package pprof-format

for stream in $(streams); do
	pk-export pprof -q -o out.pb.gz $stream || complain "$stream: status $?"
	expect $stream
	node "$PK_TOP/tests/live/export_pprof_format.js" out.pb.gz >all 2>err || complain "$stream: $(grep Error err)"
	grep -v $'^samples\t' all | LC_ALL=C sort >found
	[ -s found ] || LC_ALL=C sort all >found
	same "$stream"
done
[ $compared -ge 3 ] || complain "$compared profiles were compared"
exit $status
