# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# DuckDB (npm's @duckdb/node-api, at NODE_PATH or in npm's global folder) reads a folder of fleet/lake with fleet/duckdb.sql, also after it has
# written Parquet files by day and service. Sums are those of pk-export, and functions those of a store of SQLite.
. "$PK_TOP/tests/live/export.bash"
command -v node >/dev/null || skip "node is not installed"
package @duckdb/node-api
fleet=$PK_TOP/fleet

pk-record -q -g -F 999 -e cpu-clock -k monotonic --label service='web/x' --label version=1.0 -o 1.pk -- sh -c 'gzip -c /bin/bash /bin/bash >/dev/null' ||
	skip "cannot record"
pk-symbolize -q --no-inline 1.pk >1.sym
"$fleet/lake" --frames function lake 1.sym "$PK_TOP/demo/demo.pk" >added || complain "lake: $(cat added)"
"$fleet/schema" store.db && "$fleet/ingest" --frames function store.db 1.sym "$PK_TOP/demo/demo.pk" >loaded || complain "store: $(cat loaded)"
cd lake || exit 1
node "$PK_TOP/tests/live/fleet_duckdb.js" "$fleet/duckdb.sql" >../answers 2>../err || complain "DuckDB: $(grep -m 1 Error ../err)"
cd ..
"$fleet/query" store.db services | tail -n +2 | awk -F '\t' -v OFS='\t' '{ print $1, $3, $4, $6, $7 }' | sort >sums
for kind in services parquet; do
	sed -n "s/^$kind	//p" answers | sort | cmp - sums || complain "$kind: other sums"
done
[ -s sums ] || complain 'no sums'
"$fleet/query" store.db top --service web/x | tail -n +2 >top
sed -n 's/^top	//p' answers | head -n 50 | cmp - top || complain 'top: other functions'
[ -s top ] || complain 'no functions'
find lake/parquet -name '*.parquet' | grep -q 'day=.*/service=web%2Fx/' || complain 'Parquet files are not divided by service'
exit $status
