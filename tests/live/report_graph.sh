# SPDX-License-Identifier: BSD-2-Clause
# long
# The trees of pk-report -g are those of perf report --stdio -g: the same lines below each row, in all layouts.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf to compare with"

# blocks: each row with its tree on a line, sorted, because rows with the same share can be in any order. The lines of
# a tree are sorted, without the vertical lines, because branches with the same share can be in any order. perf names the
# function after the caller if the call does not return, has a row for each unknown address, and sometimes marks [...] as
# inlined.
blocks()
{
	grep -v -e '^#' -e '^[ |]*$' |
		sed -e 's/__do_global_dtors_aux/register_tm_clones/; s/\[\.\.\.] (inlined)/[...]/' |
		perl -e 'my ($row, @lines, @all);
			sub finish { push @all, join "\n", $row, sort @lines if $row && $row !~ /\] \[unknown\]/; }
			while (<STDIN>) {
				chomp;
				s/ *$//;
				s/(?<=[-\s;])(0x)?[0-9a-f]+(?=;|$)/[unknown]/g;
				if (/^ {2,5}\d+\.\d\d%( |$)(?! *$)/) { finish(); s/ +/ /g; ($row, @lines) = $_; next; }
				tr/|/ /;
				push @lines, $_;
			}
			finish();
			print map { "$_\n" } sort @all'
}

# compare OPTION...: of rows with at least 1 %. Others are from the start of the program, where functions have several names.
compare()
{
	perf report -i branches.data --stdio --no-inline --percent-limit 1 "$@" 2>perf.err | blocks >expected
	pk-report -q --percent-limit 1 "$@" branches.pk 2>err | blocks >found
	[ -s expected ] || fail "perf report $*: no rows: $(cat perf.err)"
	cmp -s expected found || fail "$*: $(diff expected found | head -n 30)"
}

compile branches.c branches -static || fail "$(cat compile.err)"
perf record -q --no-bpf-event --buildid-mmap -g -F 2999 -e "${event%:u}:u" -o branches.data ./branches 500 >perf.err 2>&1 ||
	skip "perf record fails: $(tail -n 1 perf.err)"
pk-symbolize -q --no-inline branches.data >branches.pk || fail "pk-symbolize: status $?"

# Without a limit of branches: perf leaves out others of branches with the same share.
for type in graph fractal flat folded; do
	for order in '' ,caller ,callee; do
		for rest in '' ,0 ,5 ,20 ,2,count ,0,0,period; do
			for children in --children --no-children; do
				compare $children -g "$type$rest$order"
			done
		done
	done
done
compare -g graph --no-children -s sym
compare -g fractal,0.5,callee --no-children -s comm
compare -G --no-children
compare -g flat,5 --percent-limit 10
exit 0
