# SPDX-License-Identifier: BSD-2-Clause
# A recording in the place of the command to record is read, not run. Options then are those of the last program.
export XDG_CONFIG_HOME=$PWD/config
exec 2>&1
say()
{
	pk "$@" || echo "status $?"
}
cp "$PK_TOP/format/vectors/good/sample-plain-be.pk" app.pk
mkdir folder
cp app.pk folder/data
zstd -q app.pk -o app.zst
printf '#!/bin/sh\n' >app
chmod +x app
echo '== -n'
say -n flame app.pk
say flame -n app.zst folder -o x.svg
say -n report --by comm app.pk --no-children -o out
say -n report --header app.pk
say -n report --diff app.pk app.zst
say -n flame - <app.pk
say -n sched app.pk
say -n offcpu app.pk --where 'a || b'
say -n record app.pk
say -n flame --title x --symfs root app.pk
say -n annotate main app.pk
echo '== recorded'
say -n annotate sh app.pk
say -n flame ./app app.pk
say -n flame -- app.pk
say -n flame no-such.pk
say -n stat app.pk
say -n diff app.pk app.zst
mkdir -p config/pk
# shellcheck disable=SC2016 # places of the line
printf '%s\n' 'own place: pk-record $@ | pk-filter $@ | pk-report' 'own alone: pk-record $@' >config/pk/commands
say -n place app.pk --where 1
say -n alone app.pk
echo '== run'
say -q report app.pk --by comm --csv
say -q report no-such.pk --no-such
say -o app.pk report app.pk
for option in --help -h; do
	pk flame app.pk $option | head -n 5
done
pk top --version | sed 's/ [0-9].*//'
echo '== names of perf'
say list
say evlist app.pk
say kmem record
say sript
# all subcommands of perf 7.2
for name in annotate archive bench buildid-cache buildid-list c2c check config daemon data diff evlist ftrace help inject iostat kallsyms kmem kvm \
	kwork list lock mem probe record report sched script stat test timechart top trace version; do
	pk -n $name | grep 'pk without arguments'
done
exit 0
