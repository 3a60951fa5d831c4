# SPDX-License-Identifier: BSD-2-Clause
# A host can write below its own folder: folders and names that it makes there do not make it another host, and do not reach a terminal.
fleet=$PK_TOP/fleet
umask 077
mkdir -p incoming/a/b incoming/b other
printf 'main;spoofed 1\n' | pk fleet stream >incoming/a/b/1.pk
printf 'main;own 1\n' | pk fleet stream >incoming/b/1.pk
printf 'main;outside 1\n' | pk fleet stream >other/1.pk
cp other/1.pk incoming/1.pk
"$fleet/schema" store.db
"$fleet/ingest" --host-folder --frames function store.db incoming/*/*.pk incoming/*/*/*.pk
sqlite3 store.db 'SELECT host, samples FROM recordings ORDER BY host'

echo '-- in no folder of a host'
"$fleet/ingest" --host-folder --frames function store.db other/1.pk incoming/1.pk incoming/../other/1.pk 2>err
echo $?
sed "s|$PWD|DIR|" err
(cd incoming && "$fleet/ingest" --host-folder --frames function ../store.db a/b/1.pk)
echo $?

echo '-- names'
head -c 40 /dev/zero >"incoming/a/$(printf 'x\033]0;title\007\302\233').pk"
"$fleet/ingest" store.db incoming/a/x*.pk 2>err
echo $?
LC_ALL=C grep -c '[[:cntrl:]]' err
cut -c 1-60 err
