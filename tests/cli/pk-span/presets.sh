# SPDX-License-Identifier: BSD-2-Clause
# Each preset on a small recording of its events.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"

eval "try_one$(declare -f try | sed 1s/^try//)"
try()
{
	try_one "$@"
	[ "$1" != malloc ] || pk-span malloc --pass malloc.pk | pk-span memory | show | grep pk:memory
}

. "$PK_TOP/tests/cli/pk-span/preset_scenes.bash"
echo "== no event of the preset"
pk-span block kvm.pk >out.pk
echo "status $?"
pk-span -v offcpu --name again --start kvm_exit --end kvm_entry --key tid kvm.pk 2>&1 >out.pk | grep -E 'no event|pk:|spans?$'
echo "== files with the name of a preset"
cp kvm.pk sched
pk-span kvm ./sched | pk-fold -q --event exit | head -1
pk-span kvm sched 2>&1 | pk-fold -q --event exit | head -1
pk-span list | grep -c '^[a-z]'
pk-span --view list | cmp - <(pk-span list) || echo "different"
pk-span --view kvm kvm.pk | show | cmp - <(pk-span kvm kvm.pk | show) || echo "different"
exit 0
