# SPDX-License-Identifier: BSD-2-Clause
# Options of pk belong to pk wherever they are before -- or the command to record.
export XDG_CONFIG_HOME=$PWD/config
exec 2>&1
printf '#!/bin/sh\n' >app
chmod +x app
pk flame -n -F 199 -o want.svg -- ./app -o its -n
pk flame -F 199 -n -o want.svg ./app -o its -n
pk flame -p 1 -o z.svg -n
pk flame -g -n -o z.svg ./app -n
pk flame -n ./app -o its
# Which options have a value tells the first program: so the command to record is known without a slash, too.
pk flame -n -g app -o its -v
pk flame -n -ag -F99 app -n
pk flame -n --freq 99 -o want.svg app -o its
pk flame --fre 99 --off-cpu -n app -n
pk flame -k mono -n -o want.svg app -n
pk flame -n -p 1 -o z.svg
# of no table
mkdir -p config/pk
# shellcheck disable=SC2016 # a place of the line
echo 'test other: ./other $@ | cat' >config/pk/commands
pk other -n -F 99 ./app -n
pk other -F 99 -n app -n
# The command gets its own -o; a file of the kind that pk writes is probably meant for pk.
echo "== -o of the command"
pk flame -n -g app -o x.svg
pk flame -n app --output=x.svg
pk flame -n app -ox.svg -o y.svg
pk flame -n -o w.svg app -o x.svg
pk flame -n -- app -o x.svg
pk report -n app -o x.svg
