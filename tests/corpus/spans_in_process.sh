# SPDX-License-Identifier: BSD-2-Clause
# long
# Views over spans print the same lines for recordings of both byte orders as for the output of pk-span.
. "$PK_TOP/tests/corpus/corpus.bash"
. "$PK_TOP/tests/cli/pk-report/spans.bash"
views=0

# try FILE PRESET OPTION...: all views of the preset
try()
{
	local file=$PK_CORPUS/own/${1/\//\/data\/} program view
	[ -f "$file" ] || return 0
	while read -r program view; do
		same "$1" "$file" "$program" "$view" "${@:3}" >differ
		[ ! -s differ ] || complain "$(cat differ)"
		[ "$lines" = 0 ] || views=$((views + 1))
	done < <(views_of "$2")
}

try x86_64-7.2/syscalls.rawsys.data syscalls
try x86_64-7.2/threads.sched.a.data sched
try x86_64-7.2/threads.sched.a.pipe.data sched
try x86_64-7.2/threads.sched.a.data offcpu
try x86_64-7.2/kmem.data kmem
try x86_64-7.2/lockrec-g.data locks
try x86_64-7.2/locky.tp-defer.data locks
try x86_64-7.2/threads.tp-defer.a.data offcpu
try x86_64-7.2/threads.tp-defer-lost.pipe.data offcpu
for machine in s390x-7.2 s390x-6.1 armhf-7.2; do
	try $machine/08-tp.data sched
	try $machine/08-tp.data offcpu
done
[ $views -ge 20 ] || complain "only $views tables"
exit $status
