# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-filter "$symbolized"
sweep -i "$raw" pk-filter -o out --pid='!7' --comm='*' --where='ip && mode ~ "*"'
sweep pk-filter --stack-has='*' --symbol='*' --dso='*' --every=2 --time=+0, "$symbolized"
sweep pk-filter --where='prev_comm ~ "*" && prev_prio < 200 || event == "x"' "$tracepoints"
sweep pk-filter --drop=callchain,raw "$raw" "$tracepoints"
sweep pk-filter --strip-extensions "$symbolized"
sweep pk-filter --split-by=comm -o '%v.pk' "$symbolized"
sweep pk-filter --split-by=event -o '%v.pk' "$tracepoints"
sweep pk-filter --anonymize --key-file="$key" "$symbolized"
sweep pk-filter "$vectors/file-le.pk" "$compressed"
sweep pk-filter "$vectors/file-compressed-le.pk"
sweep pk-filter "$vectors/file-feature-large-le.pk"
sweep pk-filter "$folder"
sweep pk-filter --time=10%-90% --head=2 "$vectors/file-le.pk"
PK_ANONYMIZE_KEY=0123456789abcdef sweep pk-filter --anonymize --keep-key=names "$symbolized"
pk-filter -q --anonymize --keep-key="$here/names" "$symbolized" >"$here/anonymous.pk"
sweep pk-filter --restore="$here/names" "$here/anonymous.pk"
