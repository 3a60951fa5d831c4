# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-report --hierarchy prints the same as perf report --hierarchy.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf to compare with"

# lines: the text from the first event on, without blanks at the end. perf names the function after the caller if the call
# does not return, and prints the addresses of unresolved frames.
lines()
{
	sed -n '/^# Samples/,$p' |
		sed -e '/^# (Tip/d' -e '/% of frames unresolved/d' -e '/^# \.\.\./s/\.*$//' -e 's/ *$//' \
			-e 's/__do_global_dtors_aux$/register_tm_clones/' -e 's/^\([ |]*\(--[0-9.]*%--\)\{0,1\}\)\(0x\)\{0,1\}[0-9a-f]*$/\1[unknown]/' |
		perl -0pe 's/[\s#]+\z/\n/'
}

# compare DATA STREAM OPTION...
compare()
{
	local data=$1 stream=$2
	shift 2
	perf report -i "$data" --stdio --no-inline --no-children --hierarchy "$@" 2>perf.err | lines >expected
	pk-report --hierarchy "$@" "$stream" 2>err | lines >found
	[ -s expected ] || fail "perf report $*: no rows: $(cat perf.err)"
	cmp -s expected found || fail "$data $*: $(diff expected found | head -n 20)"
}

compile shares.c shares -static || fail "$(cat compile.err)"
perf record -q --no-bpf-event --buildid-mmap -g --sample-cpu -F 1999 -e "${event%:u}:u" -e page-faults:u -o shares.data ./shares 300 used >perf.err 2>&1 ||
	skip "perf record fails: $(tail -n 1 perf.err)"
pk-symbolize -q --no-inline shares.data >shares.pk || fail "pk-symbolize: status $?"
for options in '' '-n' '--percent-limit 5' '--percent-limit 60' '-s dso,sym' '-s sym,comm -n' '-s cpu,comm,sym' '-s pid,sym' '-s comm' \
	'-s comm,dso,sym --group' '-s dso,comm --group -n --show-total-period' '-s cpu,sym --group --percent-limit 70'; do
	# shellcheck disable=SC2086 # words
	compare shares.data shares.pk -g none $options
done
compare shares.data shares.pk -g graph,0.5,callee -s comm,sym

# In any order: perf sorts objects with the same share by the last component of their path. It has another name for
# generated code.
lines()
{
	grep -v -e '^#' -e '^$' -e '\[JIT\] tid' -e 'perf-[0-9]*\.map' | sed -e 's/ *$//' | LC_ALL=C sort
}
[ -n "${PK_CORPUS-}" ] || exit 0
for name in busy.0-3.8 busy.1-3.8 callgraph-3.8 singleprocess-3.8 systemwide.0-3.8 systemwide.1-3.8 systemwide.5-3.8 forkexit-3.4; do
	data=$PK_CORPUS/others/quipper-perf.data.$name
	pk-symbolize -q --no-inline --symfs=/nonexistent "$data" >corpus.pk || fail "pk-symbolize $name: status $?"
	compare "$data" corpus.pk -g none -s comm -n
	compare "$data" corpus.pk -g none -s comm,dso -n
	compare "$data" corpus.pk -g none -s dso,comm --percent-limit 3
done
exit 0
