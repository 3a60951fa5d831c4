# SPDX-License-Identifier: BSD-2-Clause
# Profiles of the Firefox Profiler: a thread for each thread and event; shared tables with inlined functions, lines, objects,
# hostile names; markers of tracepoints; damaged and empty inputs.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
exec 2>&1
small | assemble >small.pk
pk-export firefox small.pk | sed 's/pk-export [0-9.]*/pk-export VERSION/'
echo "status ${PIPESTATUS[0]}"
echo "== one profile"
pk-export firefox --event cycles --by none small.pk | grep -A 4 -e '"name":' -e '"weight"'
echo "== no samples"
{
	header
	event 1 7
} | assemble >empty.pk
pk-export firefox empty.pk | wc -l
echo "status ${PIPESTATUS[0]}"
echo "== cut: what can be read"
head -c $(($(stat -c %s small.pk) - 100)) small.pk | pk-export firefox -o cut.json
echo "status $?"
grep '^"time"' cut.json
pk-export firefox -o out.gz small.pk
gzip -dc out.gz | cmp - <(pk-export firefox small.pk)
stat -c %a out.gz
pk-export firefox -o small.pk small.pk
echo "status $?"
