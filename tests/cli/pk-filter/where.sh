# SPDX-License-Identifier: BSD-2-Clause
# Conditions on fields: which samples are kept, and what is wrong with those that cannot be understood.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	event 0 8
	name 7 cpu-clock
	name 8 cycles
	comm 5 5 prog
	comm 6 6 'a \"b\\'
	comm 5 50 other
	sample 7 5 0x1000 100 1000000000
	sample 8 5 0x2000 200 2000000000
	sample 7 6 0x3000 300 3000000000
	sample 7 50 0x4000 5000 4000000000
	sample 8 6 0xffffffff81000000 600 5000000000
} | assemble >where.pk
# what is kept, by ip
try()
{
	echo "$ pk-filter $*"
	pk-filter "$@" where.pk 2>err | pk-script -q -F ip - 2>/dev/null | tr -s ' \n' ' '
	echo "status ${PIPESTATUS[0]}"
	cat err
}
try --pid=5
try --pid '!5'
try --pid 5,7-9 --pid 6
try --pid 5 --event cycles
try --event 'c*' --event '!cpu*'
try --comm 'a*'
try --comm '*' --every 2
try --head 2
try --head 9
try --time 2,4
try --time ,1.5
try --time +1.0,+2
try --time 4 --time ,1
try --time 10%-20%
try --time 50%/2
try --user
try --kernel
try --where 'pid == 5 || ip >= 0xffffffff00000000'
try --where '!(pid == 5) && period & 0x200'
try --where 'period > 1k'
try --where 'time >= 2s && time < 3500ms'
try --where 'comm == "a \"b\\"'
try --where 'comm ~ "[op]*" && !(event == "cycles")'
try --where 'comm !~ "*o*"'
try --where 'comm != "prog" && mode == "user"'
try --where 'cpu == 0'
try --where 'tid > -1'
try --where 'depth'
for wrong in '' 'pid' '3' '"x"' 'pid ==' 'pid = 3' 'pid == "5"' 'comm == 5' 'comm > "a"' 'comm' 'comm ~ pid' '5 ~ "x"' '(pid == 5' 'pid == 5)' \
	'pid == 5 &&' '&& pid' 'pid === 5' 'pid == 5x' 'pid == 0x' 'pid == 1.5' 'pid == 99999999999999999999' 'comm == "x' 'pid ! 5' 'pid == 5 pid' \
	'pid == 5 | tid' "$(printf '(%.0s' {1..70})" '@' 'unheard == 5' 'comm & 1'; do
	try --where "$wrong"
done
try --pid x
try --pid 9-5
try --pid '!'
try --time 5,4
try --time x
try --time 10%/11
try --time 10%/0
try --every 0
try --head x
try --drop what
try --where 'pid == 5 || pid == 6' --where 'period > 150'
try --symbol main
# The data type of an access depends on earlier maps: the samples are put in order.
{
	header
	event 1 7
	comm 5 5 prog
	sample 7 5 0x2000 1 2000000000
	sample 7 5 0x1000 1 1000000000
} | assemble >where.pk
for condition in 'pid == 5' '!(type == "x")' '!(typeoff == "x")' '!(typecln == 1)'; do
	echo "$condition: $(pk-filter --where "$condition" where.pk | pk-script --dump | grep -o ' ip=.*' | tr -d '\n')"
done
