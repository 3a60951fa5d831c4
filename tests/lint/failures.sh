# SPDX-License-Identifier: BSD-2-Clause
# lib/symbol and lib/dwarf: an allocation that fails while something is looked up is counted (pk_need, failures.h), or its line ends with
# "/* may fail */": nothing is lost then, or the caller counts it. The files below tell their callers by other means.
. "$PK_TOP/tests/lint/files.bash"
command -v perl >/dev/null || {
	echo "no perl" >&2
	exit 77
}
for file in lib/symbol/*.c lib/dwarf/*.c; do
	case ${file##*/} in
	file.c | demangle.c | debuginfod.c | symbols.c) continue ;;
	probe_*.c | usdt*.c) continue ;; # of a recorder, which stops
	cfi*.c) continue ;; # their callers get a status, and count it
	esac
	# shellcheck disable=SC2016 # perl's
	found=$(perl -0777 -ne '
		while (/\b(malloc|calloc|realloc|reallocarray|strdup|strndup|v?asprintf)\s*\(/g) {
			my ($before, $line) = (substr($_, 0, $-[0]), (split /\n/)[substr($_, 0, $-[0]) =~ tr/\n//]);
			$before =~ s/.*[;{}]//s;
			next if $before =~ /pk_need\s*\(/ || $line =~ m{^\s*(/?\*|//)} || $line =~ m{/\* may fail \*/$};
			print "$line\n";
		}' "$file")
	[ -z "$found" ] || complain "$file: an allocation without pk_need(): $found"
done
finish
