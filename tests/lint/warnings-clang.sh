# SPDX-License-Identifier: BSD-2-Clause
# timeout: 600
# clang compiles everything, tests included, without a warning.
cd "$PK_TOP" && ${MAKE:-make} --no-print-directory CC=clang SAN= WERROR=1 B=build-lint-clang tests >/dev/null
