# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests that compare views over spans with and without pk-span in the pipeline.

# views_of PRESET: lines PROGRAM VIEW of the views whose input this preset makes
views_of()
{
	sed -nE "s/^needs ([a-z0-9-]+):.*\| pk-span $1( .*)?$/\1/p" "$PK_TOP/share/pk/views" | while read -r view; do
		sed -nE "s/^(pk-report|pk-script) $view:.*/\1 $view/p" "$PK_TOP/share/pk/views"
	done
}

# spans VIEW FILE: writes spans.pk with all programs of pk-span that the view needs; fails if nothing starts a span
spans()
{
	local commands command last=$2
	commands=$(sed -nE "s/^needs $1: //p" "$PK_TOP/share/pk/views" | sed 's/ | /\n/g' | grep '^pk-span')
	while IFS= read -r command; do
		# shellcheck disable=SC2086 # words of options
		$command -q "$last" >next.pk 2>spans.err
		! grep -q 'no start event' spans.err || return 1
		mv next.pk spans.pk
		cp spans.pk last.pk
		last=last.pk
	done <<<"$commands"
}

# same WHAT FILE PROGRAM VIEW OPTION...: the view of FILE prints the same lines as the view of its spans. Sets `lines` to their number.
same()
{
	local what=$1 file=$2 program=$3 view=$4
	lines=0
	spans "$view" "$file" || return 0
	"$program" -q --view "$view" "${@:5}" spans.pk >expected 2>expected.err
	"$program" -q --view "$view" "${@:5}" "$file" >found 2>found.err
	lines=$(wc -l <expected)
	cmp -s expected found || {
		echo "$what: $program --view $view ${*:5}: different without pk-span: $(head -n 1 found.err)"
		diff expected found | head -n 5
	}
}
