// SPDX-License-Identifier: BSD-2-Clause
#include "losses.h"
#include "pkutil.h"

void pk_losses_record(struct pk_losses *losses, const struct pk_record *record)
{
	const struct perf_record_lost *lost = (const void *)record->data;
	const struct perf_record_lost_samples *samples = (const void *)record->data;
	struct pk_loss loss;

	switch (record->type) {
	case PERF_RECORD_SAMPLE: losses->samples++; break;
	case PERF_RECORD_STAT: losses->counts++; break;
	case PERF_RECORD_LOST:
		if (record->size >= sizeof(*lost))
			pk_add_saturating(&losses->lost_records, lost->lost);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		if (record->size >= sizeof(*samples) &&
		    !(record->misc & PERF_RECORD_MISC_LOST_SAMPLES_BPF))
			pk_add_saturating(&losses->lost_samples, samples->lost);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		if (pk_definition_of(record) == PK_LOSS && pk_loss_decode(record, &loss) == PK_OK)
			pk_losses_add(losses, loss.cause, loss.count, loss.total);
		break;
	default: break;
	}
}

void pk_losses_add(struct pk_losses *losses, enum pk_loss_cause cause, uint64_t count,
		   uint64_t total)
{
	if (cause >= PK_LOSS_CAUSE_MAX)
		return;
	pk_add_saturating(&losses->causes[cause].count, count);
	pk_add_saturating(&losses->causes[cause].total, total);
}
