// SPDX-License-Identifier: BSD-2-Clause
/* From the state to numbers: which samples are selected, the tree of their stacks, the sums. */

/* ---- Trees ---- */

/* Links the children of each node. The number of a node is greater than that of its parent. */
function linkTree(tree, frames) {
	const {count, parent, frame} = tree;

	tree.first = new Int32Array(count).fill(-1);
	tree.next = new Int32Array(count).fill(-1);
	for (let i = count - 1; i > 0; i--) {
		tree.next[i] = tree.first[parent[i]];
		tree.first[parent[i]] = i;
	}
	/* Whether no caller is of the same function: a sample counts once for each function. */
	const open = new Int32Array(frames.function.length + 1);

	tree.outer = new Uint8Array(count);
	for (let at = tree.first[0]; at > 0;) {
		tree.outer[at] = !open[frames.function[frame[at]]]++;
		if (tree.first[at] > 0) {
			at = tree.first[at];
			continue;
		}
		for (; at > 0; at = parent[at]) {
			open[frames.function[frame[at]]]--;
			if (tree.next[at] > 0)
				break;
		}
		at = at > 0 ? tree.next[at] : 0;
	}
	return tree;
}

/* Changes of the tree. Each gets the function of a frame, the node that the parent has become, and
 * the new tree; it returns the node, or OUTSIDE or DROPPED. */
const OUTSIDE = -1, DROPPED = -2;
const CHANGES = {
	focus: {
		text: 'only', about: 'Show only stacks with this function, from it on',
		root: OUTSIDE,
		node: (tree, at, fn, frame, of) => at === OUTSIDE ? fn === of ? tree.child(0, frame) : OUTSIDE :
			tree.child(at, frame),
	},
	drop: {
		text: 'without', about: 'Leave out the samples with this function',
		root: 0,
		node: (tree, at, fn, frame, of) => fn === of ? DROPPED : tree.child(at, frame),
	},
	hide: {
		text: 'hide', about: 'Leave out the frames of this function: its callers have the weight',
		root: 0,
		node: (tree, at, fn, frame, of) => fn === of ? at : tree.child(at, frame),
	},
	collapse: {
		text: 'collapse', about: 'Leave out what this function calls: it has the weight',
		root: 0,
		node: (tree, at, fn, frame, of) => tree.closed.has(at) ? at :
			tree.child(at, frame, fn === of),
	},
	recursion: {
		text: 'join recursion', about: 'Join calls of a function by itself',
		root: 0,
		node: (tree, at, fn, frame, of, functions) =>
			at > 0 && functions[tree.frames[at]] === fn ? at : tree.child(at, frame),
	},
};

function changeTree(tree, stackNodes, frames, change, of) {
	const {root, node} = CHANGES[change], children = new Map();
	const parents = [-1], names = [-1], became = new Int32Array(tree.count);
	const builder = {
		frames: names, closed: new Set(),
		child(at, frame, close) {
			const key = at * (frames.function.length + 1) + frame;
			let number = children.get(key);

			if (number === undefined) {
				number = parents.push(at) - 1;
				names.push(frame);
				children.set(key, number);
			}
			if (close)
				builder.closed.add(number);
			return number;
		},
	};

	became[0] = root;
	for (let i = 1; i < tree.count; i++) {
		const at = became[tree.parent[i]];

		became[i] = at === DROPPED ? at :
			node(builder, at, frames.function[tree.frame[i]], tree.frame[i], of, frames.function);
	}
	return {
		tree: linkTree({count: parents.length, parent: Int32Array.from(parents),
			frame: Int32Array.from(names)}, frames),
		stackNodes: stackNodes.map(at => at < 0 ? at : became[at]),
	};
}

/* ---- Selections ---- */

