# SPDX-License-Identifier: BSD-2-Clause
# -I: the parts of the recorded machine, as perf script -I prints them; which program recorded it.
. "$PK_TOP/tests/cli/stream.bash"
vectors=$PK_TOP/format/vectors/good
shown()
{
	pk-script -q --header-only "$@" | grep -vE '^# (captured|event|missing|stage|bpf_prog_info)'
}
shown "$vectors/features-le.pk"
echo
shown -I "$vectors/features-le.pk" | grep -E ' (sibling|CPU|node|memory)|^# +[0-9]'
shown -I "$vectors/features-be.pk" 2>/dev/null | diff <(shown -I "$vectors/features-le.pk") -
pk-script -q -I "$vectors/features-le.pk" | diff <(pk-script -q --header -I "$vectors/features-le.pk") -

# feature ID, its content on stdin
feature()
{
	cat >content
	{
		num 8 "$1"
		cat content
	} | record 80 0
}
# string TEXT
string()
{
	num 4 8
	printf '%s' "$1" | head -c 7
	head -c $((8 - ${#1})) /dev/zero
}
{
	header
	event 1 7
	string 'pk 1.2' | feature 5
	nums 44 3 2 | feature 7
	# Lists without dies, and one that is cut
	{
		num 4 1
		string 0-1
		num 4 2
		string 0
		string 1
		nums 444444 0 0 1 0 4294967295 4294967295
	} | feature 13
	{
		nums 444444 1 2 3 2048 64 16
		string Unified
		string 32768K
		string 0-2
		nums 4444 1 64 64 12
		string Data
		string $'\e[1m'
	} | feature 20
	nums 888888888 1 134217728 2 0 70 70 5 32 1 | feature 22
	nums 4 2 | feature 14
	{
		num 4 1
		string cpu_p
		string 0-1
	} | feature 30
} >small.pk
echo
shown -I small.pk
{
	header
	event 1 7
	# More CPUs than there is content
	nums 44 4294967295 2 | feature 7
	nums 444444 0 0 1 2 3 4 | feature 13
	nums 888888 1 4096 1 0 18446744073709551615 18446744073709551615 | feature 22
} >lying.pk
shown -I lying.pk
