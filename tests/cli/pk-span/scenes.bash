# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of the presets of pk-span: recordings of a few events (presets.pl).
. "$PK_TOP/tests/cli/pk-span/switches.bash"

# try PRESET <SCENE: the spans of the preset
try()
{
	echo "== $*"
	{
		header
		perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats
		finish
	} | assemble >"$1.pk"
	pk-span "$@" "$1.pk" 2>err >out.pk
	echo "status $?"
	sed -n 's/^pk-span:  *//p' err
	show out.pk | sed -E 's/ gap=0//; s/ unfinished=0//'
}
