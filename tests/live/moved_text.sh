# SPDX-License-Identifier: BSD-2-Clause
# Code that a program moved to anonymous memory (huge pages) has the names of its file, as a guess, and
# its unwind information, unless a perf map names it.
. "$PK_TOP/tests/live/fold.bash"

compile huge_text.c huge || fail "$(cat compile.err)"
pk-record -q -F 999 -e $event -g -o out.pk -- bash -c 'echo $$ >pid; exec ./huge' 2>err >address || fail "$(cat err)"
fold out.pk
shows huge hot 100
grep -q 'huge: a part of its code seems to be moved to anonymous memory' err || fail "no message: $(cat err)"
map=/tmp/perf-$(cat pid).map
trap 'rm -f "$map"' EXIT
echo "$(cat address) 1000 compiled" >"$map"
fold out.pk
shows huge compiled 100
rm "$map"

${CC:-cc} -O1 -fomit-frame-pointer -I"$PK_TOP/tests/live/workload" -o huge "$PK_TOP/tests/live/workload/huge_text.c" || fail huge
pk-record -q -F 999 -e $event --call-graph dwarf,8192 -o out.pk -- ./huge 2>err >address || fail "$(cat err)"
pk-unwind -q out.pk >unwound.pk || fail "pk-unwind: status $?"
fold unwound.pk
shows huge 'main;hot' 100
exit 0
