# SPDX-License-Identifier: BSD-2-Clause
# An object has the same path in a store in whichever order its recordings are loaded.
fleet=$PK_TOP/fleet
umask 077
mkdir a b
zstd -dcq "$PK_TOP/demo/demo.pk" | sed 's|/tmp/demo/workload|/tmp/demo/abcdefgh|g' >a/x.pk
cp "$PK_TOP/demo/demo.pk" b/x.pk
for order in 'a b' 'b a'; do
	"$fleet/schema" "$order.db"
	for host in $order; do "$fleet/ingest" --host-folder=. "$order.db" $host/x.pk; done
	sqlite3 "$order.db" "SELECT path FROM objects WHERE path LIKE '/tmp/%'; SELECT count(*) FROM objects"
done
pk-export sqlite -q -o both.db --by host b/x.pk a/x.pk
sqlite3 both.db "SELECT path FROM objects WHERE path LIKE '/tmp/%'; SELECT count(*) FROM objects"
pk-export rows -q --tables . --by host b/x.pk a/x.pk
cut -f 2 objects.tsv | grep '^/tmp/'
