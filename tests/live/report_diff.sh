# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-report --diff prints the same as perf diff, but for rows of unresolved addresses and of the PLT, which perf names in part.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf to compare with"

# lines: from the first event on, without these rows, and without blanks at the end.
lines()
{
	sed -n '/^# Event/,$p' | sed -e '/0x/d' -e '/@plt/d' -e '/\[unknown\]/d' -e '/% of frames unresolved/d' -e '/^# \.\.\./s/\.*$//' -e 's/ *$//' |
		perl -0pe 's/[\s#]+\z/\n/'
}

# in_order: sorts rows with equal numbers, up to the blanks before the names: perf sorts objects by the last component of
# their path.
in_order()
{
	perl -e 'my ($before, @rows) = ("");
		sub finish { print sort @rows; @rows = (); }
		while (<STDIN>) {
			my ($numbers) = /^((?: *[-+.%0-9A\/N]+(?= ))*)/;
			finish() if $numbers ne $before;
			($before, @rows) = ($numbers, @rows, $_);
		}
		finish()'
}

# compare OPTIONS_OF_PERF OPTIONS_OF_PK: words
compare()
{
	local widths=cat
	# shellcheck disable=SC2086 # words
	perf diff $1 old.data new.data 2>perf.err >all
	# With an unresolved address, perf's column of objects has at least 16 characters.
	! grep -q '] 0x' all || widths='tr -s [:blank:].'
	lines <all | in_order | $widths >expected
	# shellcheck disable=SC2086
	pk-report --diff old.pk $2 new.pk 2>err | lines | in_order | $widths >found
	[ -s expected ] || fail "perf diff $1: no rows: $(cat perf.err)"
	cmp -s expected found || fail "$2: $(diff expected found | head -n 20)"
}

compile shares.c shares -static || fail "$(cat compile.err)"
compile branches.c branches -static || fail "$(cat compile.err)"
for name in old new; do
	perf record -q --no-bpf-event --buildid-mmap -g --sample-cpu -F 1999 -e "${event%:u}:u" -e page-faults:u -o $name.data \
		sh -c "./shares 200 used; ./branches $([ $name = old ] && echo 300 || echo 100)" >perf.err 2>&1 ||
		skip "perf record fails: $(tail -n 1 perf.err)"
	pk-symbolize -q --no-inline $name.data >$name.pk || fail "pk-symbolize: status $?"
done
compare '' ''
compare '-c delta' '--show baseline,delta'
compare '-c ratio' '--show baseline,ratio'
compare '-c wdiff:1,2' '--show baseline,wdiff:1:2'
compare '-p' '--show-total-period'
compare '-o 0' '--order baseline'
for keys in comm comm,dso comm,dso,sym sym dso; do
	compare "-s $keys" "-s $keys"
done

# The same of what pk writes as perf.data.
for name in old new; do
	pk-export perf.data -o $name.export $name.data || fail "pk-export: status $?"
	mv $name.export $name.data
done
compare '' ''

# Several bases: each has the columns that it has alone.
pk-report --diff old.pk --diff new.pk --csv --by dso,symbol --show baseline,delta,ratio new.pk >both.csv 2>err || fail "two bases: $(cat err)"
pk-report --diff new.pk --csv --by dso,symbol --show baseline,delta,ratio new.pk 2>err | sed 1d | LC_ALL=C sort >expected
sed 1d both.csv | cut -d, -f1,5-9 | sed '/^[^,]*,,,,/d' | LC_ALL=C sort >found
cmp -s expected found || fail "two bases: $(diff expected found | head -n 10)"

[ -n "${PK_CORPUS-}" ] || exit 0
for names in '0 1' '1 0' '1 5' '5 0'; do
	cp "$PK_CORPUS/others/quipper-perf.data.systemwide.${names% *}-3.8" old.data && cp "$PK_CORPUS/others/quipper-perf.data.systemwide.${names#* }-3.8" new.data || exit 1
	for name in old new; do
		pk-symbolize -q --no-inline --symfs=/nonexistent $name.data >$name.pk || fail "pk-symbolize $names: status $?"
	done
	for keys in comm dso comm,dso; do
		compare "-s $keys --symfs=/nonexistent" "-s $keys"
		compare "-s $keys --symfs=/nonexistent -c ratio" "-s $keys --show baseline,ratio"
		compare "-s $keys --symfs=/nonexistent -c wdiff:3,2 -p" "-s $keys --show baseline,base-period,wdiff:3:2,period"
	done
done
exit 0
