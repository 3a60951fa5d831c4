# SPDX-License-Identifier: BSD-2-Clause
# No program that writes a stream writes it to a terminal.
for tool in pk-decode pk-filter pk-inject pk-merge-callchains pk-unwind pk-symbolize "pk-export perf.data" "pk-export pprof"; do
	"$PK_BUILD/tests/live/on_terminal" bash -c "$tool -q '$PK_TOP/format/vectors/good/like-perf-le.pk'; echo status \$?"
	[ $? != 77 ] || exit 77
done
# Nor to one that -o names.
for path in /dev/tty /dev/stdout; do
	"$PK_BUILD/tests/live/on_terminal" bash -c "pk-filter -q -o $path '$PK_TOP/format/vectors/good/like-perf-le.pk'; echo status \$?"
done
