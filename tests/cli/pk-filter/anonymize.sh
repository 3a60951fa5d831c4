# SPDX-License-Identifier: BSD-2-Clause
# --anonymize: what becomes of each kind of record, and of names; the same key gives the same names.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 0 7
	event 1 8
	event 2 9 77
	name 7 cpu-clock
	name 8 probe_secret:function
	name 9 sched:sched_switch
	comm 5 5 secret-name
	comm 6 6 swapper
	maps 5 0x401000 0x1000 /opt/secret/program
	maps 5 0x500000 0x1000 //anon
	maps 5 0x7ff000 0x1000 '[vdso]'
	# a cgroup, a namespace, a symbol, a type that nobody knows, an unknown update, a feature nobody knows, a host
	{
		num 8 1234
		text /secret.slice
		trailer 0
	} | record 19 0
	{
		nums 84 $((0xffffffffc0000000)) 64
		nums 22 1 0
		text bpf_prog_secret
		trailer 0
	} | record 17 0
	text secretsecret | record 40 0
	text secretsecret | record 99 0
	{
		nums 88 77 7
		text secretsecret
	} | record 78 0
	{
		num 8 29
		text secretsecret
	} | record 80 0
	{
		num 8 77
		text secretsecret
	} | record 80 0
	{
		num 8 3
		num 4 16
		printf 'secrethost\0\0\0\0\0\0'
		num 4 0
	} | record 80 0
	definition 99 <<<secretsecretsecretsecre
	sample 7 5 0x401234 100 1000
	sample 8 5 0x500010 200 2000
	sample 9 6 0x7ff123 300 3000
} >in.pk
head -c 32 /dev/zero | tr '\0' k >key
pk-filter --anonymize --key-file key in.pk >out.pk
echo "status $?"
pk-script --dump out.pk 2>err | grep -v '^  id=\|id\[\|time=\|trailer\.' | sed 's/^[0-9]* //'
grep -a -c secret out.pk
echo "== fields that nobody knows yet"
behind()
{
	{
		cat
		text secretsecret
	} | record "$1" 0
}
{
	header
	event 1 7
	: | behind 68
	nums 844888 1 0 0 1 2 3 | behind 76
	nums 88 0 1 | behind 77
	nums 888881124 1 2 3 4 5 1 1 0 0 | behind 79
	nums 888 1 0 5 | behind 75
	nums 88888 1 7 0 0 5 | behind 69
	nums 2222 0 2 0 1 | behind 74
	nums 888 1 7 5 | behind 78
	nums 882222 3 7 0 2 0 1 | behind 78
	nums 844 7 2 2 | behind 80
	nums 888 21 1 2 | behind 80
	{
		nums 88 1 5
		text secret-name
		num 8 0
	} | behind 73
	{
		nums 44888 5 5 1 3 4
		text secretsecret
		trailer 7
	} | record 16 0
	{
		nums 2248 1 0 1 5
		text secretsecret
		trailer 7
	} | record 18 0
	{
		nums 888 1 1 $((0x401000))
		text secretsecret
		trailer 7
	} | record 22 0
	{
		nums 4444 1 1 0 8
		printf secretidsecretsecretsecr
	} | definition 5
	{
		num 4 5
		printf 'secretidsecretsecret\010\0\0\0'
		printf '/bin/true\0\0\0'
	} | record 67 $((1 << 15))
	{
		nums 44888 5 5 0x1000 0x1000 0
		printf '\010\0\0\0secretidsecretsecret'
		nums 44 5 2
		text /bin/true
		trailer 7
	} | record 10 $((1 << 14 | 2))
} >new.pk
pk-filter -q --anonymize --key-file key new.pk >known.pk
pk-script --dump known.pk | sed -n 's/^[0-9]* \([A-Z0-9_]* type=\)/\1/p'
grep -a -o secret new.pk | wc -l
grep -a -c secret known.pk
echo "== files of two devices"
device()
{
	{
		nums 448884488 5 5 0x1000 0x1000 0 0 "$1" 4711 0
		nums 44 5 2
		text /bin/true
		trailer 7
	} | record 10 2
}
{
	header
	event 1 7
	device 35
	device 36
	device 35
} >devices.pk
pk-filter -q --anonymize --key-file key devices.pk | pk-script --dump - | grep ' ino=' | uniq | wc -l
echo "== keys"
PK_ANONYMIZE_KEY=$(cat key) pk-filter -q --anonymize in.pk >again.pk
cmp out.pk again.pk && echo "the same key, the same stream"
pk-filter -q --anonymize in.pk >a.pk
pk-filter -q --anonymize in.pk >b.pk
cmp -s a.pk b.pk || echo "each time another one without"
pk-filter -q --anonymize --key-file key in.pk in.pk | pk-script --dump - | grep -c "$(pk-script --dump out.pk | grep -m 1 comm=)"
echo short >short
pk-filter --anonymize --key-file short in.pk
echo "status $?"
pk-filter --anonymize --key-file missing in.pk
echo "status $?"
PK_ANONYMIZE_KEY=short pk-filter --anonymize in.pk
echo "status $?"
pk-filter --key-file key in.pk
echo "status $?"
pk-filter --anonymize --keep unheard in.pk
echo "status $?"
echo "== with other things"
pk-filter -q --anonymize --key-file key --comm 'secret*' in.pk | pk-script -q -F comm,pid,event,ip -
mkdir out
pk-filter -q --anonymize --key-file key --split-by comm -o 'out/%v' in.pk
ls out
pk-filter -q --anonymize --key-file key --strip-extensions in.pk | pk-script --dump - 2>/dev/null | grep -c definition
f=$PK_TOP/format/vectors/good/sample-all-le.pk
for keep in '' '--keep raw,stack,regs,iregs'; do
	# shellcheck disable=SC2086
	pk-filter -q --anonymize --key-file key $keep "$f" | pk-script --dump - 2>/dev/null |
		grep -o '^  \(raw\|user_stack\|user_reg\|intr_reg\|phys\)[a-z_]*' | sort -u
done
