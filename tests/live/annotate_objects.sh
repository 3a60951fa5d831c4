# SPDX-License-Identifier: BSD-2-Clause
# A program that has been built anew since it was recorded is refused; the recorded one, elsewhere, is found. The vDSO and entries of
# procedure linkage tables are shown, and source lines.
. "$PK_TOP/tests/live/fold.bash"

build()
{
	${CC:-cc} -std=gnu11 -g -DFEW -Wl,--build-id "$@" -o functions "$PK_TOP/tests/live/workload/functions.c" >compile.err 2>&1 ||
		fail "$(cat compile.err)"
}

# instructions FILE: how many lines there are with a share.
instructions()
{
	grep -cE '^ +[0-9.]+ :  ' "$1"
}

build -O2
pk-record -F 999 -e $event -o out.pk -- ./functions 300 16 >/dev/null || fail "pk-record: status $?"
pk-symbolize -q out.pk >symbolized.pk || fail "pk-symbolize: status $?"
pk-annotate -q --source -i symbolized.pk 'function_1*' >here || fail "status $?"
[ "$(instructions here)" -ge 100 ] || fail "few instructions: $(head -n 20 here)"
grep -q 'mix(), inlined into function_1[01][0-9]() at functions.c:' here || fail "no inlined function is told: $(head -n 40 here)"
grep -q 'x ^= x >> 15;' here || fail "no source lines"
sed "s|$PK_TOP|/nowhere|" "$PK_TOP/tests/live/workload/functions.c" >functions.c
pk-annotate -q --source --source-prefix="$PK_TOP/tests/live/workload=." -i symbolized.pk 'function_1*' >mapped || fail "status $?"
cmp -s here mapped || fail "--source-prefix: $(diff here mapped | head -n 5)"

mkdir -p "fs$PWD"
mv functions "fs$PWD/functions"
build -O1
pk-annotate -i symbolized.pk 'function_1*' >other 2>err || fail "status $?"
grep -q 'functions: no code: is of another build (of build-id [0-9a-f]*)' err || fail "another build: $(cat err)"
[ "$(instructions other)" = 0 ] || fail "code of another build is shown"
pk-annotate -q --symfs=fs -i symbolized.pk 'function_1*' >there || fail "status $?"
pk-annotate -q --symfs=fs --source -i symbolized.pk 'function_1*' >there || fail "status $?"
cmp -s here there || fail "elsewhere: $(diff here there | head -n 5)"
exit 0
