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
# Options that the first program does not know are those of the last one that knows them. All that need files get options of symbols.
echo "== of other programs"
pk report -n --by comm -F 99 -- ./app --by its
pk report -n --by comm -g app --csv
pk flame -n --title 'a b' --no-inline ./app
pk malloc -n --min 5us --limit 9 -p 1
pk syscalls -n -p 1 --by comm --for 10s
pk report -n --symfs root -- ./app
pk report -n --no-such 3 -- ./app
pk diff -n --by comm before.pk after.pk
pk diff -n --by comm a.pk b.pk --csv -- c.pk
touch out.txt
pk report -q --diff out.txt -o out.txt -- ./app
# The command gets its own -o; a file of the kind that pk writes is probably meant for pk.
echo "== -o of the command"
pk flame -n -g app -o x.svg
pk flame -n app --output=x.svg
pk flame -n app -ox.svg -o y.svg
pk flame -n -o w.svg app -o x.svg
pk flame -n -- app -o x.svg
pk report -n app -o x.svg
