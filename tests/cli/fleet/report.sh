# SPDX-License-Identifier: BSD-2-Clause
# fleet/report: a page with pictures, tables and files of other programs; hostile names are text.
fleet=$PK_TOP/fleet
umask 022
mkdir -p 'in/<b onclick="x">'
for version in 1 2; do
	printf 'main;<script>alert(1)</script>;a"b'\''&amp %d\nmain;]]>--></svg> 7\n' $version | pk fleet stream '<img src=x>' >'in/<b onclick="x">/'$version.pk
done
"$fleet/schema" store.db
"$fleet/ingest" --host-folder=in --frames function store.db in/*/*.pk
"$fleet/report" store.db page --host '<b onclick="x">' --function '<script>alert(1)</script>'
stat -c '%a %n' page page/* | sort
xmllint --html --noout page/index.html
xmllint --noout page/1.svg
grep -c -e '<script' -e '<img src=x' -e '<b ' -e '</svg' page/index.html
sed -n '/<h2>Functions/,/<h2>Hosts/p; /<h2>Cost/,$p' page/index.html

echo '-- the files have the same samples'
pk-fold page/1.pk
gzip -dc page/1.firefox.json.gz | grep -c '<script>alert(1)</script>'
grep -c '"weights":\[' page/1.speedscope.json

echo '-- a folder is not overwritten'
"$fleet/report" store.db page 2>/dev/null
echo $?

echo '-- lines that are no folded text'
printf 'main\n' | pk fleet stream >/dev/null
echo $?