/* Index of the first sum with at least this slot. */
function findSlot(sums, slot) {
	let low = 0, high = sums.timed;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (sums.slot[middle] < slot)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

class Model {
	constructor(data) {
		this.data = data;
		this.slots = data.sums.timed ? data.sums.slot[data.sums.timed - 1] + 1 : 0;
		this.plain = {tree: linkTree(data.tree, data.frames), stackNodes: data.stackNodes};
		this.changed = this.plain;
		this.changes = '[]';
	}

	/* Absolute time in ns of the start of a slot. */
	time(slot) {
		return (this.data.slot + BigInt(slot)) << BigInt(this.data.shift);
	}

	/* Rows that the filters select. */
	selectRows(state) {
		return Uint8Array.from(this.data.rows, row => row.event === state.event &&
			(state.pid === null || row.pid === state.pid) &&
			(state.tid === null || row.tid === state.tid) &&
			(state.cpu === null || row.cpu === state.cpu));
	}

	/* The function of a change, or -1. */
	findFunction(name, object) {
		return this.data.functions.findIndex(fn => fn.name === name && fn.object === object && !fn.marker);
	}

	change(changes) {
		const text = JSON.stringify(changes);

		if (text === this.changes)
			return;
		this.changes = text;
		this.changed = this.plain;
		for (const [change, name, object] of changes)
			this.changed = changeTree(this.changed.tree, this.changed.stackNodes, this.data.frames,
				change, this.findFunction(name, object));
	}

	/* Calls back with the indices of the sums in the range of time. */
	ranges(state) {
		const {sums} = this.data;

		if (state.from === null)
			return [[0, sums.count]];
		return [[findSlot(sums, state.from), findSlot(sums, state.to)]];
	}

	/* All sums of the selection. */
	select(state) {
		const {data} = this, {sums} = data, mask = this.selectRows(state);
		const stacks = {weight: new Float64Array(data.stacks), samples: new Float64Array(data.stacks)};

		this.change(state.changes);
		this.mask = mask;
		this.rowWeight = new Float64Array(data.rows.length);
		this.rowSamples = new Float64Array(data.rows.length);
		const here = this.changed.stackNodes;

		for (const [start, end] of this.ranges(state)) {
			for (let i = start; i < end; i++) {
				const row = sums.row[i], stack = sums.stack[i];

				if (!mask[row] || here[stack] < 0)
					continue;
				stacks.weight[stack] += sums.weight[i];
				stacks.samples[stack] += sums.samples[i];
				this.rowWeight[row] += sums.weight[i];
				this.rowSamples[row] += sums.samples[i];
			}
		}
		this.sumTree(stacks);
		this.functionsKnown = null;
	}

	sumTree(stacks) {
		const {tree, stackNodes} = this.changed, {count, parent} = tree;

		this.self = new Float64Array(count);
		this.samples = new Float64Array(count);
		for (let i = 0; i < stackNodes.length; i++) {
			if (stackNodes[i] < 0)
				continue;
			this.self[stackNodes[i]] += stacks.weight[i];
			this.samples[stackNodes[i]] += stacks.samples[i];
		}
		this.total = this.self.slice();
		this.allSamples = this.samples.slice();
		for (let i = count - 1; i > 0; i--) {
			this.total[parent[i]] += this.total[i];
			this.allSamples[parent[i]] += this.allSamples[i];
		}
	}

	/* Self, total and samples of each function; the last one is of samples without a stack. A marker,
	 * such as that of missing callers, is no caller: it has only the samples that end there. */
	functions() {
		const {tree} = this.changed, {functions, frames} = this.data, count = functions.length;
		const result = {self: new Float64Array(count + 1), total: new Float64Array(count + 1),
			samples: new Float64Array(count + 1)};

		if (this.functionsKnown)
			return this.functionsKnown;
		for (let node = 0; node < tree.count; node++) {
			const fn = node ? frames.function[tree.frame[node]] : count;

			result.self[fn] += this.self[node];
			result.samples[fn] += this.samples[node];
			if (!node || functions[fn].marker)
				result.total[fn] += this.self[node];
			else if (tree.outer[node])
				result.total[fn] += this.total[node];
		}
		return this.functionsKnown = result;
	}

	/* The weight of samples with a function that matches: once for each sample. */
	matched(matches) {
		const {tree} = this.changed, hit = new Uint8Array(tree.count);
		let weight = 0;

		for (let node = 1; node < tree.count; node++) {
			const above = hit[tree.parent[node]];

			hit[node] = above || matches[this.data.frames.function[tree.frame[node]]];
			if (hit[node] && !above)
				weight += this.total[node];
		}
		return weight;
	}

	/* ---- Nodes of views ---- */

	/* A node: {frame, total, self, samples, parent, children()}, whose children are made when
	 * they are needed. order: 'name' or 'weight'. */
	callers(order) {
		const {tree} = this.changed;
		const make = (node, parent) => ({
			frame: tree.frame[node], total: this.total[node], self: this.self[node],
			samples: this.allSamples[node], parent, node,
			children: once(function () {
				const list = [];

				for (let at = tree.first[node]; at > 0; at = tree.next[at])
					if (this.model.total[at] || this.model.allSamples[at])
						list.push(make(at, this));
				return this.model.sort(list, order);
			}),
			model: this,
		});

		return make(0, null);
	}

	/* From the leaf: a node has the stacks that end in the same way. */
	inverted(order) {
		const {tree} = this.changed, model = this, leaves = [];

		for (let node = 0; node < tree.count; node++)
			if (this.self[node] || this.samples[node])
				leaves.push({leaf: node, at: node});
		const make = (frame, items, parent) => {
			let total = 0, samples = 0;

			for (const item of items) {
				total += model.self[item.leaf];
				samples += model.samples[item.leaf];
			}
			return {frame, total, self: parent && !parent.parent ? total : 0, samples, parent,
				children: once(function () {
					const groups = new Map();

					for (const {leaf, at} of items) {
						const node = parent ? tree.parent[at] : at;

						if (node <= 0)
							continue;
						const frame = tree.frame[node];

						if (!groups.has(frame))
							groups.set(frame, []);
						groups.get(frame).push({leaf, at: node});
					}
					return model.sort([...groups].map(([frame, list]) => make(frame, list, this)), order);
				})};
		};

		return make(-1, leaves, null);
	}

	/* The stacks of a thread in the order of time: nodes are joined with the last one only. */
	inTime(state, tid) {
		const {data} = this, {sums} = data, {tree, stackNodes} = this.changed;
		const root = {frame: -1, total: 0, self: 0, samples: 0, parent: null, list: []};
		const path = [root], way = [];

		for (const [start, end] of this.ranges(state)) {
			for (let i = start; i < end; i++) {
				const row = data.rows[sums.row[i]];

				if (!this.mask[sums.row[i]] || row.tid !== tid || stackNodes[sums.stack[i]] < 0)
					continue;
				way.length = 0;
				for (let node = stackNodes[sums.stack[i]]; node > 0; node = tree.parent[node])
					way.push(tree.frame[node]);
				let depth = 1;

				while (depth < path.length && depth <= way.length &&
					path[depth].frame === way[way.length - depth])
					depth++;
				path.length = depth;
				for (; depth <= way.length; depth++) {
					const node = {frame: way[way.length - depth], total: 0, self: 0, samples: 0,
						parent: path[depth - 1], list: []};

					path[depth - 1].list.push(node);
					path.push(node);
				}
				for (const node of path) {
					node.total += sums.weight[i];
					node.samples += sums.samples[i];
				}
				path[path.length - 1].self += sums.weight[i];
			}
		}
		const children = function () { return this.list; };

		for (const open = [root]; open.length;) {
			const node = open.pop();

			node.children = children;
			for (const child of node.list)
				open.push(child);
		}
		return root;
	}

	sort(list, order) {
		if (order === 'name')
			return list.sort((a, b) => compareText(this.label(a.frame), this.label(b.frame)) || a.frame - b.frame);
		return list.sort((a, b) => b.total - a.total || a.frame - b.frame);
	}

	label(frame) {
		return frame < 0 ? 'all' : this.data.functions[this.data.frames.function[frame]].label;
	}

	object(frame) {
		return frame < 0 ? '' : this.data.functions[this.data.frames.function[frame]].object;
	}

	/* ---- Rows ---- */

	/* Threads of the selection: by process, thread and name. */
	threads() {
		const found = new Map();

		this.data.rows.forEach((row, i) => {
			const key = JSON.stringify([row.pid, row.tid, row.comm]);

			if (!this.rowSamples[i])
				return;
			if (!found.has(key))
				found.set(key, {pid: row.pid, tid: row.tid, comm: row.comm, weight: 0, samples: 0});
			found.get(key).weight += this.rowWeight[i];
			found.get(key).samples += this.rowSamples[i];
		});
		return [...found.values()];
	}

	/* Stacks of the selection as folded text. */
	folded() {
		const {tree} = this.changed, lines = new Map();

		for (let node = 0; node < tree.count; node++) {
			if (!this.self[node])
				continue;
			const names = [];

			for (let at = node; at > 0; at = tree.parent[at])
				names.push(this.label(tree.frame[at]).replace(/;/g, ':'));
			const line = names.reverse().join(';') || '[no stack]';

			lines.set(line, (lines.get(line) || 0) + this.self[node]);
		}
		return [...lines].map(([line, weight]) => line + ' ' + weight + '\n').sort().join('');
	}
}

function compareText(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}

/* A method that calculates its result once. */
function once(method) {
	let result;

	return function () {
		return result ??= method.call(this);
	};
}
