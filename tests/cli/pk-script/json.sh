# SPDX-License-Identifier: BSD-2-Clause
# One object on a line.
data=$PK_TOP/tests/data
pk-script -q --json "$data/x86_64.pk.zst" | grep -m 2 '"type":"SAMPLE"'
pk-script -q --json "$data/arm64.pk.zst" | grep -m 1 '"type":"SAMPLE"'
pk-script -q --json "$data/x86_64.pk.zst" | grep -v '"type":"SAMPLE"' | cut -c 1-300 |
	grep -v '"definition_name":"STAGE"' | head -n 40
pk-script -q --json -F comm,ip "$data/x86_64.pk.zst" | grep -m 1 '"type":"SAMPLE"'
pk-script -q --json "$data/x86_64.pk.zst" | grep -o '^{"type":"SAMPLE","comm":"[^"]*"' | sort | uniq -c
# -G: the sample's own frame. An empty list leaves the samples out.
pk-symbolize -q --kallsyms=/dev/null "$PK_TOP/format/vectors/good/sample-callchains-le.pk" >named.pk
pk-script -q --json -G -F ip named.pk | grep '"type":"SAMPLE"' | sort | uniq -c
pk-script -q --json -F hw: named.pk | grep '"type":"SAMPLE"'
echo "== two images: $(pk-script --json "$PK_TOP/format/vectors/good/pk-interpreted-ruby-le.pk" 2>err | grep -c malformed) malformed, $(grep -c image err) messages"
