# SPDX-License-Identifier: BSD-2-Clause
# A store of SQLite: loaded once, also after a kill; damaged and large files are refused; hostile names are data.
fleet=$PK_TOP/fleet
umask 077
mkdir 'it'\''s; DROP TABLE samples; --' dead
recording="it's; DROP TABLE samples; --/a.pk"
cp "$PK_TOP/demo/demo.pk" "$recording"
"$fleet/schema" store.db
"$fleet/ingest" --host-folder=. store.db "$recording"
"$fleet/ingest" --host-folder=. store.db "$recording"
head -c $(($(stat -c %s "$recording") / 2)) "$recording" >cut.pk
PK_FLEET_DEAD=dead "$fleet/ingest" store.db cut.pk 2>err
echo "cut: $?, $(ls dead/*/cut.pk | wc -l) in the folder"
mkdir stub
printf '#!/bin/sh\nexit 124\n' >stub/pk-export
chmod +x stub/pk-export
PATH=$PWD/stub:$PATH "$fleet/ingest" --host-folder=. store.db "$recording" 2>err
echo "killed: $?, $(cat err)"
head -c 2000000 /dev/zero >large.pk
PK_FLEET_SIZE=1 "$fleet/ingest" store.db large.pk
echo "large: $?"

echo '-- sums'
"$fleet/query" store.db services
weight=$("$fleet/query" store.db | awk '{ n += $NF } END { printf "%.0f", n }')
[ "$weight" = "$(sqlite3 store.db 'SELECT sum(weight) FROM by_hour')" ] || echo "folded: $weight"
[ "$weight" = "$(sqlite3 store.db 'SELECT sum(weight) FROM by_minute')" ] || echo "by_minute: $weight"
[ "$weight" = "$(pk-export rows -q --by none "$recording" | awk -F '\t' 'NR > 1 { n += $4 } END { printf "%.0f", n }')" ] || echo "pk-export: not $weight"
"$fleet/query" store.db | pk-plot flame | xmllint --noout - || echo "no picture"

echo '-- arguments are data'
"$fleet/query" store.db services --host "it's; DROP TABLE samples; --" | wc -l
"$fleet/query" store.db services --host "x' OR 1 OR '" | wc -l
"$fleet/query" store.db services --host "x
.shell touch pwned" | wc -l
"$fleet/query" store.db services --where "1; DROP TABLE samples" 2>/dev/null | wc -l
"$fleet/query" store.db ../schema
echo "no query: $?"
sqlite3 store.db 'SELECT count(*) > 0 FROM samples'
! test -e pwned || echo pwned
