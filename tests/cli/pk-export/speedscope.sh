# SPDX-License-Identifier: BSD-2-Clause
# Profiles of speedscope: a profile for each thread and event, in the order of samples; frames with files and lines.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
exec 2>&1
small | assemble >small.pk
pk-export speedscope small.pk
echo "status $?"
echo "== lines; one profile"
pk-export speedscope --event cycles --by none --lines small.pk | grep -v -e '\$schema' -e exporter
echo "== evented: cpu-clock alone has times"
pk-export speedscope --evented --by tid small.pk | grep -A20 cpu-clock | grep -v "name.:.*file"
echo "== no samples"
{
	header
	event 1 7
} | assemble | pk-export speedscope
echo "status $?"
pk-export speedscope -o out.gz small.pk
gzip -dc out.gz | cmp - <(pk-export speedscope small.pk)
