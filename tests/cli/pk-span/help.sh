# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal, and has every option.
. "$PK_TOP/tests/cli/options.bash"
exec 3>&2 2>&1
pk-span --help | awk 'length($0) > 90 { print "too long: " $0 }'
check_options pk-span
pk-span --version | grep -qxE 'pk-span [0-9]+\.[0-9]+[^ ]*' || echo "no version"
good=$PK_TOP/format/vectors/good/pk-derived-le.pk
try=(--start begin --end span --key tid)
pk-span "${try[@]}" "$good" >/dev/full
echo "status $?"
pk-span "${try[@]}" /nonexistent
echo "status $?"
printf 'this is no recording' | pk-span "${try[@]}"
echo "status $?"
"$PK_BUILD/tests/live/on_terminal" bash -c "pk-span ${try[*]} '$good'; echo status \$?"
[ $? != 77 ] || {
	echo "no terminal can be made" >&3
	exit 77
}
