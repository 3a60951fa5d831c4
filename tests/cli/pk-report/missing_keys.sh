# SPDX-License-Identifier: BSD-2-Clause
# Sort keys of perf that pk lacks: each key that docs/report.md lists as missing is answered with the reason or a replacement.
sed -n '/^These keys are missing/,/^For/p' "$PK_TOP/docs/report.md" | grep '^| `' | cut -d'|' -f2 | grep -o '`[a-z0-9_]*`' | tr -d '`' >keys
for key in $(grep -v '^dtlb$' keys); do
	pk-report -s "$key" "$PK_TOP/format/vectors/good/sample-plain-le.pk" >out 2>err && echo "$key: status 0"
	grep -q "^pk-report: no field $key: ..." err || cat err
done
echo "$(wc -l <keys) keys"
