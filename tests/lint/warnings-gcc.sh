# SPDX-License-Identifier: BSD-2-Clause
# gcc compiles everything, tests included, without a warning. With CC=gcc and WERROR=1, the build itself shows this.
[ "${CC-} ${WERROR-}" = 'gcc 1' ] && folder=build || folder=build-lint-gcc
cd "$PK_TOP" && ${MAKE:-make} --no-print-directory -j2 CC=gcc SAN= WERROR=1 B=$folder tests >/dev/null
