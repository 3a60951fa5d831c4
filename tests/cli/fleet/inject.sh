# SPDX-License-Identifier: BSD-2-Clause
# fleet/inject: each closed recording once, with names; those that are gone are deleted.
fleet=$PK_TOP/fleet
umask 022
mkdir spool
cp "$PK_TOP/demo/demo.pk" spool/a.pk
cp "$PK_TOP/demo/demo.pk" spool/b.pk.zst
echo open >spool/.c.pk.zst
printf 'no recording' >spool/d.pk
"$fleet/inject" spool spool/named 2>err
echo $?
cat err
ls -A spool/named
stat -c '%a %n' spool/named/a.pk spool/named/b.pk.zst
pk-fold -q spool/named/a.pk >a
pk-fold -q spool/named/b.pk.zst >b
pk-fold -q spool/a.pk | cmp - a && cmp a b || echo 'other samples'
zstd -q -t spool/named/b.pk.zst || echo 'not compressed'
pk-script --dump spool/named/a.pk | grep -c 'pk-inject'
echo '-- again'
touch -d 2020-01-01 spool/named/a.pk
rm spool/b.pk.zst
"$fleet/inject" spool spool/named
stat -c '%y %n' spool/named/a.pk | cut -c 1-10
ls -A spool/named
