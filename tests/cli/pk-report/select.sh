# SPDX-License-Identifier: BSD-2-Clause
# Samples are selected as in pk-filter.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
same()
{ # of pk-filter's options; of pk-report's
	pk-filter -q "$1" all.pk | pk-report -q --by=symbol,cpu -n >expected
	pk-report -q "${@:2}" --by=symbol,cpu -n all.pk >found
	cmp expected found && echo "$*: $(wc -l <found)"
}
same --pid=1 -p 1
same --pid='!1' --pid='!1'
same --tid=10-15 --tid=10-15
same --cpu=0 -C 0
same --symbol=g -S g
same --dso='*libm*' -d '*libm*'
same --dso='!libm.so.6' --dso '!libm.so.6'
same --comm=prog -c prog
same --time=0.003,0.005 --time=0.003,0.005
same --time=+0.001,+0.002 --time=+0.001,+0.002
same --where='period > 300 && symbol != "f"' --where='period > 300 && symbol != "f"'
same --where='stack ~ "g"' --where='stack ~ "g"'
same --event=cycles -e cycles
same --comm=prog --where='comm_nodigit == "prog"'
try -c nothing all.pk
try -e nothing all.pk
try --time=10%-20% all.pk
try --time=x all.pk
try --pid=x all.pk
try --where='pid ==' all.pk
try --where='perod == 1' all.pk
same --where='(period > 300 || cpu == 1) && symbol != "f"' --where='period > 300 || cpu == 1' --where='symbol != "f"'
try --where='pid == 1' --where='pid == 2' all.pk
try --where='pid == 1' --where='perod == 2' --where='cpu == 1' all.pk
try --where='pid == 1' --where='perod ==' all.pk
try --comm=nobody all.pk
