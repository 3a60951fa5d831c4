# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the lint scripts: `files PATTERN...` lists the project's files; patterns are
# those of a shell case, for the path from the root. `complain TEXT` prints TEXT, and the script fails.
cd "$PK_TOP" || exit 1

all_files()
{
	git ls-files -co --exclude-standard 2>/dev/null || find . -type f ! -path './build*' -printf '%P\n'
}

files()
{
	local f p
	while read -r f; do
		[ -f "$f" ] || continue
		for p; do
			# shellcheck disable=SC2254 # a pattern on purpose
			case $f in $p) echo "$f" && break ;; esac
		done
	done < <(all_files)
}

complaints=0
complain()
{
	echo "$*"
	complaints=$((complaints + 1))
}

finish()
{
	exit $((complaints > 0))
}
