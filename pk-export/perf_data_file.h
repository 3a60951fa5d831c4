/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PERF_DATA_FILE_H
#define PERF_DATA_FILE_H

/*
 * A perf.data file that is being written (SPEC, appendix A):
 *
 *     header, table of events, data, table of features, features, [table of events]
 *
 * The header is written first with the events that are known at that time and without the size of
 * the data, as perf record does: if the program is killed, pk can read the records of the file. At
 * the end, the header is replaced. If events were added meanwhile, a second table has all of them.
 */

#include "buffer.h"
#include "pkprivate.h"

#define PERF_DATA_FEATURES 256

struct perf_data_file {
	/* Set by perf_data_file_open(). */
	int fd;
	const char *name; /* for messages */
	off_t base;	  /* offset of the header */

	struct pk_writer *writer; /* of everything up to the end of the data */
	struct buffer features[PERF_DATA_FEATURES];
	uint64_t features_size; /* bytes of all features */

	/* Private. */
	struct perf_file_header header;
	size_t events; /* number of events in the first table */
	bool started;
	uint64_t whole; /* the file has been written up to here; a record ends here */
};

/* Opens the output: path NULL is stdout. PK_EXIT_OK, or an exit status after a message. */
int perf_data_file_open(struct perf_data_file *file, const char *path);
/* Closes the output and frees everything. False after a message. */
bool perf_data_file_close(struct perf_data_file *file);

/* Adds bytes to a feature, and declares that the file has it. PK_UNSUPPORTED: there is no such
 * feature, or the features are larger than 256 MiB; nothing was added. */
PK_MUST_CHECK enum pk_status perf_data_file_feature(struct perf_data_file *file, uint64_t id,
						    const void *data, size_t size);
/* Removes a feature and its content. */
void perf_data_file_drop(struct perf_data_file *file, uint64_t id);
/* Whether the file has the feature. */
bool perf_data_file_has(const struct perf_data_file *file, unsigned int id);

/* Starts the data, if that was not done before. PK_NOMEM, or the status of the writer. */
enum pk_status perf_data_file_start(struct perf_data_file *file, const struct pk_events *events);
/* Call this before each record of the data, with the size of its payload: writes the records before
 * it, if there are many or the payload is large. */
enum pk_status perf_data_file_flush(struct perf_data_file *file, uint64_t payload_size);
/* Completes the file: the data end after the last record that was written completely. False after a
 * message, or if the writer has failed before; the file is then complete except for what could not
 * be written. */
bool perf_data_file_finish(struct perf_data_file *file, const struct pk_events *events);

#endif
