# SPDX-License-Identifier: BSD-2-Clause
# Profiles of pprof as a reader of the test's own sees them: types of weights, labels, mappings, inlined functions, times.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
exec 2>&1
show()
{
	perl "$PK_TOP/tests/live/export_read.pl" pprof_text "$1"
}


echo "== two events, inlined functions, hostile names"
small | assemble >small.pk
pk-export pprof -o out.pb.gz small.pk
echo "status $?"
show out.pb.gz
echo "== one event, other labels, frames to drop"
pk-export pprof --event cycles --by event,comm --label pid --drop-frames 'mai.*' --keep-frames main -o out.pb.gz small.pk
echo "status $?"
show out.pb.gz | grep -v -e location -e mapping -e function
echo "== no labels; samples that a condition selects; the weight"
pk-export pprof --by none --where 'pid == 5' --weight samples small.pk | cat >out.pb.gz
show out.pb.gz | grep -e sample -e types
echo "== no samples"
{
	header
	event 1 7
} | assemble | pk-export pprof -o out.pb.gz
echo "status $?"
show out.pb.gz
echo "== errors"
pk-export pprof -o out.pb.gz --by nofield small.pk
echo "status $?"
pk-export pprof -o out.pb.gz --where 'pid ==' small.pk
echo "status $?"
pk-export pprof -o out.pb.gz --event nothing small.pk
echo "status $?"
pk-export pprof --session=1 small.pk
echo "status $?"
head -c -40 small.pk | pk-export pprof -o out.pb.gz
echo "status $?"
show out.pb.gz | grep -c sample
