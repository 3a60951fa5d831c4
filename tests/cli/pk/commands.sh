# SPDX-License-Identifier: BSD-2-Clause
# What pk prints: commands by question, pipelines as a shell reads them, errors.
say()
{
	pk "$@" 2>&1 || echo "status $?"
}
echo '== list'
pk
echo '== help'
pk help wait
pk help stat
say help no-such
say help cpu wait
echo '== -n'
say -n flame -- ./app
say flame -n -o app.svg -- ./app -n -o x
say --output=app.svg --dry-run flame -p 1
say -n -oapp.txt report -F 99 -- ./app
say -n -o- flame
say -n top
say -n sched
say -n diff before.pk after.pk
# shellcheck disable=SC2016 # not expanded on purpose
say -n stat -- ./app 'a b' '' "it's" '$(touch bad)' '`touch bad`' '; touch bad' '|' A=b -x=y '*' '~' '#' $'\e[31m' $'a\n'"'\\" $'\302\233' 'ü'
[ ! -e bad ] || echo 'an argument was interpreted'
# bash reads the same words.
words=(a "it's" $'\e[31m\n' '\' '$x' A=b "' '" '"' '!')
eval "set -- $(pk -n stat "${words[@]}" | sed 's/^pk-stat //')"
[ "$*" = "${words[*]}" ] && [ $# = ${#words[@]} ] || echo "read as: $*"
echo '== own commands'
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/pk
cat >config/pk/commands <<'END'
# own commands
mine flame: pk-record "$@" | 'my program' "a \"b\"" # my own flame
mine both: a ${@:-x y} ${@:-x} $output ${output:-d} $@x ${@} ${output:-} | b
topic other: # Another question?
other first: first $@
cpu report: replaced # in its place
END
pk | grep -v '^  pk [a-eg-su-z]'
say help other
say help mine
say -n flame 1 2
say -n both
say -n both 1 -o 2
say -n -o out both 1
say -n -o out report
echo '== errors'
for line in 'a b: ' 'a b: | x' 'a b: x |' 'a b: x | | y' "a b: ''" 'a b: $@' 'a b' "a b: '"; do
	echo "$line" >config/pk/commands
	say -n b
done 2>&1 | sed "s|$PWD|.|"
rm -r config
say fold
say no-such
say flmae
say ../bin/fold
say flame -o
say --no-such
say -n flame --no-such
mkdir -p elsewhere/bin
cp "$PK_BIN/pk" elsewhere/bin
elsewhere/bin/pk 2>&1 || echo "status $?"
