# SPDX-License-Identifier: BSD-2-Clause
# An operand that is no recording is a command, even if nobody can run it.
pk-stat -o /dev/null -e dummy -- true 2>err || {
	echo "counting is not possible here: $(head -n 1 err)" >&2
	exit 77
}
echo text >text
pk-stat -e dummy ./text
