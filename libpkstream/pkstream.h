/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKSTREAM_H
#define PKSTREAM_H

/*
 * libpkstream reads and writes perf's record stream and pk's extension of it.
 *
 * A stream is a 16-byte header and records of at most 64 KiB. format/SPEC.md defines the stream.
 * The section numbers in the headers refer to that file. The library converts the numbers in
 * records of known layout to the host's byte order. It does not convert raw data (PERF_SAMPLE_RAW),
 * parts of features (SPEC 9.13) and payloads. Records are not aligned in memory. Read them through
 * the types of perf_abi.h and pk_abi.h, or read single numbers with pk_load_u16/u32/u64.
 *
 * The library does not print, does not exit, does not touch signals, and has no mutable global
 * variables. Only one thread may use a handle at a time.
 *
 * Versions. A program that was built with an older version of this header works with a newer
 * library. Some structs are allocated by the program and may get more members in later versions.
 * These are the structs of options, and pk_record, pk_order_stats and pk_sample where the library
 * fills them. They are passed together with their size: the name of such a function ends in _sized,
 * and an inline function without _sized passes the size. The library sets only the members that the
 * caller's struct has. For options that the caller's struct lacks, it uses 0. The library allocates
 * pk_event, and may add members at its end. All other structs will not change.
 */

#include "perf_abi.h"
#include "pk_abi.h"
#include "pkstream_base.h"
#include "pkstream_event.h"
#include "pkstream_record.h"
#include "pkstream_reader.h"
#include "pkstream_sample.h"
#include "pkstream_writer.h"
#include "pkstream_feature.h"
#include "pkstream_definition.h"
#include "pkstream_dictionary.h"
#include "pkstream_stage.h"

#endif
