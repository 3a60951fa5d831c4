# SPDX-License-Identifier: BSD-2-Clause
# PK_FLEET_HOST limits what a host adds within 24 hours; a host adds rows under its own name only.
fleet=$PK_TOP/fleet
umask 077
mkdir -p "in/a'b" in/c
for i in 1 2; do
	seq 1 3000 | sed "s/.*/main;f&_$i 1/" | pk fleet stream >"in/a'b/$i.pk"
done
printf 'main;other 1\n' | pk fleet stream >in/c/1.pk
"$fleet/schema" store.db
export PK_FLEET_HOST=1
"$fleet/ingest" --host-folder=in --frames function store.db in/*/*.pk
echo $?
"$fleet/ingest" --host-folder=in --frames function store.db "in/a'b/2.pk"
echo $?
sqlite3 store.db "SELECT host, sum(samples) FROM all_samples GROUP BY host; SELECT host, bytes > 500000 FROM recordings ORDER BY host"
echo '-- without a limit'
unset PK_FLEET_HOST
"$fleet/ingest" --host-folder=in --frames function store.db "in/a'b/2.pk"
