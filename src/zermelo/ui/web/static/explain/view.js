// One tree on the page: a canvas that is moved and zoomed, boards above it, and a small map of the whole tree.
import { Layout } from "./layout.js";
import { CanvasPen, PdfPen, SvgPen } from "./pens.js";
import { standalone } from "./saving.js";
import { BOTTOM, Camera, LEAST_BOARD, LEAST_ROW, Scene, TOP, between } from "./scene.js";
import { why } from "./words.js";

const NAMES = ["max", "min", "table", "best", "line", "ink", "soft", "paper", "fill", "open", "now", "cut", "ghost"];
const READABLE = 30, GOOD = 46; // pixels between neighbours below which the view zooms in, and to which
const PRUNED = 0.5; // the least zoom at which pruned moves can be read
const MAP = { width: 190, height: 64 };
const MOST_BOARDS = 80;
export const SLIDE = { width: 1280, height: 720 };

export class View {
  // `picked(node)` is called for a click; `boards(tree, nodes)` returns the pictures of nodes, as a promise.
  constructor(holder, { picked, boards }) {
    Object.assign(this, { holder, picked, boards, layout: null, time: 0, now: -1, follows: true, hovered: -1, pictures: new Map() });
    this.canvas = holder.querySelector("canvas.picture");
    this.map = holder.querySelector("canvas.map");
    this.over = holder.querySelector(".boards");
    this.tip = holder.querySelector(".tip");
    this.camera = new Camera(10, 10);
    new ResizeObserver(() => this.resized()).observe(holder);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.colours = null; this.draw(); });
    this.#listen();
  }

  setTree(tree) {
    if (this.layout && this.layout.tree === tree) return;
    this.layout = new Layout(tree);
    this.pictures = new Map();
    this.over.replaceChildren();
    this.hovered = -1;
    this.resized();
    this.fit();
  }

  // Show the tree as it stood at a time; `now` is the node to point out, or -1.
  show(time, now) {
    Object.assign(this, { time, now });
    this.holder.dataset.now = now;
    this.holder.dataset.time = time;
    if (now >= 0 && this.follows) this.follow(now);
    this.draw();
  }

  readColours() {
    const style = getComputedStyle(this.holder);
    return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--t-${name}`).trim()]));
  }

  resized() {
    const { width, height } = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    if (!width || !height) return;
    const isFirst = this.camera.width === 10;
    Object.assign(this.camera, { width, height });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (!this.layout) return;
    if (isFirst || this.isFitted) this.fit(); else this.camera.setZoom(this.camera.zoom, this.layout.tree.plies);
    if (this.now >= 0 && this.follows && !this.isFitted) this.follow(this.now);
    this.draw();
  }

  fit() {
    if (!this.layout) return;
    this.camera.fit(this.layout);
    this.isFitted = true;
    this.target = null;
    this.draw();
  }

  zoomBy(factor, x = this.camera.width / 2, y = this.camera.height / 2) {
    const { camera, layout } = this;
    if (!layout) return;
    const least = Math.min(1, (camera.width - 36) / layout.width) * 0.8;
    const atX = camera.x + (x - camera.width / 2) / camera.zoom, atY = camera.y + (y - camera.height / 2) / camera.row;
    camera.setZoom(Math.max(least, Math.min(8, camera.zoom * factor)), layout.tree.plies);
    camera.x = atX - (x - camera.width / 2) / camera.zoom;
    camera.y = atY - (y - camera.height / 2) / camera.row;
    this.isFitted = false;
    this.target = null;
    this.#stay();
    this.draw();
  }

  pan(dx, dy) {
    this.camera.x -= dx / this.camera.zoom;
    this.camera.y -= dy / this.camera.row;
    this.isFitted = false;
    this.target = null;
    this.#stay();
    this.draw();
  }

  // Keep some of the tree on the picture.
  #stay() {
    const { camera, layout } = this, room = camera.width / 3 / camera.zoom, plies = layout.tree.plies - 1;
    camera.x = Math.max(-room, Math.min(layout.width + room, camera.x));
    camera.y = Math.max(-0.5, Math.min(plies + 0.5, camera.y));
  }

  // Bring a node into view: zoom in if its neighbours are too close to read, and move if it is near the edge.
  follow(node) {
    const { camera, layout, withBoards } = this, room = layout.gap[node] * camera.zoom, { plies } = layout.tree;
    const [readable, good, row] = withBoards ? [1.2 * LEAST_BOARD, 1.6 * LEAST_BOARD, 1.7 * LEAST_BOARD] : [READABLE, GOOD, LEAST_ROW];
    const aim = Object.assign(new Camera(camera.width, camera.height), { x: camera.x, y: camera.y, zoom: camera.zoom, row: camera.row });
    const isPruned = layout.ghosts.has(node) && layout.tree.isClosed(node, this.time + 1) && camera.zoom < PRUNED;
    const isClose = isPruned || (room < readable && layout.tree.n > 1 && camera.zoom < 1.2), isFlat = node > 0 && camera.row < row;
    if (isClose || isFlat) {
      const wanted = Math.max(camera.zoom, isPruned ? PRUNED : 0, room < readable ? good / layout.gap[node] : 0);
      aim.setZoom(Math.min(Math.max(1.2, camera.zoom), wanted), plies, row);
    }
    const x = aim.px(layout.x[node]), y = aim.py(layout.tree.ply[node]), margin = Math.min(90, camera.width / 5);
    if (isClose || x < margin || x > camera.width - margin) aim.x = this.#within(aim, layout.x[node]);
    if (isFlat || y < TOP || y > camera.height - BOTTOM) aim.y = this.#withinPlies(aim, layout.tree.ply[node]);
    const isUnderMap = !this.isWhole(aim) && aim.px(layout.x[node]) > aim.width - MAP.width - 40 && aim.py(layout.tree.ply[node]) > aim.height - MAP.height - 40;
    if (isUnderMap) aim.y = layout.tree.ply[node] - (aim.height / 2 - MAP.height - 60) / aim.row;
    if (aim.x === camera.x && aim.y === camera.y && aim.zoom === camera.zoom && aim.row === camera.row) return;
    this.isFitted = false;
    this.#moveTo(aim);
  }

  // The middle of the picture nearest to `x` that leaves no empty place beside the tree.
  #within(camera, x) {
    const half = (camera.width / 2 - 18) / camera.zoom, { width } = this.layout;
    return width < 2 * half ? width / 2 : Math.max(half, Math.min(width - half, x));
  }

  // The same for the plies.
  #withinPlies(camera, ply) {
    const above = (camera.height / 2 - TOP) / camera.row, below = (camera.height / 2 - BOTTOM) / camera.row;
    return between(ply, above, this.layout.tree.plies - 1 - below);
  }

  // Whether a picture shows the whole tree.
  isWhole(camera) {
    const { layout } = this;
    return camera.left() <= 0 && camera.right() >= layout.width && camera.py(0) > 0 && camera.py(layout.tree.plies - 1) < camera.height;
  }

  // Show a node with its children and neighbours.
  focus(node) {
    const { camera, layout } = this, aim = new Camera(camera.width, camera.height);
    aim.setZoom(Math.max(1, Math.min(4, 90 / layout.gap[node])), layout.tree.plies);
    Object.assign(aim, { x: layout.x[node], y: layout.tree.ply[node] });
    this.isFitted = false;
    this.#moveTo(aim);
    this.draw();
  }

  #moveTo(aim) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { Object.assign(this.camera, { x: aim.x, y: aim.y, zoom: aim.zoom, row: aim.row }); return; }
    this.target = { from: { ...this.camera }, to: aim, start: performance.now() };
    this.draw();
  }

  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((at) => { this.isAsked = false; this.paint(at); });
  }

  paint(at) {
    const { camera, canvas, layout } = this;
    if (!layout || !this.canvas.width) return;
    this.#glide(at);
    const began = performance.now(), context = canvas.getContext("2d"), ratio = canvas.width / camera.width;
    this.colours ??= this.readColours();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, camera.width, camera.height);
    const scene = new Scene(layout, this.colours);
    const places = scene.paint(new CanvasPen(context), camera, this.time, { now: this.now, withBoards: this.withBoards, hovered: this.hovered });
    this.#placeBoards(places);
    this.#drawMap();
    this.painted = performance.now() - began; // milliseconds, for the tests
    if (this.target) this.draw();
  }

  #glide(at) {
    const { target, camera } = this;
    if (!target) return;
    const done = Math.max(0, Math.min(1, (at - target.start) / 180)), ease = done * (2 - done);
    for (const name of ["x", "y", "zoom", "row"]) camera[name] = target.from[name] + (target.to[name] - target.from[name]) * ease;
    if (done >= 1) this.target = null;
  }

  // Boards of nodes that have room: those of the path first, then from the middle of the picture.
  #placeBoards(places) {
    const { camera } = this, chosen = places.filter(([, x, y, size]) => x > -size && x < camera.width + size && y > -size && y < camera.height + size)
      .sort((a, b) => Math.abs(a[1] - camera.width / 2) - Math.abs(b[1] - camera.width / 2)).slice(0, MOST_BOARDS);
    const shown = new Set(chosen.map(([node]) => String(node))), missing = [];
    for (const element of [...this.over.children]) if (!shown.has(element.dataset.node)) element.remove();
    const here = new Map([...this.over.children].map((element) => [element.dataset.node, element]));
    for (const [node, x, y, size] of chosen) {
      const picture = this.pictures.get(node);
      if (picture === undefined) { missing.push(node); continue; }
      let element = here.get(String(node));
      if (!element) {
        element = document.createElement("div");
        element.dataset.node = node;
        element.innerHTML = picture;
        this.over.append(element);
      }
      element.style.cssText = `width:${size - 6}px;height:${size - 6}px;transform:translate(${x - size / 2 + 3}px,${y - size / 2 + 3}px)`;
    }
    if (missing.length && !this.isFetching) this.#fetch(missing.slice(0, MOST_BOARDS));
  }

  async #fetch(nodes) {
    this.isFetching = true;
    const { pictures, layout } = this;
    try {
      await new Promise((done) => setTimeout(done, this.target ? 200 : 40));
      const found = await this.boards(layout.tree, nodes);
      nodes.forEach((node, place) => pictures.set(node, found[place]));
    } catch { nodes.forEach((node) => pictures.set(node, "")); }
    this.isFetching = false;
    this.draw();
  }

  // The map: where the nodes are, how far the search has come, and what part of the tree the picture shows.
  #drawMap() {
    const { map, layout, camera, colours } = this, tree = layout.tree, { width, height } = MAP, ratio = window.devicePixelRatio || 1, isWhole = this.isWhole(camera);
    map.hidden = isWhole;
    if (isWhole) return;
    map.width = width * ratio; map.height = height * ratio;
    const c = map.getContext("2d"), row = (height - 12) / Math.max(1, tree.plies - 1), scale = (width - 8) / layout.width;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    tree.byPly.forEach((nodes, ply) => {
      for (let place = 0; place < nodes.length;) {
        const node = nodes[place], isEntered = tree.isEntered(node, this.time);
        c.globalAlpha = isEntered ? 0.9 : 0.25;
        c.fillStyle = tree.side(node) > 0 ? colours.max : tree.side(node) < 0 ? colours.min : colours.line;
        c.fillRect(4 + layout.x[node] * scale - 0.6, 6 + ply * row - 1.5, 1.3, 3);
        place = Math.max(place + 1, layout.firstFrom(nodes, layout.x[node] + 1 / scale, place));
      }
    });
    c.globalAlpha = 1;
    c.strokeStyle = colours.now; c.lineWidth = 1.5;
    const top = 6 + (camera.y - camera.height / 2 / camera.row) * row, tall = camera.height / camera.row * row;
    c.strokeRect(4 + camera.left() * scale, Math.max(1, top), camera.width / camera.zoom * scale, Math.min(height - 2, tall));
    if (this.now >= 0) { c.fillStyle = colours.now; c.beginPath(); c.arc(4 + layout.x[this.now] * scale, 6 + tree.ply[this.now] * row, 3.5, 0, 7); c.fill(); }
  }

  nodeAt(x, y) {
    const { camera, layout } = this;
    if (!layout) return -1;
    const tree = layout.tree, ply = Math.round((y - camera.height / 2) / camera.row + camera.y), row = tree.byPly[ply];
    if (!row) return -1;
    const at = camera.x + (x - camera.width / 2) / camera.zoom, place = layout.firstFrom(row, at);
    let best = -1, least = 26;
    for (const node of [row[place - 1], row[place]]) {
      if (node === undefined) continue;
      const dx = Math.abs(camera.px(layout.x[node]) - x), dy = Math.abs(camera.py(ply) - y);
      if (dx < least && dy < Math.max(24, camera.row * 0.3)) { least = dx; best = node; }
    }
    return best;
  }

  #listen() {
    const { canvas, map } = this, pointers = new Map();
    let moved = 0, apart = 0;
    const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const distance = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, place(event));
      moved = 0;
      if (pointers.size === 2) apart = distance();
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event), before = pointers.get(event.pointerId);
      if (!before) { this.#hover(x, y); return; }
      pointers.set(event.pointerId, [x, y]);
      moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
      if (pointers.size === 2) { const now = distance(); this.zoomBy(now / apart, x, y); apart = now; }
      else if (moved > 4) { this.pan(x - before[0], y - before[1]); canvas.classList.add("held"); }
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => {
      canvas.classList.remove("held");
      const wasOne = pointers.size === 1;
      pointers.delete(event.pointerId);
      if (end === "pointercancel" || !wasOne || moved > 4) return;
      const node = this.nodeAt(...place(event));
      if (node >= 0) this.picked(node);
    });
    canvas.addEventListener("pointerleave", () => this.#hover(-99, -99));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey) this.pan(-event.deltaY - event.deltaX, 0);
      else this.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...place(event));
    }, { passive: false });
    const jump = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = map.getBoundingClientRect(), { layout, camera } = this;
      camera.x = ((event.clientX - box.left) / box.width) * layout.width;
      camera.y = ((event.clientY - box.top) / box.height) * (layout.tree.plies - 1);
      this.isFitted = false;
      this.target = null;
      this.draw();
    };
    map.addEventListener("pointerdown", jump);
    map.addEventListener("pointermove", jump);
  }

  #hover(x, y) {
    const node = this.nodeAt(x, y), { tip, layout } = this;
    this.canvas.style.cursor = node >= 0 ? "pointer" : "";
    if (node === this.hovered) return;
    this.hovered = node;
    tip.hidden = node < 0;
    if (node >= 0) {
      const tree = layout.tree, moves = tree.path(node).slice(1).map((one) => tree.move(one));
      const isDone = tree.isClosed(node, this.time);
      tip.textContent = `Node ${node}${moves.length ? ` after ${moves.join(" ")}` : ", the root"}. `
        + (isDone ? why(tree, node) : tree.isEntered(node, this.time) ? "The search is at work here." : "The search has not come here yet.");
      const left = Math.max(4, Math.min(x - 130, this.camera.width - 268));
      tip.style.cssText = y < this.camera.height / 2 ? `left:${left}px;top:${y + 26}px` : `left:${left}px;bottom:${this.camera.height - y + 22}px`;
    }
    this.draw();
  }

  // What the view shows, in the proportions of a slide: through another pen, and always on white.
  async slide(pen) {
    const camera = new Camera(SLIDE.width, SLIDE.height), own = this.camera, { layout } = this;
    if (this.isFitted) camera.fit(layout);
    else { camera.setZoom(own.zoom, layout.tree.plies); Object.assign(camera, { x: own.x, y: own.y }); camera.keepWithin(layout); }
    const places = new Scene(layout, LIGHT).paint(pen, camera, this.time, { now: this.now, withBoards: this.withBoards });
    await this.#paste(pen, places);
    return pen;
  }

  // Boards into a saved picture.
  async #paste(pen, places) {
    const { pictures, layout } = this, missing = places.map(([node]) => node).filter((node) => pictures.get(node) === undefined);
    for (let first = 0; first < missing.length; first += MOST_BOARDS) {
      const nodes = missing.slice(first, first + MOST_BOARDS), found = await this.boards(layout.tree, nodes);
      nodes.forEach((node, place) => pictures.set(node, found[place]));
    }
    for (const [node, x, y, size] of places) {
      const holder = Object.assign(document.createElement("div"), { innerHTML: pictures.get(node) });
      this.over.append(holder); // so that the style sheet of the page applies to it
      const svg = holder.querySelector("svg"), { width, height } = svg ? svg.viewBox.baseVal : { width: 1, height: 1 };
      const scale = (size - 6) / Math.max(width, height), wide = width * scale, tall = height * scale;
      if (svg) await pen.picture(standalone(svg), x - wide / 2, y - tall / 2, wide, tall);
      else textBoard(pen, holder.textContent.replace(/\s+$/, "").split("\n"), x, y, size);
      holder.remove();
    }
  }

  async asSvg(label) { return (await this.slide(new SvgPen(SLIDE.width, SLIDE.height))).svg(LIGHT.paper, label); }
  async asPdf() { return (await this.slide(new PdfPen(SLIDE.width, SLIDE.height))).pdf(LIGHT.paper); }

  async asPng() {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * SLIDE.width, height: 2 * SLIDE.height });
    const context = canvas.getContext("2d");
    context.fillStyle = LIGHT.paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(2, 2);
    await this.slide(new CanvasPen(context));
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }
}

// The board of a game that draws text alone.
function textBoard(pen, lines, x, y, size) {
  const letters = Math.max(...lines.map((line) => line.length)), font = Math.min((size - 8) / lines.length, (size - 8) / (0.62 * letters));
  lines.forEach((line, place) => pen.text(x, y + font * (place + 0.8 - lines.length / 2), line, { size: font, fill: LIGHT.ink }));
}

// The colours of saved pictures, which are shown on white.
const LIGHT = { max: "#2f6fde", min: "#c75f12", table: "#7a4fb5", best: "#1f7a4d", line: "#8a95a5", ink: "#1c2430", soft: "#566173",
  paper: "#ffffff", fill: "#eef1f6", open: "#fff3d6", now: "#a34700", cut: "#c0262f", ghost: "#9aa3b0" };
