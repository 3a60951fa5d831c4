# SPDX-License-Identifier: BSD-2-Clause
# Rows: their text in each format, tables with keys, and the keys themselves, calculated with sha256sum.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
exec 2>&1
small | assemble >small.pk
for format in tsv csv json; do
	echo "== $format"
	pk-export rows --format $format small.pk
	pk-export rows --format $format --each --by cpu,comm --event cpu-clock small.pk
done
echo "== addresses"
pk-export rows --frames address --by none --event cycles small.pk
echo "== no samples"
{
	header
	event 1 7
} | assemble >empty.pk
pk-export rows --by pid,comm empty.pk
pk-export rows --format json empty.pk
echo "== tables"
mkdir tables json address
pk-export rows --tables tables small.pk
echo "status $?"
tail -n 100 tables/*
pk-export rows --tables json --format json --event cpu-clock small.pk
cat json/samples.jsonl json/frames.jsonl
pk-export rows --tables address --frames address small.pk
tail -n 100 address/frames.tsv
cut -f1 tables/objects.tsv | cmp - <(cut -f1 address/objects.tsv)

echo "== intervals, flat"
pk-export rows --every 10s --flat --by comm --event cpu-clock --column "load=a\\b" small.pk
pk-export rows --every 10s --flat --by comm --event cpu-clock --column load=x --format json small.pk
mkdir flat
pk-export rows -q --flat --tables flat --every 1s small.pk
# A row for each stack of a sample, with its frames, outermost first.
cut -f2 flat/stacks.tsv | awk -F ';' 'NR > 1 { print NF }' | sort -n | paste -sd ' '
cut -f2 flat/stacks.tsv | tail -n +2 | tr ';' '\n' | sort -u | cmp - <(tail -n +2 flat/frames.tsv | cut -f1 | sort -u)
cmp <(tail -n +2 flat/samples.tsv | awk -F '\t' '{ print $NF }' | sort -u) <(tail -n +2 flat/stacks.tsv | cut -f1 | sort -u)
grep -c '\\N' flat/*
# Samples at 1:00, 1:50, 2:00 and 1:00, and on the next day: a row for each hour.
{
	small | grep -v '^SAMPLE\|^END'
	event=8 thread=5
	for minute in 60 110 120 60 1500; do stacked 3 1677721600000000 $((minute * 60))000000000; done
	finish
} | assemble >hours.pk
mkdir hours
pk-export rows -q --flat --tables hours --every 60s hours.pk
cut -f 3 hours/stacks.tsv
cut -f 9 hours/frames.tsv
pk-export rows --from 3600 --to 7200 --every 60s --by none hours.pk
echo "status $?"
pk-export rows -q --to 7200 --by none hours.pk
echo "status $?"
# Each interval has its own sums: all together are those without intervals.
for options in "--every 1s" "--every 3600s" ""; do
	# shellcheck disable=SC2086
	pk-export rows -q $options --by none "$PK_TOP/demo/demo.pk" |
		awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["samples"]; w += $at["weight"]; t[$at["time"]] } END { printf "%d %.0f\n", n, w }'
done

# key BYTES: of printf's escapes and of keys, which are hexadecimal
key()
{
	bytes "$@" | sha256sum | cut -c1-32
}

# Each argument is text for printf, or @KEY.
bytes()
{
	local word
	for word; do
		case $word in
		@*) printf '%b' "$(sed 's/../\\x&/g' <<<"${word#@}")" ;;
		*) printf '%b' "$word" ;;
		esac
	done
}

echo "== keys"
object=$(key B @1111111111111111222222222222222233333333)
main=$(key F "@$object" '\x02' '\x04\0\0\0main' '\x08\0\0\0/src/a.c' '\x0a\0\0\0')
helper=$(key F "@$object" '\x02' '\x06\0\0\0helper' '\x08\0\0\0/src/a.c' '\x14\0\0\0')
root=$(key S @00000000000000000000000000000000 "@$main")
leaf=$(key S "@$root" "@$helper")
grep -c -e "^$object" tables/objects.tsv
grep -c -e "^$main"$'\t' -e "^$helper"$'\t' tables/frames.tsv
grep -e "^$leaf" tables/stacks.tsv | cut -f2 | grep -cx "$root"
grep -c "$leaf\$" tables/samples.tsv
library=$(key P '\x0e\0\0\0/lib/libx.so.1')
grep -c "^$(key A "@$library" '\x02' '\0\x50\0\0\0\0\0\0')"$'\t' tables/frames.tsv
echo "== errors"
pk-export rows --tables none small.pk
echo "status $?"
pk-export rows --format xml small.pk
echo "status $?"
pk-export rows --frames line small.pk
echo "status $?"
pk-export rows --every 1.5s small.pk
echo "status $?"
pk-export rows --every 1s --each small.pk
echo "status $?"
pk-export rows --column =x small.pk
echo "status $?"
pk-export rows --column comm=x --by comm small.pk
echo "status $?"
pk-export rows --by comm,event small.pk
echo "status $?"
pk-export rows --each --by time small.pk
echo "status $?"
pk-export rows --by time,comm --event cpu-clock small.pk
pk-export rows small.pk >/dev/full
echo "status $?"
ln -s /dev/full tables/samples.csv
pk-export rows --tables tables --format csv small.pk
echo "status $?"
echo "== long stacks"
xz -dc "$PK_TOP/tests/data/attacks/deep-names.pk.xz" >deep.pk
pk-export rows -o out deep.pk
[ "$(wc -c <out)" -lt 300000000 ] || echo "$(wc -c <out) bytes"
pk-export rows -q --format json deep.pk | grep -c '"stack":\["\[\.\.\.\]",'
