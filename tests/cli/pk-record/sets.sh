# SPDX-License-Identifier: BSD-2-Clause
# Sets of events: arguments, sets of the user's file, and malformed lines.
pk-record --list 'sched:sched_switch' >/dev/null 2>&1 || {
	echo "tracepoints cannot be listed here" >&2
	exit 77
}
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/pk
try()
{
	echo "$ pk-record $*"
	pk-record "$@" 2>&1
	echo "status $?"
}
printf '%s\n' 'events plain: no-such-event' 'events empty:' 'events open: -x' 'events self: self' \
	'events argument: no-such-$1' >config/pk/views
try -e plain true
try -e empty true
try -e plain=1 true
try -e plain:u true
try -e plain/period=1/ true
try -e argument true
try -e argument=x true
try -e open true
try -e self true
try -e planes true
try --list=argument
echo "== an event precedes a set of its name"
echo 'events cpu-clock: no-such-event' >config/pk/views
pk-record -e cpu-clock --list=no-such-name 2>&1
echo "== malformed"
echo "events plain: 'a b" >config/pk/views
pk-record -e plain true 2>&1 | sed "s,: .*/config,: config,"
