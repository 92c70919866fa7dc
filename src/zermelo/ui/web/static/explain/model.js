// A recorded search: the columns that the server sends, and the events and windows that follow from them.
// Nodes are numbered in the order in which the search entered them. No module here touches the document.

export const ENTER = 0, RETURN = 1, PRUNE = 2, LEAVE = 3;
const KINDS = ["enter", "return", "prune", "leave"];

export class Tree {
  // `stage` is one tree as the server sends it. In the path method, only a value inside the window is better.
  constructor(stage, isPath = false) {
    const flat = stage.tree, n = flat.ply.length;
    Object.assign(this, { stage, flat, n, isPath, moves: flat.moves, value: flat.value });
    this.ply = Uint16Array.from(flat.ply);
    this.hasWindow = flat.alpha !== undefined;
    this.plies = 1 + flat.ply.reduce((most, one) => Math.max(most, one), 0);
    this.#link();
    this.#happen();
  }

  // Parents, first children and next siblings follow from the order and the plies.
  #link() {
    const { n, ply } = this;
    this.parent = new Int32Array(n).fill(-1);
    this.first = new Int32Array(n).fill(-1);
    this.next = new Int32Array(n).fill(-1);
    this.before = new Int32Array(n).fill(-1);
    this.byPly = Array.from({ length: this.plies }, () => []);
    const last = new Int32Array(this.plies + 1).fill(-1), youngest = new Int32Array(n).fill(-1);
    for (let node = 0; node < n; node++) {
      this.byPly[ply[node]].push(node);
      last[ply[node]] = node;
      if (!ply[node]) continue;
      const parent = last[ply[node] - 1], elder = youngest[parent];
      this.parent[node] = parent;
      if (elder < 0) this.first[parent] = node;
      else { this.next[elder] = node; this.before[node] = elder; }
      youngest[parent] = node;
    }
    this.youngest = youngest;
  }

  // Events in the order in which they happened: at each the node's best value so far, and its window.
  #happen() {
    const { n, ply, flat, parent } = this, most = 4 * n;
    const kind = new Uint8Array(most), node = new Int32Array(most), child = new Int32Array(most).fill(-1);
    const value = new Float64Array(most), alpha = new Float64Array(most), beta = new Float64Array(most);
    const best = new Float64Array(n).fill(NaN), low = new Float64Array(n), high = new Float64Array(n);
    this.enterAt = new Int32Array(n).fill(-1);
    this.leaveAt = new Int32Array(n).fill(-1);
    let count = 0;
    const say = (what, one, from = -1) => {
      kind[count] = what; node[count] = one; child[count] = from;
      value[count] = best[one]; alpha[count] = low[one]; beta[count] = high[one];
      return count++;
    };
    const leave = (one) => {
      best[one] = flat.value[one];
      if (flat.pruned[one]) say(PRUNE, one);
      this.leaveAt[one] = say(LEAVE, one);
      const up = parent[one];
      if (up < 0) return;
      const side = this.side(up), found = flat.value[one];
      if (Number.isNaN(best[up]) || found * side > best[up] * side) {
        best[up] = found;
        if (side > 0) low[up] = Math.max(low[up], found); else high[up] = Math.min(high[up], found);
      }
      say(RETURN, up, one);
    };
    const open = [];
    for (let one = 0; one < n; one++) {
      while (open.length && ply[open.at(-1)] >= ply[one]) leave(open.pop());
      low[one] = this.hasWindow ? flat.alpha[one] ?? -Infinity : NaN;
      high[one] = this.hasWindow ? flat.beta[one] ?? Infinity : NaN;
      open.push(one);
      this.enterAt[one] = say(ENTER, one);
    }
    while (open.length && flat.source[open.at(-1)] !== "?") leave(open.pop());
    Object.assign(this, { kind, node, child, eventValue: value, alpha, beta, low, high, length: count });
  }

  side(node) { return { "+": 1, "-": -1 }[this.flat.player[node]] || 0; }
  source(node) { return this.flat.source[node]; }
  move(node) { return this.moves[this.flat.move[node]]; }
  unsearched(node) { return (this.flat.pruned[node] || []).map((place) => this.moves[place]); }
  dropped(node) { return (this.flat.dropped[node] || []).map((place) => this.moves[place]); }
  kindAt(time) { return KINDS[this.kind[time]]; }

  *children(node) { for (let one = this.first[node]; one >= 0; one = this.next[one]) yield one; }

  bestChild(node) {
    const wanted = this.flat.best[node];
    if (wanted < 0) return -1;
    for (const one of this.children(node)) if (this.flat.choice[one] === wanted) return one;
    return -1;
  }

  // From the root to a node.
  path(node) {
    const found = [];
    for (let one = node; one >= 0; one = this.parent[one]) found.push(one);
    return found.reverse();
  }

  // Where the pictures of the server find the position: places of legal actions, with dots.
  address(node) { return this.path(node).slice(1).map((one) => this.flat.choice[one]).join("."); }

  isEntered(node, time) { return this.enterAt[node] <= time; }
  isClosed(node, time) { return this.leaveAt[node] >= 0 && this.leaveAt[node] <= time; }

  // The last event of a node up to a time; the node is entered, and on the path to the present node if it is open.
  lastEvent(node, time) {
    if (this.isClosed(node, time)) return this.leaveAt[node];
    if (this.node[time] === node) return time;
    let below = this.node[time];
    while (below >= 0 && this.parent[below] !== node) below = this.parent[below];
    const elder = below < 0 ? -1 : this.before[below];
    return elder < 0 ? this.enterAt[node] : this.leaveAt[elder] + 1;
  }

  // Whether a return brought something better for the player to move.
  isBetter(time) {
    const node = this.node[time], elder = this.before[this.child[time]];
    const before = elder < 0 ? this.enterAt[node] : this.leaveAt[elder] + 1;
    if (this.isPath) return this.alpha[before] !== this.alpha[time] || this.beta[before] !== this.beta[time];
    return elder < 0 || this.eventValue[before] !== this.eventValue[time];
  }

  nextOf(kind, time, step = 1) {
    for (let one = time + step; one >= 0 && one < this.length; one += step) if (this.kind[one] === kind) return one;
    return -1;
  }

  countOf(kind, until = this.length - 1) {
    let found = 0;
    for (let one = 0; one <= until; one++) if (this.kind[one] === kind) found++;
    return found;
  }

  // The node that the moves of another tree's node lead to, as far as this search went that way.
  counterpart(other, node) {
    let here = 0;
    for (const one of other.path(node).slice(1)) {
      let found = -1;
      for (const child of this.children(here)) if (this.flat.choice[child] === other.flat.choice[one]) found = child;
      if (found < 0) return { node: here, isWhole: false };
      here = found;
    }
    return { node: here, isWhole: true };
  }

  // The time of this search that goes with a time of another search of the same position.
  timeOf(other, time) {
    const node = other.node[time], found = this.counterpart(other, node), here = found.node;
    if (!found.isWhole) return { time: this.#end(here), isWhole: false };
    if (other.kind[time] === ENTER) return { time: this.enterAt[here], isWhole: true };
    if (other.kind[time] === RETURN) {
      const child = this.counterpart(other, other.child[time]);
      if (child.isWhole && this.leaveAt[child.node] >= 0) return { time: this.leaveAt[child.node] + 1, isWhole: true };
    }
    return { time: this.#end(here), isWhole: true };
  }

  #end(node) { return this.leaveAt[node] < 0 ? this.length - 1 : this.leaveAt[node]; }

  // The first event at which two searches differ, or -1.
  parting(other) {
    const same = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));
    for (let time = 0; time < Math.min(this.length, other.length); time++) {
      const node = this.node[time];
      if (this.kind[time] !== other.kind[time] || node !== other.node[time]
          || this.flat.choice[node] !== other.flat.choice[node] || !same(this.eventValue[time], other.eventValue[time])
          || !same(this.alpha[time], other.alpha[time]) || !same(this.beta[time], other.beta[time])) return time;
    }
    return -1;
  }
}

// A search is one tree, or one for each depth of iterative deepening; its steps go through all of them.
export class Search {
  constructor(answer) {
    this.answer = answer;
    this.trees = answer.stages.map((stage) => new Tree(stage, answer.plan.method === "path"));
    this.starts = [];
    this.length = 0;
    for (const tree of this.trees) { this.starts.push(this.length); this.length += tree.length; }
  }

  // The tree and the time in it that a step means.
  at(step) {
    let stage = this.trees.length - 1;
    while (stage && this.starts[stage] > step) stage--;
    return { stage, tree: this.trees[stage], time: step - this.starts[stage] };
  }

  clamp(step) { return Math.max(0, Math.min(this.length - 1, step)); }
  prunings() { return this.trees.reduce((sum, tree) => sum + tree.countOf(PRUNE), 0); }
}

// The events as `zermelo.textbook.observer` names them, to compare both.
export function eventsOf(tree) {
  const plain = (number) => (Number.isNaN(number) ? null : Math.abs(number) === Infinity ? String(number).replace("Infinity", "inf") : number);
  return Array.from({ length: tree.length }, (_, time) => [
    tree.kindAt(time), tree.node[time], plain(tree.eventValue[time]), plain(tree.alpha[time]), plain(tree.beta[time])]);
}
