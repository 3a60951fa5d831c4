# SPDX-License-Identifier: BSD-2-Clause
# What is missing from a trace is counted.
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
show()
{
	pk-decode "$@" >out.pk
	echo "status $?"
	samples out.pk
	pk-script --dump out.pk | sed -n '/(LOSS)/,/total/{/cause\|count\|total/p}'
}
echo "== truncated, partial, collisions"
{
	head_of_trace
	aux 1 10
	aux 4 20
	aux 8 30
	aux 0 40
	trace 0 0 0 "$(load 0x401000 5 100)"
} | assemble >aux.pk
show -v -e memory aux.pk
show -q --fail-on lost -e memory aux.pk
echo "== damaged records"
{
	head_of_trace
	trace 0 0 0 "$(load 0x401000 5 100)ff4b$(load 0x401004 5 200)$(load 0x401008 5 300)$(code 0 0x40100c)"
} | assemble >damaged.pk
show -e memory damaged.pk
show --fail-on lost -e memory damaged.pk
echo "== a cut file"
head -c -40 damaged.pk >cut.pk
show -e memory cut.pk
echo "== no bytes"
{
	head_of_trace
	trace 0 0 0 ''
} | assemble >empty.pk
show empty.pk
