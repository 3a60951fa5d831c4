# SPDX-License-Identifier: BSD-2-Clause
# Rows in ClickHouse's RowBinary are the rows of JSON lines, read by a decoder that shares nothing with pk-export.
set -u
fail()
{
	echo "$*"
	exit 1
}
command -v python3 >/dev/null || {
	echo "no python3" >&2
	exit 77
}

# same BINARY JSON WHAT: they have the same rows, says the decoder, which starts only once.
triples=()
same()
{
	triples+=("$@")
}

. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
small | assemble >small.pk || fail "no stream"

compared=0
for path in "$PK_TOP"/{demo,tests/data}/*.pk* "$PWD/small.pk"; do
	file=${path#"$PK_TOP"/}
	for options in '--by comm,pid,tid' '--by none --frames address' '--each --by cpu,comm,addr,trace.pid,ip' '--each --by mode,symbol' '--every 1s --flat --column load=1 --by cpu,comm,addr'; do
		json=$compared.json binary=$compared.binary
		# shellcheck disable=SC2086
		pk-export rows -q --format json $options "$path" >$json 2>json.err
		status=$?
		# shellcheck disable=SC2086
		pk-export rows -q --format rowbinary-types $options "$path" >$binary 2>binary.err
		[ $? = $status ] && cmp -s json.err binary.err || fail "$file $options: $(diff json.err binary.err)"
		# A field that no event has: nothing is written.
		[ -s $binary ] || [ -s $json ] || continue
		same $binary $json "$file $options"
		# Without the heading, it is the same.
		# shellcheck disable=SC2086
		pk-export rows -q --format rowbinary $options "$path" >plain 2>/dev/null
		tail -c "$(stat -c %s plain)" $binary | cmp -s - plain || fail "$file $options: other rows without names and types"
		compared=$((compared + 1))
	done
done
mkdir json_tables binary_tables flat_json flat_binary
pk-export rows -q --format json --tables flat_json --flat --every 1s "$PK_TOP/demo/demo.pk" || fail "no flat tables"
pk-export rows -q --format rowbinary-types --tables flat_binary --flat --every 1s "$PK_TOP/demo/demo.pk" || fail "no flat binary tables"
pk-export rows -q --format json --tables json_tables --each "$PK_TOP/demo/demo.pk" || fail "no tables"
pk-export rows -q --format rowbinary-types --tables binary_tables --each "$PK_TOP/demo/demo.pk" || fail "no binary tables"
for table in samples stacks frames objects; do
	same binary_tables/$table.rowbinary json_tables/$table.jsonl "table $table"
	same flat_binary/$table.rowbinary flat_json/$table.jsonl "flat table $table"
done
rows=$(python3 "$PK_TOP/tests/live/export_rows_binary.py" "${triples[@]}" 2>&1) || fail "$rows"
[ $compared -ge 12 ] && [ $rows -ge 1000 ] || fail "$compared files with $rows rows"
exit 0
