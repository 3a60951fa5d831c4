# SPDX-License-Identifier: BSD-2-Clause
# The views mem, c2c and branches have the rows of perf mem report, perf c2c report and perf report -b. PK_PERF is the perf that
# reads; it must be of version 7 or later, which has other words than earlier ones.
. "$PK_TOP/tests/cli/pk-report/memory.bash"
perf=${PK_PERF:-perf}
status=0
skip()
{
	echo "$*" >&2
	exit 77
}

version=$("$perf" --version 2>/dev/null) || skip "no perf to compare with"
[[ ${version#perf version } =~ ^([0-9]+)\. && ${BASH_REMATCH[1]} -ge 7 ]] || skip "$version: perf 7 is needed (PK_PERF)"
compared=0

# compare WHAT: the files expected and found
compare()
{
	compared=$((compared + 1))
	[ -s expected ] || {
		echo "$1: perf prints no rows: $(cat perf.err)"
		status=1
	}
	cmp -s expected found || {
		echo "$1: $(diff expected found | head -n 10)"
		status=1
	}
}

# rows: the columns of a table. Those of functions differ if the addresses are unresolved. perf looks up addresses of the
# kernel in that of this machine, and does not look up user data of kernel code. It calls //anon anon, and prints 0 or N/A for
# missing values. It does not know the level L0.
rows()
{
	grep -v -e '^#' -e '^$' | perl -ne 's/^ +| +$//g; s{//anon}{anon}g; s/Unknown level 7/L0/; chomp;
		my @f = split / {2,}/;
		if (@f > 10) {
			$f[7] = "kernel" if $f[6] =~ /^\[k\]/;
			s/^\[k\] .*/[k]/ for @f[4, 6];
			$f[4] =~ s/^\[\.\] .*/[.]/;
			s/^-$/0/ for @f[11 .. $#f];
		} else {
			s/^-$/N\/A/ for @f[1, 2];
			$f[3] =~ s/^-$/0/;
			$f[3] =~ s/^(\[.\] )?(0x)?([0-9a-f]+)$/sprintf("%x", hex($3))/e;
		}
		print join("|", @f), "\n";' | LC_ALL=C sort
}

# memory NAME: NAME.data, a file of perf, against NAME.pk
memory()
{
	mkdir -p "$1" && cp "$1.data" "$1/perf.data"
	(cd "$1" && "$perf" mem report --stdio) 2>perf.err </dev/null | rows >expected
	pk-report -q --symfs=/nonexistent --view mem "$1.pk" 2>/dev/null | rows >found
	compare "$1: mem"
	"$perf" report --mem-mode -i "$1.data" --stdio -s data_page_size,code_page_size,phys_daddr,time 2>perf.err </dev/null |
		rows >expected
	pk-report -q --no-children --weight=weight -s data_page_size,code_page_size,phys_daddr,time "$1.pk" 2>/dev/null |
		rows >found
	compare "$1: pages"
}

# cache_lines NAME: lines with HITM: address, HITM of all, the node and other nodes, stores, loads. perf counts a load from
# RAM of an unknown remote node three times: the line with these is left out.
cache_lines()
{
	(cd "$1" && "$perf" c2c report --stdio) 2>perf.err </dev/null |
		awk '/Shared Data Cache Line Table/ { on = 1 } /Distribution Pareto/ { on = 0 }
			on && $2 ~ /^0x/ { print $2, $6, $7, $8, $11, $2 == "0x700140" ? "-" : $10 }' | LC_ALL=C sort >expected
	pk-report -q --csv --view c2c --where='addr < 0x900000' "$1.pk" 2>/dev/null |
		awk -F, 'NR > 1 && $2 { print $8, $2, $3, $4, $7, $8 == "0x700140" ? "-" : $6 }' | LC_ALL=C sort >found
	compare "$1: c2c"
	# offsets in these lines, and the code: shares of the line's HITM in other nodes and in its own
	(cd "$1" && "$perf" c2c report --stdio) 2>perf.err </dev/null |
		awk '/Distribution Pareto/ { on = 1 } !on { next } $1 ~ /^[0-9]+$/ && $NF ~ /^0x/ { line = $NF }
			$1 ~ /%/ && $1 + $2 > 0 { print line, $6, $9, $1, $2 }' | LC_ALL=C sort >expected
	pk-report -q --csv --view c2c-code "$1.pk" 2>/dev/null | awk -F, 'NR > 1 && $2 {
		key = $10 " " $11 " " $12; line[key] = $10; local[key] += $3; remote[key] += $4; locals[$10] += $3; remotes[$10] += $4 }
		function share(part, all) { return sprintf("%.2f%%", all ? 100 * part / all : 0) }
		END { for (key in line) print key, share(remote[key], remotes[line[key]]), share(local[key], locals[line[key]]) }' |
		LC_ALL=C sort >found
	compare "$1: c2c-code"
}

# branches FILE KEYS
branches()
{
	"$perf" report -b -i "$1" --stdio -s "$2" 2>perf.err </dev/null | plain >expected
	pk-report -s "$2" "$1" 2>/dev/null | plain >found
	compare "$1: -b -s $2"
}

plain()
{
	grep -v -e '^#' -e '^$' | sed 's/^ *//; s/ *$//; s/  */ /g' | LC_ALL=C sort
}

{
	header
	event_of 1 'PERIOD TRANSACTION'
	name 1 cycles
	comm 5 5 app
	for bits in 0 1 2 0x6 0xa 0x12 0x26 0x4a 0x8a 0x500000026 0x700000000; do
		sample_of user 1 5 0x1000 time=1 period=1 transaction=$bits
	done
} | assemble >transactions.pk
pk-export perf.data -o transactions.data transactions.pk || exit
"$perf" report -i transactions.data --stdio -s transaction 2>perf.err </dev/null | plain >expected
pk-report -s transaction transactions.pk 2>/dev/null | plain >found
compare transactions
accesses | assemble >stream.pk
pk-export perf.data -o stream.data stream.pk || exit
memory stream
cache_lines stream
file=${PK_CORPUS-}/others/quipper-perf.data.weight_struct
if [ -n "${PK_CORPUS-}" ] && [ -e "$file" ]; then
	cp "$file" other.data && chmod u+w other.data && cp other.data other.pk
	memory other
fi
if [ -n "${PK_CORPUS-}" ]; then
	branches "$PK_CORPUS/others/quipper-perf.data.branch_stack_spec" dso_from,dso_to,mispredict,in_tx,abort,cycles
	branches "$PK_CORPUS/others/quipper-perf.data.branch-4.14" mispredict,in_tx,abort
fi
[ $status -eq 0 ] && echo "$compared tables compared"
exit $status
