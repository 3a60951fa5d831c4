# SPDX-License-Identifier: BSD-2-Clause
# long
# fleet/pages: a page for each service, replaced as a whole; a hostile service is one folder and no HTML.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
fleet=$PK_TOP/fleet
"$fleet/schema" store.db
for service in web '../../<b>x' ''; do
	n=$((n + 1))
	small | awk -v label="LABEL name=\"service\" value=\"$service\"" '/^STRING/ && !n++ && label !~ /""/ { print label } 1' | assemble >$n.pk
done
"$fleet/ingest" --frames function store.db ?.pk
for round in 1 2; do "$fleet/pages" store.db pages 500000 || echo "status $?"; done
ls -A pages
grep -c '<b>' pages/index.html
xmllint --html --noout pages/index.html pages/*/index.html
grep '<li>' pages/index.html
grep -o '<td>web</td>' pages/web/index.html | sort | uniq -c | sed 's/^ *//'
"$fleet/pages" store.db pages 0
echo "status $?"
