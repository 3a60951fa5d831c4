# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that compare callchains that the kernel has unwound with those of pk-unwind, from stack dumps of the same samples.
. "$PK_TOP/tests/live/fold.bash"
same=$PK_TOP/tests/live/unwind_same.pl
pk-record -q --call-graph unwind --interpreters none -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"

# same [-e EVENT] [-n SAMPLES] [-p PERCENT] COMMAND...: of its samples (20 or more), all but a few have equal callchains.
# EVENT has the place STACK for the size of dumps.
same()
{
	local event=cpu-clock/stack-size=STACK,freq=499/u samples=20 percent=99 option OPTIND
	while getopts e:n:p: option; do
		case $option in
		e) event=$OPTARG ;;
		n) samples=$OPTARG ;;
		p) percent=$OPTARG ;;
		*) fail "same: -$option" ;;
		esac
	done
	shift $((OPTIND - 1))
	# Larger dumps leave no room for 512 addresses in a sample.
	pk-record -q --call-graph unwind --interpreters none -e "${event//STACK/61000}" -m 32M -o both.pk -- "$@" >said 2>err || fail "$*: $(cat err)"
	exclude_user_chain <both.pk >dumps.pk && pk-unwind -q dumps.pk >unwound.pk 2>>err || fail "$*: $(cat err)"
	"$same" both.pk unwound.pk "$(cut -c1-60 <<<"$*" | head -n 1)" "$percent" >compared || fail "$(cut -c1-600 compared)"
	cat compared
	[ "$(sed -n 's/.* of \([0-9]*\) equal.*/\1/p' compared)" -ge "$samples" ] || fail "too few samples: $(cat compared)"
}
