# SPDX-License-Identifier: BSD-2-Clause
# long
# Each golden stream as a file. The output lists where the file is read as other records than the stream, and where the
# status is not that of pk-filter.
. "$PK_TOP/tests/cli/pk-export/export.bash"
same=0

# try FILE: the differences
try()
{
	local filtered exported
	pk-filter -q "$1" >stream 2>/dev/null
	filtered=$?
	records stream | sort >expected
	[ "$(grep -c BEGIN expected)" = 1 ] || return
	rm -f file # a file without an end replaces no other
	pk-export perf.data -q -o file "$1" 2>/dev/null
	exported=$?
	rm -f file
	pk-export perf.data -q -o file stream 2>/dev/null
	[ $filtered = $exported ] || echo "status $exported, pk-filter: $filtered"
	diff expected <(records file | sort) | grep '^[<>]' | cut -c1-110
}

for path in "$PK_TOP"/format/vectors/{good,bad}/*.pk; do
	name=${path##*/}
	try "$path" >differences
	case $name in
	*-be.pk)
		cp differences be
		continue
		;;
	*-le.pk)
		cmp -s be differences || {
			echo "${name%-le.pk}-be.pk"
			cat be
		}
		;;
	esac
	[ -s differences ] || {
		same=$((same + 1))
		continue
	}
	echo "$name"
	cat differences
done
echo "$same streams without a difference"
