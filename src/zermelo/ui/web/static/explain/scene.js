// Draws what is visible of a tree, as it stood after so many events, in as much detail as there is room for.
import { GHOST } from "./layout.js";
import { inequality, number, valueText, windowText } from "./words.js";

export const TOP = 46, BOTTOM = 52;
export const LEAST_ROW = 48; // pixels between plies that leave room for text
const FITTED_ROW = 18, MOST_ROW = 170, FIT = 1.6; // the least and the most of a tree that fits, and its largest zoom
const LETTER = 0.7; // how wide a letter is, at most, over its size
const RING = 6; // how far the ring of the current node lies outside of it
const LARGE = 12.5, SMALL = 9; // sizes of a node's value
const FULL = 22; // pixels between neighbours from which a node has its text
export const LEAST_BOARD = 52;
const GHOST_ROOM = 22; // pixels that a pruned move takes from the width of a board beside it
const MOST_BOARD = 220, OF_ROW = 0.6, OF_GAP = 0.86; // parts of the room that a board takes

// A camera: `x` in units of the layout and `y` in plies are in the middle of a picture of so many pixels.
export class Camera {
  constructor(width, height) { Object.assign(this, { width, height, x: 0, y: 0, zoom: 1, row: 90 }); }

  px(x) { return (x - this.x) * this.zoom + this.width / 2; }
  py(ply) { return (ply - this.y) * this.row + this.height / 2; }
  left(margin = 0) { return this.x - (this.width / 2 + margin) / this.zoom; }
  right(margin = 0) { return this.x + (this.width / 2 + margin) / this.zoom; }

  // The plies fill the height as far as that is sensible, `least` pixels apart or more; a larger zoom draws them apart.
  setZoom(zoom, plies, least = LEAST_ROW) {
    const room = (this.height - TOP - BOTTOM) / Math.max(1, plies - 1);
    this.zoom = zoom;
    this.row = Math.max(least, Math.min(MOST_ROW, room)) * Math.max(1, zoom / FIT);
  }

  fit(layout) {
    const { width, tree } = layout;
    this.setZoom(Math.min(FIT, (this.width - 36) / width), tree.plies, FITTED_ROW);
    this.x = width / 2;
    const tall = (tree.plies - 1) * this.row + TOP + BOTTOM;
    this.y = tall > this.height ? (this.height / 2 - TOP) / this.row : (tree.plies - 1) / 2;
  }

  // Look at the same place, but leave no room empty beside a tree that is cut off at the other side.
  keepWithin({ width, tree }) {
    const side = (this.width / 2 - 18) / this.zoom, above = (this.height / 2 - TOP) / this.row, below = (this.height / 2 - BOTTOM) / this.row;
    this.x = between(this.x, side, width - side);
    this.y = between(this.y, above, tree.plies - 1 - below);
  }
}

// The number between two bounds that is nearest; their middle if the lower one is the larger.
export const between = (number, low, high) => (low > high ? (low + high) / 2 : Math.max(low, Math.min(high, number)));

// The side of the square in which a node's board fits, in pixels.
export function boardSize(layout, camera, node) {
  return Math.min(MOST_BOARD, camera.row * OF_ROW, layout.gap[node] * camera.zoom * OF_GAP, 2 * layout.beside[node] * camera.zoom - GHOST_ROOM);
}

export class Scene {
  constructor(layout, colours) { Object.assign(this, { layout, tree: layout.tree, colours }); }

