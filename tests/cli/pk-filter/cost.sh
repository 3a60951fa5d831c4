# SPDX-License-Identifier: BSD-2-Clause
# The thread's name is at the root of stacks that are 32,000 frames deep.
. "$PK_TOP/tests/cli/cost.bash"
exec 2>&1
unpack deep-stack.pk
bounded 1 200 pk-filter --split-by comm -o 'of-%v.pk' deep-stack.pk
ls of-*
