// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"
#include "tell.h"

int tell_losses(const struct ring_counts *counts, uint64_t all_lost, uint64_t missed,
		const struct pk_fail_on *fail_on)
{
	const uint64_t samples = counts->samples, lost = all_lost - missed;
	const uint64_t gone = missed + (lost ? lost : counts->lost_records);
	char lost_text[32], all_text[32];

	if (lost)
		pk_warn("%s of %s samples lost: the rings were full: use a larger -m, a lower -F, "
			"or a faster reader",
			pk_number(lost_text, lost), pk_number(all_text, samples + lost));
	else if (gone > missed)
		pk_warn("%s records lost besides %s samples: the rings were full: use a larger -m, "
			"a lower -F, or a faster reader",
			pk_number(lost_text, gone - missed), pk_number(all_text, samples));
	if (missed)
		pk_warn("%s times that a thread was blocked are missing besides %s samples: this "
			"kernel did not say that it went on, or too many were",
			pk_number(lost_text, missed), pk_number(all_text, samples));
	if (!gone || !fail_on->set[PK_FAIL_LOST])
		return PK_EXIT_OK;
	return 100.0 * (double)gone > fail_on->percent[PK_FAIL_LOST] * (double)(samples + gone)
		       ? PK_EXIT_FAILED
		       : PK_EXIT_OK;
}
