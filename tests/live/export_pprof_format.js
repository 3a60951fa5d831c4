// SPDX-License-Identifier: BSD-2-Clause
// export_pprof_format.js FILE: reads a profile with npm's pprof-format, and prints "KIND FUNCTION SELF TOTAL", separated by tabs.
'use strict';
const { readFileSync } = require('fs');
const { gunzipSync } = require('zlib');
const { Profile } = require('pprof-format');

const profile = Profile.decode(gunzipSync(readFileSync(process.argv[2])));
const text = index => profile.stringTable.strings[Number(index)];
const functions = new Map(profile.function.map(one => [String(one.id), text(one.name)]));
const locations = new Map(profile.location.map(one =>
	[String(one.id), one.line.length ? one.line.map(line => functions.get(String(line.functionId))) : ['']]));
const sums = profile.sampleType.map(() => new Map());

for (const sample of profile.sample) {
	const stack = sample.locationId.flatMap(id => locations.get(String(id)));
	sample.value.forEach((value, kind) => {
		for (const name of value && stack.length ? new Set(stack) : []) {
			const sum = sums[kind].get(name) || [0n, 0n];
			if (name === stack[0])
				sum[0] += BigInt(value);
			sum[1] += BigInt(value);
			sums[kind].set(name, sum);
		}
	});
}
profile.sampleType.forEach((type, kind) => {
	for (const [name, [self, total]] of sums[kind])
		console.log([text(type.type), name, self, total].join('\t'));
});
