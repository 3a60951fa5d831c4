# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# It needs a terminal; what it shows is calculated as in pk-report --live.
sweep pk-top --help
sweep pk-top --version
sweep pk-top --list-options
