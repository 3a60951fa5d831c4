# SPDX-License-Identifier: BSD-2-Clause
# All programs that read streams behave alike: what each does in the same situation.
good=$PK_TOP/format/vectors/good/like-perf-le.pk
stages=(pk-filter pk-decode pk-inject pk-merge-callchains pk-unwind pk-symbolize)
tails=(pk-fold pk-script "pk-export perf.data")
cp "$good" in.pk
: >empty
head -c 750 in.pk >cut.pk
mkdir folder

# The name in front of messages is the only difference.
situation()
{
	local tool=$1
	shift
	# shellcheck disable=SC2086 # a program and its format
	$tool "$@" <in.pk >out 2>err
	echo "status $?, output: $([ -s out ] && echo some || echo none)"
	sed "s/^${tool%% *}:/TOOL:/; s/'${tool%% *} /'TOOL /" err
}

# try ARGUMENT...: once for each program; all must do the same
try()
{
	local tool
	rm -f file
	situation pk-filter "$@" >first
	echo "$ TOOL $*"
	cat first
	for tool in "${stages[@]}" "${tails[@]}"; do
		rm -f file
		situation "$tool" "$@" >this
		cmp -s first this || diff first this | sed "s/^/$tool: /"
	done
}

try -q
try -q -
try -q in.pk
try -q - in.pk
try -q -o file in.pk
try -q -o - in.pk
try -q -o /nonexistent/file in.pk
try -q -o folder in.pk
try -q missing
try -q missing in.pk
try -q empty
try -q empty in.pk
try -q cut.pk
try -q /dev/null
try -q folder
try -q --fail-on lost,truncated=5 in.pk
try --fail-on bogus in.pk
try --fail-on lost= in.pk
try --unheard
try -o

# What each says of itself, and where binary must not go.
for tool in "${stages[@]}" "${tails[@]}"; do
	$tool --version | grep -qx "${tool%% *} [0-9][0-9.]*[a-z-]*" || echo "$tool --version: $($tool --version)"
	$tool --help >help || echo "$tool --help: status $?"
	for word in --fail-on --output --verbose --quiet; do
		grep -q -e "$word" help || echo "$tool --help: no $word"
	done
	$tool -v in.pk >/dev/null 2>&1 || echo "$tool -v: status $?"
	$tool in.pk >/dev/full 2>err && echo "$tool: nothing said of a full disk"
	grep -q 'No space left on device' err || echo "$tool: said: $(cat err)"
done

# pk-annotate may take an operand for a function, but not with -i.
pk-annotate --version | grep -qx 'pk-annotate [0-9][0-9.]*[a-z-]*' || echo "pk-annotate --version"
pk-symbolize -q in.pk >symbolized.pk
head -c -40 symbolized.pk >cut.pk
for file in symbolized.pk missing empty cut.pk /dev/null folder; do
	for tool in pk-fold pk-annotate; do
		name=-i
		[ $tool = pk-annotate ] || name=--
		$tool -q "$name" $file >out 2>err
		echo "status $?"
		sed "s/^$tool:/TOOL:/" err
	done >both
	half=$(($(wc -l <both) / 2))
	head -n $half both >first
	tail -n +$((half + 1)) both | diff first - | sed "s|^|pk-annotate -i $file: |"
done
