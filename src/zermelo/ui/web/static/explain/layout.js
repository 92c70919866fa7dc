// Where nodes lie: leaves side by side in the order of the search, parents above the middle of their children.
// Distances are in the units of the picture at zoom 1; down the tree a ply is one unit, which the view makes longer.

export const SLOT = 40, GHOST = 30, MOST_GHOSTS = 4;

export class Layout {
  constructor(tree) {
    this.tree = tree;
    const longest = tree.value.reduce((most, one) => Math.max(most, one === null ? 1 : String(one).length), 1);
    this.slot = Math.max(SLOT, 8.8 * (longest + (/[lu]/.test(tree.flat.bound) ? 2 : 0)) + 6);
    this.x = new Float64Array(tree.n);
    this.ghosts = new Map(); // of each node with pruned moves, where these are drawn
    this.#place();
    this.#gaps();
    this.#besides();
  }

  #place() {
    const { tree, x, slot } = this, open = [];
    let across = slot / 2;
    const leave = (node) => {
      if (tree.first[node] < 0) { x[node] = across; across += slot; }
      else x[node] = (x[tree.first[node]] + x[tree.youngest[node]]) / 2;
      const pruned = tree.flat.pruned[node];
      if (!pruned || !pruned.length) return;
      const shown = Math.min(pruned.length, MOST_GHOSTS), from = across - slot / 2 + GHOST / 2;
      this.ghosts.set(node, Array.from({ length: shown }, (_, one) => from + one * GHOST));
      across += shown * GHOST;
    };
    for (let node = 0; node < tree.n; node++) {
      while (open.length && tree.ply[open.at(-1)] >= tree.ply[node]) leave(open.pop());
      open.push(node);
    }
    while (open.length) leave(open.pop());
    this.width = across - slot / 2;
  }

  // How far it is from each node to the nearest one of its ply.
  #gaps() {
    const { tree, x } = this;
    this.gap = new Float64Array(tree.n);
    for (const row of tree.byPly) {
      row.forEach((node, place) => {
        const left = place ? x[node] - x[row[place - 1]] : this.width;
        const right = place + 1 < row.length ? x[row[place + 1]] - x[node] : this.width;
        this.gap[node] = Math.min(left, right);
      });
    }
  }

  // How far it is from each node to the nearest pruned move that is drawn in its row.
  #besides() {
    const { tree, x, ghosts } = this;
    this.beside = new Float64Array(tree.n).fill(Infinity);
    tree.byPly.forEach((row, ply) => {
      const places = row.flatMap((node) => ghosts.get(node) ?? []), below = tree.byPly[ply + 1] ?? [];
      let place = 0;
      for (const node of below) {
        while (place < places.length && places[place] < x[node]) place++;
        this.beside[node] = Math.min(x[node] - (places[place - 1] ?? -Infinity), (places[place] ?? Infinity) - x[node]);
      }
    });
  }

  // The place in a ply's row of the first node at or right of `from`, starting the search at `start`.
  firstFrom(row, from, start = 0) {
    let low = start, high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x[row[middle]] < from) low = middle + 1; else high = middle;
    }
    return low;
  }
}
