# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk
sweep pk help wait
sweep pk -n flame -o out.svg -- ./app
sweep pk -n flame -g app -o out.svg
mkdir -p config/pk
# shellcheck disable=SC2016 # a place of the line
printf '%s\n' 'test copy: cat $@ | cat | cat' 'test none: no-such-program' >config/pk/commands
XDG_CONFIG_HOME=$here/config sweep -m 60 pk -q copy "$symbolized"
