# SPDX-License-Identifier: BSD-2-Clause
# OpenTelemetry profiles as a reader of the test's own sees them: kinds of values, attributes, mappings, inlined functions.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
exec 2>&1
show()
{
	perl "$PK_TOP/tests/live/otlp_read.pl" text "$1"
}

echo "== two events, inlined functions, hostile names"
small | assemble >small.pk
pk-export otlp -o out small.pk
echo "status $?"
show out
echo "== other attributes, one event; stacks that differ in the name of the thread alone"
pk-export otlp --event cycles --by event,time -o out small.pk
show out | grep -e profile -e '  stack' | head -n 3
pk-export otlp --by none --where 'pid == 5' --weight samples small.pk | cat >out
show out | grep -e profile -e stack
echo "== two sessions are one profile; gzip"
cat small.pk small.pk | pk-export otlp --by none -o out.gz
gzip -dc out.gz >out
show out | grep -e resource -e '  stack 1:'
echo "== recordings of two machines"
zstd -qdc "$PK_TOP/tests/data/x86_64.pk.zst" >x86_64.pk
zstd -qdc "$PK_TOP/tests/data/s390x.pk.zst" >s390x.pk
pk-export otlp -q --by none -o out x86_64.pk s390x.pk x86_64.pk
show out | grep -e resource
echo "== no samples"
{
	header
	event 1 7
} | assemble | pk-export otlp -o out
echo "status $?"
show out
echo "== errors"
pk-export otlp -o out --by nofield small.pk
echo "status $?"
pk-export otlp --drop-frames x small.pk
echo "status $?"
pk-export otlp small.pk >/dev/full
echo "status $?"
head -c -40 small.pk | pk-export otlp -o out
echo "status $?"
show out | grep -c '  stack'
echo "== deep stacks"
xz -dc "$PK_TOP/tests/data/attacks/deep-names.pk.xz" >deep.pk
pk-export otlp -o out deep.pk
[ "$(wc -c <out)" -lt 300000000 ] || echo "$(wc -c <out) bytes"
