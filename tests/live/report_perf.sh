# SPDX-License-Identifier: BSD-2-Clause
# long
# The rows of pk-report are those of perf report --stdio, with the same numbers, for each key of perf and its columns.
# perf prints a row for each unresolved address: these rows are left out. For the return address after a call that does
# not return, perf names the function after the caller, here register_tm_clones after __do_global_dtors_aux: the rows of
# both are left out. The dynamic linker and the program have a function _start each, for which perf prints two rows.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf to compare with"

# rows: of a table, in any order, with single blanks. perf 6.1 names the start of the PLT after the function before it.
rows()
{
	grep -v -e '^#' -e '^$' | sed 's/ *$//; s/  */ /g; s/ _init$/ .plt/' | grep -v -e '\] 0x[0-9a-f]*$' -e '\] [0-9a-f]\{16\}$' -e '\[unknown\]' -e ' register_tm_clones$' -e ' __do_global_dtors_aux$' -e ' _start$' | LC_ALL=C sort
}

# compare DATA STREAM KEYS OPTION...
compare()
{
	local data=$1 stream=$2
	shift 2
	perf report -i "$data" --stdio --no-inline -g none -s "$@" 2>perf.err | rows >expected
	pk-report -q -s "$@" "$stream" 2>err | rows >found
	[ -s expected ] || fail "perf report -s $*: no rows: $(cat perf.err)"
	cmp -s expected found || fail "-s $*: $(diff expected found | head -n 10)"
}

# compare_all DATA KEYS...: with two of the four sets of options, the next keys with the other two
columns=('' -n --percent-limit=5 '-F +period,sample') turn=0
compare_all()
{
	local data=$1 keys children set
	shift
	pk-symbolize -q --no-inline "$data" >symbolized.pk || fail "pk-symbolize: status $?"
	for keys; do
		for children in --children --no-children; do
			case $data$keys$children in dynamic*sym--children) continue ;; esac
			for set in $((turn % 4)) $(((turn + 2) % 4)); do
				# shellcheck disable=SC2086 # options
				compare "$data" symbolized.pk "$keys" $children ${columns[set]}
			done
			turn=$((turn + 1))
		done
		turn=$((turn + 1))
	done
}

# The kernel and the dynamic linker have more such calls. So callers are compared in a program without these.
compile shares.c static -static || fail "$(cat compile.err)"
perf record -q --no-bpf-event --buildid-mmap -g --sample-cpu -F 1999 -e "${event%:u}:u" -o static.data ./static 300 used >perf.err 2>&1 ||
	skip "perf record fails: $(tail -n 1 perf.err)"
compare_all static.data comm comm,dso comm,dso,sym sym pid cpu pid,cpu,sym dso,comm
compile shares.c shares || fail "$(cat compile.err)"
perf record -q --no-bpf-event --buildid-mmap -g --sample-cpu -F 1999 -e $event -e page-faults:u -o dynamic.data ./shares 300 used >perf.err 2>&1 ||
	skip "perf record fails: $(tail -n 1 perf.err)"
compare_all dynamic.data comm comm,dso comm,dso,sym sym pid cpu dso

# Events side by side, and with children.
perf record -q --no-bpf-event --buildid-mmap -g --sample-cpu -F 1999 -e "${event%:u}:u" -e page-faults:u -o events.data ./static 300 used >perf.err 2>&1 ||
	skip "perf record fails: $(tail -n 1 perf.err)"
pk-symbolize -q --no-inline events.data >events.pk || fail "pk-symbolize: status $?"
for children in --children --no-children; do
	for keys in comm,dso,sym cpu,comm; do
		compare events.data events.pk "$keys" $children --group
		compare events.data events.pk "$keys" $children --group -n
		compare events.data events.pk "$keys" $children --group --percent-limit=5
	done
done

# A caller that matches.
for name in half burn_until; do
	for keys in parent,sym comm,parent; do
		for children in --children --no-children; do
			perf report -i events.data --stdio --no-inline -g none $children -p "^$name\$" -s $keys 2>perf.err | rows >expected
			pk-report -q $children --parent $name -s $keys events.pk 2>err | rows >found
			[ -s expected ] || fail "perf report -p $name: no rows: $(cat perf.err)"
			cmp -s expected found || fail "--parent $name -s $keys $children: $(diff expected found | head -n 10)"
		done
	done
done

# The text has the layout of perf: the same lines, from the first event on.
layout()
{
	sed -n '/^# Samples/,$p' | sed -e '/^# (Tip/d' -e '/% of frames unresolved/d' -e '/0x/d' -e '/\[unknown\]/d' -e '/^# \.\.\./s/\.*$//' -e 's/ *$//' |
		perl -0pe 's/[\s#]+\z/\n/'
}
pk-symbolize -q --no-inline static.data >static.pk || fail "pk-symbolize: status $?"
for options in '--no-children' '--no-children -n' '-s comm,dso' '-s pid -n' '-s cpu,comm --percent-limit 5' \
	'--group --no-children' '--group --no-children -n' '--group -s comm,dso' '--group -s cpu,sym --no-children --percent-limit 5'; do
	case $options in --group*) name=events ;; *) name=static ;; esac
	# shellcheck disable=SC2086 # words
	perf report -i $name.data --stdio --no-inline -g none $options 2>perf.err | layout >expected
	# shellcheck disable=SC2086
	pk-report $options $name.pk 2>err | layout >found
	cmp -s expected found || fail "$options: $(diff expected found | head -n 10)"
done
exit 0