  // Draw, and return the nodes on which a board has room: [node, x, y, size].
  // `hidden`: whether what the search has not reached yet is left out. `withBoards`: whether boards replace shapes.
  paint(pen, camera, time, { now = -1, hidden = false, withBoards = false, hovered = -1 } = {}) {
    const { tree } = this;
    Object.assign(this, { pen, camera, time, now, hidden, withBoards, boards: [] });
    this.onPath = new Set(now < 0 ? [] : tree.path(now));
    const rows = tree.byPly.map((row, ply) => this.#visible(row, ply));
    const labels = rows.flatMap((row, ply) => (ply ? this.#links(row, ply) : []));
    for (const [x, y, said, style] of labels) pen.text(x, y, said, style); // over all links
    rows.forEach((row) => row.forEach((node) => this.#ghosts(node)));
    rows.forEach((row) => row.forEach((node) => this.#node(node)));
    for (const node of this.onPath) this.#window(node);
    const pointing = hovered >= 0 && tree.flat.stored[hovered] !== undefined ? hovered : now;
    if (pointing >= 0 && tree.flat.stored[pointing] !== undefined && tree.isEntered(pointing, time)) this.#pointer(pointing);
    if (now >= 0) this.#mark(now);
    return this.boards;
  }

  // The nodes of a ply that are on the picture, at most one for each pixel, and those of the path.
  #visible(row, ply) {
    const { layout, camera, onPath } = this, y = camera.py(ply);
    if (y < -camera.row || y > camera.height + camera.row) return [];
    const found = [], right = camera.right(60), step = 1 / camera.zoom;
    let place = layout.firstFrom(row, camera.left(60));
    while (place < row.length && layout.x[row[place]] <= right) {
      const node = row[place];
      if (!this.hidden || this.tree.isEntered(node, this.time) || onPath.has(node)) found.push(node);
      place = layout.gap[node] >= step ? place + 1 : Math.max(place + 1, layout.firstFrom(row, layout.x[node] + step, place));
    }
    return found;
  }

  #alpha(node) { return this.tree.isEntered(node, this.time) ? 1 : 0.16; }
  #room(node) { return this.layout.gap[node] * this.camera.zoom; }
  #radius(node) { return Math.max(1.2, Math.min(13 * Math.min(1.35, Math.max(1, this.camera.zoom)), this.#room(node) * 0.38, this.camera.row * 0.2)); }

  #size(node) {
    if (!this.withBoards || (!this.tree.isEntered(node, this.time) && !this.onPath.has(node))) return 0;
    const size = boardSize(this.layout, this.camera, node);
    return size < LEAST_BOARD ? 0 : size;
  }

  #reach(node) { const size = this.#size(node); return size ? size / 2 : this.#radius(node); }

  // Draw the links of a ply, and return their labels.
  #links(row, ply) {
    const { tree, layout, camera, colours, pen, time } = this, labels = [];
    for (const node of row) {
      const parent = tree.parent[node];
      const from = [camera.px(layout.x[parent]), camera.py(ply - 1) + this.#reach(parent)];
      const to = [camera.px(layout.x[node]), camera.py(ply) - this.#reach(node)];
      const isBest = tree.isClosed(parent, time) && tree.bestChild(parent) === node;
      const isPath = this.onPath.has(node), room = this.#room(node);
      pen.path([from, to], {
        stroke: isPath ? colours.now : isBest ? colours.best : colours.line,
        width: isPath || isBest ? (room < 6 ? 1.4 : 3) : room < 6 ? 0.6 : 1.2, alpha: this.#alpha(node) * (room < 3 && !isPath ? 0.5 : 1),
      }, false);
      const along = camera.row < 80 ? 0.8 : 0.66; // where plies are close, the value of the node above needs the place
      if (room >= FULL && camera.row >= LEAST_ROW && (isPath || tree.move(node).length * 11 * LETTER + 4 < room * along)) {
        const [x, y] = [from[0] + (to[0] - from[0]) * along, from[1] + (to[1] - from[1]) * along + 4];
        labels.push([x, y, tree.move(node), { size: 11, fill: colours.ink, halo: colours.paper, alpha: this.#alpha(node) }]);
      }
    }
    return labels;
  }

  // The moves that were pruned, in grey, and the inequality that pruned them.
  #ghosts(node) {
    const { tree, layout, camera, colours, pen, time } = this, places = layout.ghosts.get(node);
    if (!places || !tree.isClosed(node, time + 1)) return;
    const apart = GHOST * camera.zoom, isNow = node === this.now; // the pruning that happens now is always drawn
    if (!isNow && (this.#room(node) < 8 || places.length * apart < 12)) return;
    const x = camera.px(layout.x[node]), y = camera.py(tree.ply[node]), bottom = y + camera.row * 0.72;
    const names = tree.unsearched(node), side = tree.side(node), isDetailed = camera.zoom >= 0.6 || isNow;
    places.forEach((place, one) => {
      const to = camera.px(place), isLast = one === places.length - 1 && names.length > places.length;
      pen.path([[x, y + this.#reach(node)], [to, bottom - 9]], { stroke: colours.ghost, width: 1.1, dash: [3, 4] }, false);
      pen.path(triangle(to, bottom, Math.max(2.5, Math.min(8, apart * 0.42)), -side), { stroke: colours.ghost, width: 1.2, dash: [3, 2], fill: colours.paper });
      const said = isLast ? `+${names.length - one}` : names[one];
      if (isDetailed && said.length * 10.5 * LETTER < apart) pen.text(to, bottom + 22, said, { size: 10.5, fill: colours.soft, halo: colours.paper });
    });
    const last = camera.px(places.at(-1)), cut = y + this.#reach(node) + (bottom - y - this.#reach(node)) * 0.5;
    const from = x + (camera.px(places[0]) - x) * 0.5 - 8, end = x + (last - x) * 0.5 + 8;
    pen.path([[from, cut + 4], [end, cut - 4]], { stroke: colours.cut, width: 2.4 }, false);
    if (isDetailed) pen.text(end + 5, cut, inequality(tree, node), { size: 11, weight: 650, fill: colours.cut, halo: colours.paper, align: "left" });
  }

  #node(node) {
    const { tree, layout, camera, colours, pen, time } = this;
    const x = camera.px(layout.x[node]), y = camera.py(tree.ply[node]), radius = this.#radius(node), room = this.#room(node);
    const isEntered = tree.isEntered(node, time), isClosed = tree.isClosed(node, time), alpha = this.#alpha(node);
    const kind = isEntered || this.showsKinds ? tree.source(node) : "n", colour = this.#colour(node, kind);
    const size = this.#size(node);
    pen.group(node);
    if (size) {
      this.boards.push([node, x, y, size]);
      const half = size / 2;
      pen.path([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]], { stroke: colour, width: 2, fill: colours.paper });
    } else {
      const style = { stroke: colour, width: room < 6 ? 0.8 : 2, fill: room < 6 ? colour : isClosed || !isEntered ? colours.fill : colours.open, alpha };
      shape(pen, kind, tree.side(node), x, y, radius, style);
    }
    if (room >= FULL && isEntered && camera.row >= LEAST_ROW * 0.7) {
      const said = isClosed ? valueText(tree, node) : this.#soFar(node);
      const letters = this.onPath.has(node) ? LARGE : Math.min(LARGE, (room - 3) / (LETTER * said.length)); // no wider than the place between the neighbours
      const below = (size ? size / 2 : radius) + 14 + (node === this.now ? RING : 0);
      if (said && letters >= SMALL) pen.text(x, y + below, said, { size: letters, weight: 650, fill: isClosed ? colours.ink : colours.now, halo: colours.paper });
    }
    pen.end();
  }

  #colour(node, kind) {
    const { colours } = this, side = this.tree.side(node);
    if (kind === "h") return colours.table;
    return side > 0 ? colours.max : side < 0 ? colours.min : colours.line;
  }

  // The best value of an open node so far.
  #soFar(node) {
    if (!this.onPath.has(node)) return "";
    const value = this.tree.eventValue[this.tree.lastEvent(node, this.time)];
    return Number.isNaN(value) ? "" : `${number(value)} so far`;
  }

  // Alpha and beta beside an open node, as they are now.
  #window(node) {
    const { tree, layout, camera, colours, pen, time } = this;
    if (!tree.hasWindow || tree.isClosed(node, time) || this.#room(node) < 14) return;
    const event = tree.lastEvent(node, time), beside = node === this.now ? 11 : 6; // outside of the ring
    pen.text(camera.px(layout.x[node]) + this.#reach(node) + beside, camera.py(tree.ply[node]) + 4,
      windowText(tree.alpha[event], tree.beta[event]), { size: 12, weight: 600, fill: colours.now, halo: colours.paper, align: "left" });
  }

  // From an answer of the table to the node that stored it.
  #pointer(node) {
    const { tree, layout, camera, colours, pen } = this, from = tree.flat.stored[node];
    const a = [camera.px(layout.x[node]), camera.py(tree.ply[node])], b = [camera.px(layout.x[from]), camera.py(tree.ply[from])];
    const lift = Math.min(90, Math.abs(a[0] - b[0]) / 4 + 20);
    pen.curve(a, [(a[0] + b[0]) / 2, Math.min(a[1], b[1]) - lift], b, { stroke: colours.table, width: 2, dash: [6, 4] });
    pen.circle(b[0], b[1], this.#reach(from) + 6, { stroke: colours.table, width: 2.5 });
  }

  #mark(node) {
    const { tree, layout, camera, colours, pen } = this, x = camera.px(layout.x[node]), y = camera.py(tree.ply[node]);
    const half = this.#size(node) / 2 + 3, style = { stroke: colours.now, width: 3 };
    if (half > 3) pen.path([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]], style);
    else pen.circle(x, y, Math.max(7, this.#radius(node) + RING), style);
  }
}

function triangle(x, y, r, side) {
  return side > 0 ? [[x, y - r], [x + r * 1.08, y + r * 0.85], [x - r * 1.08, y + r * 0.85]]
    : [[x, y + r], [x + r * 1.08, y - r * 0.85], [x - r * 1.08, y - r * 0.85]];
}

// A triangle up for MAX and down for MIN; a square, a circle and a diamond for an end, a cutoff and a table's answer.
export function shape(pen, kind, side, x, y, r, style) {
  if (r < 2.2) pen.path([[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]], { fill: style.fill, alpha: style.alpha });
  else if (kind === "t") pen.path([[x - r * 0.85, y - r * 0.85], [x + r * 0.85, y - r * 0.85], [x + r * 0.85, y + r * 0.85], [x - r * 0.85, y + r * 0.85]], style);
  else if (kind === "c") pen.circle(x, y, r * 0.92, style);
  else if (kind === "h") pen.path([[x, y - r * 1.08], [x + r * 1.08, y], [x, y + r * 1.08], [x - r * 1.08, y]], style);
  else pen.path(triangle(x, y, r, side || 1), style);
}
