# SPDX-License-Identifier: BSD-2-Clause
# The samples of an operation, and of which events it is a sample.
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
kernel=$((0xffff800008000010))
{
	head_of_trace
	trace 0 0 0 "$(load 0x401000 5 100)$(load $kernel 6 200 0x63e)$(branch 0x401004 5 300 0x401100 0x0b 0x82)$(
		code 0 0x401008)$(operation 0 0)$(events 0x302)$(time_of 400)"
} | assemble >trace.pk
echo "== all events"
pk-decode -v trace.pk >out.pk
echo "status $?"
samples out.pk
echo "== some of them"
pk-decode -e 'l1d-*' -e branch trace.pk | samples
echo "== one of two operations"
pk-decode -e instructions --every 2 trace.pk | pk-script -F event,period,ip 2>/dev/null
echo "== branches"
pk-decode -e branch trace.pk | pk-script -F event,brstack 2>/dev/null
pk-decode -e branch trace.pk | pk-report --by mispredict,branch_cycles 2>/dev/null | grep -v '^#'
echo "== physical addresses"
{
	head_of_trace
	trace 0 0 0 "$(code 0 0x401000)$(context 5)$(operation 1 1)$(physical 0xa000000012345678)$(time_of 100)"
} | assemble | pk-decode -e memory | pk-script -F event,phys_addr,data_src 2>/dev/null
echo "== the stream"
pk-script --dump out.pk | grep -E '^[0-9]+ (AUX|ITRACE|HEADER_ATTR|ORDER)' | cut -d ' ' -f 2
