# SPDX-License-Identifier: BSD-2-Clause
# clang compiles everything, tests included, without a warning. Its warnings do not depend on the optimization.
cd "$PK_TOP" && ${MAKE:-make} --no-print-directory -j2 CC=clang CFLAGS=-O0 SAN= WERROR=1 B=build-lint-clang tests >/dev/null
