// A small tree with a search in the middle of it: the whole tree, and how far alpha-beta has come. It draws plain SVG.
import { ENTER, LEAVE, PRUNE, RETURN, Search } from "../explain/model.js";
import { Layout } from "../explain/layout.js";
import { SvgPen } from "../explain/pens.js";
import { shape } from "../explain/scene.js";
import { inequality, number, valueText, windowText } from "../explain/words.js";

const TOP = 34, SIDE = 14, BESIDE = 22, LETTER = 0.72; // LETTER: how wide a letter is, at most, over its size
const ALONG = 0.6; // how far down its edge the name of a move stands
const HEIGHTS = [0.36, 0.54, 0.72], LOWER = [0.5, 0.65, 0.8]; // of long names that have no room beside each other
const MOST_STRETCHED = 900; // units up to which a tree is stretched so that they have room
const colour = (name) => `var(--t-${name})`;

export class Lesson {
  // `isNarrow`: the picture is for a telephone, where a unit is less than a pixel.
  constructor(task, { isNarrow = false } = {}) {
    Object.assign(this, { task, isNarrow, row: isNarrow ? 106 : 92, big: isNarrow ? 1.3 : 1 });
    this.full = new Search(task.full).trees[0];
    this.run = new Search(task.run).trees[0];
    this.layout = new Layout(this.full);
    const { layout, full } = this, { width: span } = layout;
    const longest = this.longest = Math.max(...full.value.map((one) => number(one).length)); // letters
    const forValues = Math.max(1, (13 * LETTER * longest + 4) / layout.slot), forMoves = Math.max(forValues, this.#stretchForMoves());
    const hasRoom = forMoves * span <= (isNarrow ? 0 : MOST_STRETCHED);
    this.stretch = hasRoom ? forMoves : forValues;
    this.heights = hasRoom ? [ALONG] : isNarrow ? HEIGHTS : LOWER;
    if (!hasRoom && !isNarrow) this.row += 36; // so that the names stand below the values
    // What stands at inner nodes is wider than they are, and needs room at the edges of the picture.
    const half = 0.5 * LETTER * this.big * Math.max(13 * (longest + 7), 11.5 * (2 * longest + 7));
    const room = Array.from(layout.x, (x, node) => (this.isLeaf(node) ? Infinity : Math.min(x, span - x) * this.stretch));
    this.side = Math.max(SIDE, half - Math.min(...room));
    this.slot = layout.slot * this.stretch;
    this.width = span * this.stretch + 2 * this.side;
    this.height = (full.plies - 1) * this.row + TOP + 58;
    // How many pixels wide the picture is at least, and at most.
    this.least = isNarrow ? Math.floor(0.64 * this.width) : Math.min(620, Math.round(this.width));
    this.most = Math.round(1.3 * this.width);
    // The node of the search at each node of the whole tree, or -1 where the search never came.
    this.here = new Int32Array(this.full.n).fill(-1);
    this.there = new Int32Array(this.run.n);
    for (let node = 0; node < this.run.n; node++) {
      this.there[node] = this.full.counterpart(this.run, node).node;
      this.here[this.there[node]] = node;
    }
  }

  x(node) { return this.layout.x[node] * this.stretch + this.side; }
  y(node) { return this.full.ply[node] * this.row + TOP; }

  // The moves that lead to a node, which are its name.
  name(node) { return node ? this.full.path(node).slice(1).map((one) => this.full.move(one)).join(" ") : "the root"; }
  isLeaf(node) { return this.full.first[node] < 0; }
  leaves() { return Array.from({ length: this.full.n }, (_, node) => node).filter((node) => this.isLeaf(node)); }

  // The nodes that the search passes over at a pruning: the first of them, and whether a node is below one of them.
  prunedAt(time) {
    const node = this.run.node[time], count = (this.run.flat.pruned[node] ?? []).length;
    return count ? [...this.full.children(this.there[node])].slice(-count) : [];
  }

  // The tree after `time` events. `pickable`: nodes that can be chosen. `blank`: leaves are drawn without values.
  svg(time, { pickable = new Set(), blank = false, withWindows = true, hidesNow = false } = {}) {
    const { full, run } = this, pen = new SvgPen(this.width, this.height), now = this.there[run.node[time]];
    const path = new Set(full.path(now)), gone = this.#gone(time), parts = pen.parts;
    for (let node = 1; node < full.n; node++) {
      const parent = full.parent[node], own = this.here[node], isPath = path.has(node), isGone = gone.has(node);
      const isBest = this.#isClosed(parent, time) && this.here[parent] >= 0 && run.bestChild(this.here[parent]) === own && own >= 0;
      const [x1, y1, x2, y2] = [this.x(parent), this.y(parent) + 12, this.x(node), this.y(node) - 13];
      pen.path([[x1, y1], [x2, y2]], { stroke: colour(isPath ? "now" : isGone ? "ghost" : isBest ? "best" : "line"),
        width: isPath || isBest ? 3 : 1.3, dash: isGone ? [4, 4] : [] }, false);
      const move = full.move(node), along = this.#along(node), size = this.#lettersOfMove(node);
      pen.text(x1 + (x2 - x1) * along, y1 + (y2 - y1) * along + 4, move, { size, fill: colour("ink"), halo: colour("paper") });
    }
    for (let node = 0; node < full.n; node++) {
      const own = this.here[node], isGone = gone.has(node), isOpen = path.has(node) && own >= 0 && !this.#isClosed(node, time);
      const stroke = colour(isGone ? "ghost" : full.side(node) > 0 ? "max" : full.side(node) < 0 ? "min" : "line");
      const canPick = pickable.has(node);
      parts.push(`<g data-node="${node}"${canPick ? ` role="button" tabindex="0" class="pick" aria-label="The branch ${this.name(node)}"` : ""}>`);
      if (canPick) pen.circle(this.x(node), this.y(node), 21, { fill: colour("open"), alpha: 0.5 });
      shape(pen, full.source(node), full.side(node), this.x(node), this.y(node), 13,
        { stroke, width: 2, dash: isGone ? [4, 3] : [], fill: colour(isOpen ? "open" : "fill") });
      const said = this.#value(node, time, blank, hidesNow && node === now);
      if (said) pen.text(this.x(node), this.y(node) + 30, said, { size: this.#letters(node, said, 13, isOpen), weight: 650, fill: colour(isGone ? "soft" : "ink"), halo: colour("paper") });
      parts.push("</g>");
      if (own >= 0 && run.flat.pruned[own] && this.#isClosed(node, time) && run.unsearched(own).length) {
        const why = inequality(run, own);
        pen.text(this.x(node), this.y(node) - 18, why, { size: this.#letters(node, why, 11.5), weight: 650, fill: colour("cut"), halo: colour("paper") });
      }
    }
    for (const node of path) {
      const own = this.here[node];
      if (!withWindows || own < 0 || this.#isClosed(node, time) || (hidesNow && node === now)) continue;
      if (this.isLeaf(node)) continue; // it has the window of the node above, which is shown
      const event = run.lastEvent(own, time);
      this.#window(pen, node, windowText(run.alpha[event], run.beta[event]));
    }
    pen.circle(this.x(now), this.y(now), 20, { stroke: colour("now"), width: 3 });
    return pen.svg("", "A search tree; the question at its side names its nodes")
      .replace('role="img"', 'role="group"');
  }

  // The size of letters with which a text at a node comes no nearer than 4 units to one at a neighbour. That of an open
  // node may be wider than those of its neighbours, which are values.
  #letters(node, said, size, isOpen = false) {
    const gap = this.layout.gap[node] * this.stretch, beside = isOpen ? Math.min(gap, LETTER * 13 * this.big * (this.longest + 2)) : gap;
    return Math.max(8, Math.min(size * this.big, (2 * gap - beside - 4) / (LETTER * said.length)));
  }

  // The stretch with which the names of moves in each row stand beside each other.
  #stretchForMoves() {
    const { full, layout } = this, at = (one) => layout.x[full.parent[one]] * (1 - ALONG) + layout.x[one] * ALONG;
    const needs = full.byPly.slice(1).flatMap((row) => row.slice(1).map((node, place) =>
      (12 * LETTER * (full.move(row[place]).length + full.move(node).length) / 2 + 4) / (at(node) - at(row[place]))));
    return Math.max(1, ...needs);
  }

  // How far down its edge the name of a move stands: long names of a row that has no room stand at three heights in turn.
  #along(node) {
    if (!this.#isLong(node)) return ALONG;
    return this.heights[this.full.byPly[this.full.ply[node]].indexOf(node) % this.heights.length];
  }

  #isLong(node) { return this.full.move(node).length > 2; }

  // The size of its letters, with which it comes no nearer than 4 units to the next names at its height.
  #lettersOfMove(node) {
    if (!this.#isLong(node)) return 12 * this.big;
    const { full } = this, row = full.byPly[full.ply[node]], place = row.indexOf(node), along = this.#along(node), next = this.heights.length;
    const at = (one) => this.x(full.parent[one]) * (1 - along) + this.x(one) * along;
    const sizes = [row[place - next], row[place + next]].filter((one) => one !== undefined).map((one) =>
      (Math.abs(at(one) - at(node)) - 4) / (LETTER * (full.move(one).length + full.move(node).length) / 2));
    return Math.max(8, Math.min(12, ...sizes));
  }

  // A window beside its node, on the side that has room; below the value if neither has.
  #window(pen, node, said) {
    const row = this.full.byPly[this.full.ply[node]], place = row.indexOf(node), size = 12 * this.big, wide = LETTER * size * said.length;
    const x = this.x(node), y = this.y(node), style = { size, weight: 600, fill: colour("now"), halo: colour("paper") };
    const left = place ? this.x(row[place - 1]) + 16 : 0, right = place + 1 < row.length ? this.x(row[place + 1]) - 16 : this.width;
    if (x + BESIDE + wide <= right) pen.text(x + BESIDE, y + 5, said, { ...style, align: "left" });
    else if (x - BESIDE - wide >= left) pen.text(x - BESIDE, y + 5, said, { ...style, align: "right" });
    else pen.text(Math.min(Math.max(x, wide / 2), this.width - wide / 2), y + 30 + 14 * this.big, said, style);
  }

  #isClosed(node, time) { const own = this.here[node]; return own >= 0 && this.run.isClosed(own, time); }

  // Nodes that are pruned by now, with all below them.
  #gone(time) {
    const found = new Set();
    for (let node = 1; node < this.full.n; node++) {
      const parent = this.full.parent[node];
      if (found.has(parent) || (this.here[node] < 0 && this.#isClosed(parent, time + 1))) found.add(node);
    }
    return found;
  }

  #value(node, time, blank, isHidden) {
    if (this.isLeaf(node)) return blank ? "" : number(this.full.value[node]);
    const own = this.here[node];
    if (isHidden || own < 0 || !this.run.isEntered(own, time)) return "";
    if (this.run.isClosed(own, time)) return valueText(this.run, own);
    const so = this.run.eventValue[this.run.lastEvent(own, time)];
    return Number.isNaN(so) ? "" : `${number(so)} so far`;
  }

  // The questions of each kind that this search can be asked: the time at which it stands, and what is right.
  questions(kind) {
    const { run } = this, found = [];
    for (let time = 0; time < run.length; time++) {
      const node = run.node[time], isInner = run.first[node] >= 0;
      if (kind === "window" && run.kind[time] === ENTER && isInner && node) found.push({ kind, time, node: this.there[node], alpha: run.alpha[time], beta: run.beta[time], end: time });
      if (kind === "value" && run.kind[time] === LEAVE && isInner) {
        const last = run.kind[time - 1] === PRUNE ? time - 2 : time - 1;
        found.push({ kind, time: last, node: this.there[node], value: run.eventValue[time], end: time });
      }
      if (kind === "pruned" && run.kind[time] === PRUNE && this.prunedAt(time).length) found.push(this.#pruning(time));
    }
    return found;
  }

  // The question which branch is pruned next, asked some events before it happens, after the pruning before.
  #pruning(time) {
    const { run } = this;
    let before = time - 1;
    while (before > 0 && !(run.kind[before] === PRUNE && this.prunedAt(before).length)) before--;
    let start = before + Math.ceil((time - before) * 0.4);
    while (start < time - 1 && !(run.kind[start] === RETURN || (run.kind[start] === ENTER && run.first[run.node[start]] >= 0))) start++;
    return { kind: "pruned", time: start, node: this.prunedAt(time)[0], at: this.there[run.node[time]], end: time + 1 };
  }
}
