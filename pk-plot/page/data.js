// SPDX-License-Identifier: BSD-2-Clause
/* The data of the page: page_pack.c writes them, docs/page.md describes them. */

const KERNEL = 1, GUEST = 4, HYPERVISOR = 8, INLINED = 16, JIT = 32, TRUNCATED = 128, TEXT = 256;
const NO_TIME = 2 ** 32; // a difference of slots: the sums from here on have no time

async function inflate(text) {
	const binary = atob(text), bytes = new Uint8Array(binary.length);

	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
	return new Uint8Array(await new Response(plain).arrayBuffer());
}

/* Numbers of 7 bits in each byte, the lowest first. */
function column(bytes, start) {
	let at = start;

	return {
		next() {
			let value = bytes[at++];

			if (value < 128)
				return value;
			value -= 128;
			for (let scale = 128; ; scale *= 128) {
				const byte = bytes[at++];

				value += (byte & 127) * scale;
				if (byte < 128)
					return value;
			}
		},
	};
}

function readSums(numbers, data) {
	const count = data.sums;
	const sums = {
		count, timed: count, slot: new Uint32Array(count), row: new Uint32Array(count),
		stack: new Uint32Array(count), samples: new Float64Array(count), weight: new Float64Array(count),
	};
	const each = new Float64Array(data.events.length);

	for (let i = 0, slot = 0; i < count; i++) {
		const difference = numbers.next();

		if (difference === NO_TIME)
			sums.timed = i;
		else
			slot += difference;
		sums.slot[i] = slot;
	}
	for (let i = 0; i < count; i++) {
		const value = numbers.next(), same = i && i !== sums.timed && sums.slot[i] === sums.slot[i - 1];

		sums.row[i] = same ? sums.row[i - 1] + value : value;
	}
	for (let i = 0; i < count; i++)
		sums.stack[i] = numbers.next();
	for (let i = 0; i < count; i++)
		sums.samples[i] = numbers.next();
	for (let i = 0; i < count; i++) {
		const code = numbers.next(), event = data.rows[sums.row[i]].event;

		sums.weight[i] = code ? code - 1 : each[event] * sums.samples[i];
		if (code)
			each[event] = Math.floor(sums.weight[i] / sums.samples[i]);
	}
	return sums;
}

function readRows(numbers) {
	const rows = [];

	for (let i = 0; i < numbers.length; i += 5)
		rows.push({event: numbers[i] - 1, pid: numbers[i + 1], tid: numbers[i + 2],
			comm: numbers[i + 3], cpu: numbers[i + 4]});
	return rows;
}

/* Functions are pairs of name and object. Frames are functions with a kind: inlined, of the kernel. */
function readFrames(head) {
	const functions = [], of = new Map(), frames = {function: [], flags: []};

	for (let i = 0; i < head.frames.length; i += 3) {
		const [name, object, flags] = head.frames.slice(i, i + 3);
		const marker = flags & (TRUNCATED | TEXT) ? flags & (TRUNCATED | TEXT) : 0;
		const key = name + ' ' + object + ' ' + marker;

		if (!of.has(key)) {
			of.set(key, functions.length);
			functions.push({name: name ? head.strings[name - 1] : '',
				object: object ? head.strings[object - 1] : '', marker, flags: 0});
		}
		frames.function.push(of.get(key));
		frames.flags.push(flags);
		functions[of.get(key)].flags |= flags;
	}
	for (const fn of functions)
		fn.label = label(fn);
	return {functions, frames};
}

/* What a frame is called on the page. */
function label(fn) {
	if (fn.marker & TRUNCATED)
		return fn.name || '[callers are missing]';
	return fn.name || (fn.object ? '[' + fn.object.replace(/^.*\//, '') + ']' : '[unknown]');
}

function readTree(numbers, count) {
	const parent = new Int32Array(count), frame = new Int32Array(count).fill(-1);

	parent[0] = -1;
	for (let i = 1; i < count; i++)
		parent[i] = i - numbers.next();
	for (let i = 1; i < count; i++)
		frame[i] = numbers.next();
	return {count, parent, frame};
}

async function readData() {
	const element = document.getElementById('data');
	const bytes = await inflate(element.textContent);
	const size = new DataView(bytes.buffer).getUint32(0, true);
	const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
	const numbers = column(bytes, 4 + size);

	element.remove();
	if (data.version !== 1)
		throw new Error('data of version ' + data.version);
	Object.assign(data, readFrames(data));
	data.rows = readRows(data.rows);
	data.tree = readTree(numbers, data.nodes);
	data.stackNodes = new Int32Array(data.stacks);
	for (let i = 0; i < data.stacks; i++)
		data.stackNodes[i] = numbers.next();
	data.sums = readSums(numbers, data);
	data.slot = BigInt(data.slot);
	data.events = data.events.map(([name, unit]) => ({name, unit, samples: 0}));
	for (let i = 0; i < data.sums.count; i++)
		data.events[data.rows[data.sums.row[i]].event].samples += data.sums.samples[i];
	/* The event of the most samples is shown first. */
	data.usual = data.events.reduce((most, event, i, all) => event.samples > all[most].samples ? i : most, 0);
	return data;
}
