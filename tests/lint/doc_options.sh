# SPDX-License-Identifier: BSD-2-Clause
# Each command line of pk in the documents, in blocks of code and in backquotes, has only options that the program has
# (doc_options.pl).
. "$PK_TOP/tests/lint/files.bash"
command -v perl >/dev/null || {
	echo "no perl" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
completions/generate.sh "$PK_BIN" "$work/completions" >"$work/out" 2>&1 || complain "no table of options: $(cat "$work/out")"

check()
{
	perl tests/lint/doc_options.pl "$work/completions/options" "$@" 2>"$work/count"
}

mapfile -t documents < <(files '*.md')
while read -r line; do
	complain "$line"
done < <(check "${documents[@]}")
[ "$(awk '{ print $1 }' "$work/count")" -ge 1000 ] || complain "only $(cat "$work/count")"

# The check finds such lines.
cat >"$work/bad.md" <<'END'
    $ ssh target 'pk-record -a -g | pk-inject --no-such' | pk-symbolize >x
    pk-record -g -- ./app --own-option | \
        pk-fold -Y | pk-report --limit
    A=b pk-fold --by 'comm; --not' # --nothing
`pk-plot flame --no-such`, `--title`; `--other`, `pk-filter --tid=1`
END
found=$(check "$work/bad.md")
expected='1: pk-inject has no option --no-such
2: pk-fold has no option -Y
2: pk-report: --limit without its argument
5: pk-plot has no option --no-such'
[ "${found//"$work/bad.md:"/}" = "$expected" ] || complain "doc_options.pl: finds '$found'"
finish
