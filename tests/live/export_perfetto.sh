# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# Packets of pk-export trace --perfetto have no field that the schema lacks, and as many events as the JSON: protoc decodes them with
# google/perfetto's own files. PK_PERFETTO_PROTO is the folder of its sources, version 58.2.
. "$PK_TOP/tests/live/export.bash"
[ -n "${PK_PERFETTO_PROTO-}" ] || skip "PK_PERFETTO_PROTO does not name the sources of google/perfetto"
command -v protoc >/dev/null || skip "protoc is not installed"

# try FILE [OPTION...]
try()
{
	pk-export trace -q --perfetto -o out.pftrace "$@" || complain "$*: status $?"
	pk-export trace -q -o out.json "$@" || complain "$*: status $?"
	protoc -I "$PK_PERFETTO_PROTO" --decode=perfetto.protos.Trace "$PK_PERFETTO_PROTO/protos/perfetto/trace/trace.proto" <out.pftrace >text 2>err ||
		complain "$*: protoc: $(tail -n 1 err)"
	! grep -m 1 -E '^ *[0-9]+(:| \{)' text || complain "$*: fields that the schema does not have"
	# Slices are a begin and an end, or one complete event in JSON.
	perl -ne '$n{$1}++ if /"ph": ?"(\w)"/; END { printf "%d slices, %d instants, %d counts\n", ($n{X} // 0) + ($n{B} // 0) + ($n{b} // 0), $n{i} // 0, $n{C} // 0 }' out.json >expected
	perl -ne '$n{$1}++ if /type: TYPE_(\w+)/; END { printf "%d slices, %d instants, %d counts\n", $n{SLICE_BEGIN} // 0, $n{INSTANT} // 0, $n{COUNTER} // 0;
		exit 1 if ($n{SLICE_BEGIN} // 0) != ($n{SLICE_END} // 0) }' text >found || complain "$*: slices without an end"
	same "$*"
}

for name in x86_64 arm64 s390x; do
	cp "$PK_TOP/tests/data/$name.pk.zst" $name.pk
	try $name.pk --samples
done
pk-span --name=writes --start=sys_enter_write --end=sys_enter_write --key tid --pass arm64.pk >spans.pk 2>/dev/null
try spans.pk
if [ -n "${PK_CORPUS-}" ]; then
	pk-span sched --pass "$PK_CORPUS/own/x86_64-7.2/data/threads.sched.a.data" >sched.pk 2>/dev/null
	try sched.pk
	try "$PK_CORPUS/own/s390x-7.2/data/08-tp.data"
	try "$PK_CORPUS/own/x86_64-7.2/data/stat-aI.data"
fi
[ $compared -ge 4 ] || complain "$compared traces were compared"
exit $status
