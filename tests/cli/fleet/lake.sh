# SPDX-License-Identifier: BSD-2-Clause
# fleet/lake: tables divided by day and service. Each recording is added once, and damaged ones are not added; a hostile service is one folder.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
lake=$PK_TOP/fleet/lake

# recording NAME SERVICE
recording()
{
	small | awk -v label="LABEL name=\"service\" value=\"$2\"" '/^STRING/ && !n++ { print label } 1' | assemble >"$1.pk"
}
recording 1 web
recording 2 '../../a=b c'
recording 3 ..
"$lake" --frames function out 1.pk 2.pk 3.pk
"$lake" out 3.pk 1.pk 2.pk
head -c $(($(stat -c %s 1.pk) / 2)) 1.pk >cut.pk
"$lake" out cut.pk none.pk 2>err
echo "status $?"
grep -o '^fleet/lake.*' err
find out -type f | sed 's|[0-9a-f]\{32\}|KEY|' | sort | uniq -c | sed 's/^ *//'
find . -name '*.zst' | grep -v '^./out/'
# The samples are those of pk-export, and all that they refer to is there.
zstd -dcq out/samples/*/service=web/*.zst | awk -F '\t' 'NR > 1 { n += $11; w += $12 } END { print n, w }'
pk-export rows -q --by none 1.pk | awk -F '\t' 'NR > 1 && $NF != "\\N" { n += $3; w += $4 } END { print n, w }'
# column TABLE NUMBER: of one recording
column()
{
	zstd -dcq out/$1/"$(basename "$key")" | tail -n +2 | cut -f "$2"
}
key=$(ls out/samples/*/service=web/)
column samples/day=*/service=web 13 | sort -u | cmp - <(column stacks/day=* 1 | sort -u)
column stacks/day=* 2 | tr ';' '\n' | sort -u | cmp - <(column frames/day=* 1 | sort -u)
