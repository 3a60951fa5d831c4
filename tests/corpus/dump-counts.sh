# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-script --dump shows what an independent reader has counted in the recordings in pipe mode:
# records of each type, samples, callchain entries, periods. Types 81 and 83 are decompressed.
status=0

# What counts.jsonl says of a file: {"3": 2, "9": 5} as lines "3 2"; sums over its events.
expected()
{
	sum()
	{
		grep -o "\"$1\": [0-9]*" <<<"$line" | awk '{ n += $2 } END { printf "%.0f\n", n }'
	}
	sed 's/.*"types": {\([^}]*\)}.*/\1/' <<<"$line" | tr -d '" ' | tr ',:' '\n ' | grep -vE '^(81|83) '
	echo "chain $(sum chain)"
	echo "periods $(sum periods)"
}

# The same of a dump.
found()
{
	awk '/^[0-9]/ { sample = 0 }
		/^[0-9]+ [A-Z_0-9]+ type=/ { sub("type=", "", $3); n[$3]++; sample = $2 == "SAMPLE" }
		sample && sub("^  nr=", "") { chain += $0 }
		sample && sub("^  period=", "") { periods += $0 }
		END {
			for (type in n) print type, n[type]
			printf "chain %.0f\nperiods %.0f\n", chain, periods
		}' dump
}

for counts in "$PK_CORPUS"/own/*/counts.jsonl "$PK_CORPUS"/others/counts.jsonl; do
	while read -r line; do
		file=$(sed 's/.*"file": "\([^"]*\)".*/\1/' <<<"$line")
		path=${counts%/*}/data/$file
		[ -e "$path" ] || path=${counts%/*}/$file
		pk-script --dump "$path" >dump 2>err
		diff <(expected | sort) <(found | sort) >difference && continue
		echo "== ${path#"$PK_CORPUS"/}"
		cat difference
		head -n 5 err
		status=1
	done < <(grep '"mode": "pipe"' "$counts")
done
exit $status
