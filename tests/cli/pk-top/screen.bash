# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of pk-top: runs programs in a terminal of tmux, presses keys, and prints screens.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"

command -v tmux >/dev/null || {
	echo "no tmux" >&2
	exit 77
}
"$PK_BUILD/tests/live/on_terminal" true || exit
export LC_ALL=C.UTF-8
unset TMUX
trap 'in_terminal kill-server 2>/dev/null' EXIT

started=0
in_terminal()
{
	tmux -f /dev/null -S "$PWD/tmux$started" "$@"
}

# start COMMAND: in a new terminal of 80 columns and 24 lines, or of COLUMNSxLINES in $size, of type $terminal
start()
{
	local size=${size-80x24}
	in_terminal kill-server 2>/dev/null
	started=$((started + 1))
	rm -f status
	in_terminal new-session -d -x "${size%x*}" -y "${size#*x}" 'cat >/dev/null' || {
		echo "tmux cannot be started" >&2
		exit 77
	}
	in_terminal set -g status off
	in_terminal set -g remain-on-exit on
	in_terminal set -g default-terminal "${terminal-screen}"
	in_terminal resize-window -x "${size%x*}" -y "${size#*x}"
	in_terminal respawn-pane -k "PATH='$PATH'; $1; echo \$? >status.$started; mv status.$started status"
}

screen()
{
	in_terminal capture-pane -p | sed 's/ *$//'
}

# await REGEX: until a line of the screen matches, and the screen does not change any more
await()
{
	local before=none now end=$((SECONDS + 20))
	while [ "$SECONDS" -lt $end ]; do
		now=$(screen)
		if [ "$now" = "$before" ] && grep -qE -e "$1" <<<"$now"; then
			return 0
		fi
		before=$now
		sleep 0.05
	done
	echo "not on the screen: $1"
	screen
	exit 1
}

# keys KEY...: in tmux's names; a text is typed
keys()
{
	in_terminal send-keys "$@"
}

# changed SCREEN: until the screen is another one
changed()
{
	local end=$((SECONDS + 20))
	while [ "$(in_terminal capture-pane -p -e)" = "$1" ]; do
		[ "$SECONDS" -lt $end ] || {
			echo "the screen does not change"
			screen
			exit 1
		}
		sleep 0.02
	done
}

# press REGEX KEY...: presses keys that change the screen, and waits for a line
press()
{
	local regex=$1 before
	shift
	before=$(in_terminal capture-pane -p -e)
	keys "$@"
	changed "$before"
	await "$regex"
}

# shot REGEX [KEY...]: presses keys that change the screen, waits for a line, and prints the screen
shot()
{
	if [ $# = 1 ]; then await "$1"; else press "$@"; fi
	shift
	echo "---- $*"
	# The selected line gets a mark.
	in_terminal capture-pane -p -e | sed -E 's/^[^\x1b]*(\x1b\[[0-9;]*m)*\x1b\[([0-9;]*;)?7m/>&/; s/\x1b\[[0-9;]*m|\x0f//g; s/^[^>]/ &/; s/ *$//'
}

# ended: waits for the end of the program, and prints its exit status
ended()
{
	local end=$((SECONDS + 20))
	while [ ! -e status ]; do
		[ "$SECONDS" -lt $end ] || {
			echo "the program does not end"
			screen
			exit 1
		}
		sleep 0.05
	done
	echo "status $(cat status)"
}
