# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests that compare the numbers of an exported file with those of pk-report.
set -u -o pipefail
status=0 compared=0

complain()
{
	echo "$*"
	status=1
}

skip()
{
	echo "$*" >&2
	exit 77
}

# The streams of tests/data, and with a corpus, some of its recordings, symbolized.
streams()
{
	local name
	for name in x86_64 arm64 s390x; do
		cp "$PK_TOP/tests/data/$name.pk.zst" $name.pk
		echo $name.pk
	done
	[ -n "${PK_CORPUS-}" ] || return
	for name in x86_64-7.2/data/threads.fp.a s390x-7.2/data/06-cxx s390x-7.2/data/14-group-read \
		arm64-7.2/data/08-tp; do
		local folder=$PK_CORPUS/own/${name%%/*} short=corpus-${name##*/}
		mkdir -p "${name%%/*}"
		[ ! -e "$folder/symfs.tar.xz" ] || [ -e "${name%%/*}/symfs" ] || xz -dc "$folder/symfs.tar.xz" | tar -xf - -C "${name%%/*}"
		[ ! -e "$folder/rootfs" ] || [ -e "${name%%/*}/symfs" ] || ln -s "$folder/rootfs" "${name%%/*}/symfs"
		pk-symbolize -q --lines --symfs "${name%%/*}/symfs" "$folder/data/${name##*/}.data" >"$short.pk" 2>/dev/null
		echo "$short.pk"
	done
}

# of_report NUMBER FILE [OPTION...]: "EVENT FUNCTION SELF TOTAL" of all functions, with samples or period.
of_report()
{
	pk-report -q --csv --by symbol --children --show "$1" "${@:2}" 2>/dev/null | perl -e '
		my (%self, %total, %share, %events);
		my $head = <STDIN> // exit;
		my $events = $head =~ /^event,/;
		while (<STDIN>) {
			chomp;
			my ($event, $children, $self, $name) = /^(?:("(?:[^"]|"")*"|[^,]*),)?([-\d.e+]+),(\d+),(.*)$/ or die "line $_";
			$event = "" if !defined $event;
			for ($event, $name) { s/^"(.*)"$/$1/s && s/""/"/g; }
			$self{"$event\t$name"} = $self;
			$share{"$event\t$name"} = $children;
			$total{$event} += $self;
		}
		for (keys %share) {
			my ($event) = split /\t/;
			my $sum = int($share{$_} * $total{$event} / 100 + 0.5);
			print "$_\t$self{$_}\t$sum\n" if $sum;
		}' | LC_ALL=C sort
}

# kinds EVENTS: in the lines of pk-report, the names of pprof's types instead of those of the events: cpu for the only
# clock, samples for the only tracepoint
kinds()
{
	if [ "$(grep -cE '^(cpu|task)-clock' <<<"$1")" = 1 ]; then
		sed -E 's/^(cpu|task)-clock[^\t]*/cpu/'
	elif [[ $1 == *:* && $1 != *$'\n'* ]]; then
		sed 's/^[^\t]*/samples/'
	else
		cat
	fi
}

# expect STREAM: the file expected
expect()
{
	of_report period "$1" >rows
	kinds "$(cut -f1 rows | sort -u)" <rows | LC_ALL=C sort >expected
}

read_export()
{
	perl "$PK_TOP/tests/live/export_read.pl" "$@" || complain "$2: cannot be read as $1"
}

# same WHAT: the files expected and found.
same()
{
	compared=$((compared + 1))
	[ -s expected ] || complain "$1: pk-report has no rows"
	cmp -s expected found && return
	complain "== $1"
	diff expected found | head -n 10
}

# package NAME: sets package, the folder of an npm package in NODE_PATH or npm's global folder; skips the test without it
package()
{
	local folder
	export NODE_PATH=${NODE_PATH-$(npm root -g 2>/dev/null)}
	for folder in ${NODE_PATH//:/ }; do
		package=$folder/$1
		[ ! -e "$package/package.json" ] || return 0
	done
	skip "npm's package $1 is not in NODE_PATH"
}
