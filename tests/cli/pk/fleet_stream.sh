# SPDX-License-Identifier: BSD-2-Clause
# pk fleet stream: lines of text as streams. Wrong lines are errors.
printf 'main;a b;c 5\nmain;d 18446744073709551615\n' | pk fleet stream cpu-clock >cpu.pk
pk-fold cpu.pk
pk-script -F time,period,event cpu.pk
printf 'main;c 5\n' | pk fleet stream 'my event' | pk-export rows -q --by none
printf 'one\t3\t10\tf\none\t1\t2\tg;h\ntwo\t1000\t5000\tf\n' | pk fleet stream --hosts >hosts.pk
pk-report -q --csv --by symbol --show samples,period hosts.pk
printf 'k\t0123456789abcdef\t16\nk\t0123456789abcdef\t4294967295\nl\tff\t1\n' | pk fleet stream --addresses >addresses.pk
pk-export rows -q --each --frames address --by pid addresses.pk
wrong()
{
	printf '%b' "$1" | pk fleet stream "${@:2}" >out 2>err
	echo "$?: $(cat err)"
}
wrong 'main;c 5\nmain\n'
wrong 'main;c 18446744073709551616\n'
wrong 'one\t0\t1\tf\n' --hosts
wrong 'one\t1\t1\n' --hosts
wrong 'k\t0123\t4294967296\n' --addresses
wrong 'k\t012\t1\n' --addresses
wrong 'k\t01zz\t1\n' --addresses
wrong 'k\t\t1\n' --addresses
wrong '' --hosts more
printf '' | pk fleet stream --hosts | wc -c
printf 'a 1\n' | pk fleet stream >/dev/full
echo "full: $?"
