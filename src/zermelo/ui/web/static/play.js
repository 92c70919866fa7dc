// What the page to play does beside reporting clicks: pieces move visibly, focus stays, recent games are remembered.
"use strict";

const play = {
  DURATION: 230,
  calm: matchMedia("(prefers-reduced-motion: reduce)"),
  SVG: "http://www.w3.org/2000/svg",

  // Each piece on the board by its cell: its picture, and where it stands.
  pieces(holder) {
    const found = new Map();
    for (const cell of holder.querySelectorAll("[data-cell]")) {
      const men = cell.querySelector(":scope > .men");
      if (men) found.set(cell.dataset.cell, { html: men.innerHTML, at: play.at(cell), men });
    }
    return found;
  },

  at(cell) {
    const [x, y] = cell.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    return { x, y };
  },

  // The board was drawn: if it shows the position after, or before, show how the pieces went there.
  shown: null,
  flight: null,
  drawn() {
    const holder = document.querySelector(".play [data-place]");
    if (!holder) return;
    const [game, ply, flipped] = holder.dataset.place.split(":");
    const now = { game, ply: Number(ply), flipped, falls: holder.dataset.falls === "1", pieces: play.pieces(holder) };
    const was = play.shown;
    play.shown = now;
    if (play.carried) play.lift(holder);
    if (!was || was.game !== game || was.ply !== now.ply) play.follow();
    if (!was || was.game !== game || was.flipped !== flipped) return;
    if (was.ply === now.ply) { if (play.flight) play.land(holder); return; }
    play.flight = null;
    play.tick();
    if (Math.abs(was.ply - now.ply) === 1 && !play.calm.matches) play.animate(holder, was, now);
  },

  // The list of moves shows the current move; the page itself stays where it is.
  follow() {
    const here = document.querySelector(".moves .here"), list = here && here.closest(".moves");
    if (!list) return;
    const box = here.getBoundingClientRect(), room = list.getBoundingClientRect();
    if (box.top < room.top) list.scrollTop -= room.top - box.top;
    else if (box.bottom > room.bottom) list.scrollTop += box.bottom - room.bottom;
  },

  animate(holder, was, now) {
    const overlay = document.createElementNS(play.SVG, "g");
    overlay.setAttribute("class", "flying");
    const left = new Map([...was.pieces].filter(([cell, one]) => !now.pieces.has(cell) || now.pieces.get(cell).html !== one.html));
    const hidden = [];
    const dropped = play.dropped;
    play.dropped = false;
    for (const [cell, one] of now.pieces) {
      const before = was.pieces.get(cell);
      if (before && before.html === one.html) continue;
      const from = play.nearest(left, one, cell);
      let frames;
      if (one.html.includes("seed")) frames = [{ opacity: 0.2 }, { opacity: 1 }];
      else if (from !== null && dropped) { left.delete(from); continue; }
      else if (from !== null) {
        const start = left.get(from).at;
        left.delete(from);
        frames = [{ transform: `translate(${start.x - one.at.x}px, ${start.y - one.at.y}px)` }, { transform: "none" }];
      } else if (before) frames = [{ transform: "scaleX(0)" }, { transform: "none" }];
      else if (now.falls) frames = [{ transform: `translate(0, ${-one.at.y - 100}px)` }, { transform: "none" }];
      else frames = [{ transform: "scale(.5)", opacity: 0 }, { transform: "none", opacity: 1 }];
      play.fly(overlay, one, frames);
      hidden.push(cell);
    }
    for (const [cell, one] of left) {
      if (!now.pieces.has(cell) && !one.html.includes("seed")) play.fly(overlay, one, [{ opacity: 1 }, { opacity: 0 }]);
    }
    if (!overlay.childNodes.length) return;
    const flight = play.flight = { overlay, hidden };
    play.land(holder);
    setTimeout(() => {
      if (play.flight === flight) play.flight = null;
      overlay.remove();
      for (const one of document.querySelectorAll(".play .men.away")) one.classList.remove("away");
    }, play.DURATION + 20);
  },

  // A piece that looks the same and left its cell.
  nearest(left, one, cell) {
    let best = null, least = Infinity;
    for (const [other, gone] of left) {
      if (other === cell || gone.html !== one.html) continue;
      const far = Math.hypot(gone.at.x - one.at.x, gone.at.y - one.at.y);
      if (far < least) { least = far; best = other; }
    }
    return best;
  },

  fly(overlay, one, frames) {
    const place = document.createElementNS(play.SVG, "g"), copy = one.men.cloneNode(true);
    place.setAttribute("transform", `translate(${one.at.x} ${one.at.y})`);
    copy.classList.remove("away");
    place.append(copy);
    overlay.append(place);
    copy.animate(frames, { duration: play.DURATION, easing: "ease-out", fill: "both" });
  },

  // A board that is drawn anew while pieces move gets them again.
  land(holder) {
    const svg = holder.querySelector("svg");
    if (play.flight.overlay.parentNode === svg) return; // to append it again would be news for the observer, for ever
    svg.append(play.flight.overlay);
    for (const cell of play.flight.hidden) {
      const men = holder.querySelector(`[data-cell="${cell}"] > .men`);
      if (men) men.classList.add("away");
    }
  },

  // Dragging carries a piece.
  carried: null,
  dropped: false,
  lift(holder) {
    const svg = holder.querySelector("svg");
    if (play.carried.ghost.parentNode === svg) return;
    svg.append(play.carried.ghost);
    const men = holder.querySelector(`[data-cell="${play.carried.cell}"] > .men`);
    if (men) men.classList.add("lifted");
  },
  down(event) {
    const cell = event.target.closest && event.target.closest(".play .board .can[data-cell]");
    const men = cell && cell.querySelector(":scope > .men");
    if (!men || event.button !== 0) return;
    const ghost = document.createElementNS(play.SVG, "g");
    ghost.setAttribute("class", "flying carried");
    ghost.append(men.cloneNode(true));
    play.pressed = { cell: cell.dataset.cell, ghost, x: event.clientX, y: event.clientY };
  },
  move(event) {
    const held = play.pressed;
    if (!held) return;
    if (!play.carried && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 6) return;
    const holder = document.querySelector(".play [data-place]"), svg = holder && holder.querySelector("svg");
    if (!svg) return;
    if (!play.carried) { play.carried = held; play.lift(holder); }
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    held.ghost.setAttribute("transform", `translate(${point.x} ${point.y}) scale(1.12)`);
  },
  up() {
    if (play.carried) {
      play.carried.ghost.remove();
      for (const one of document.querySelectorAll(".play .lifted")) one.classList.remove("lifted");
      play.dropped = true;
      setTimeout(() => { play.dropped = false; }, 800);
    }
    play.pressed = play.carried = null;
  },

  // A short sound for each move, where the visitor wants it.
  audio: null,
  tick() {
    if (!isOn("sound")) return;
    play.audio = play.audio || new AudioContext();
    const tone = play.audio.createOscillator(), loud = play.audio.createGain(), now = play.audio.currentTime;
    tone.frequency.value = 320;
    loud.gain.setValueAtTime(0.12, now);
    loud.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
    tone.connect(loud).connect(play.audio.destination);
    tone.start(now);
    tone.stop(now + 0.1);
  },

  // An answer to a puzzle.
  judge(button) {
    const right = button.dataset.answer === "1";
    button.classList.add(right ? "right" : "wrong");
    button.closest(".puzzle").querySelector(".verdict").textContent =
      right ? `${button.textContent}: that is the move.` : `${button.textContent}: no, that gives the result away.`;
  },

  // Clocks run here; the server decides when they end. Only text changes, which no observer looks at.
  clocks() {
    for (const clock of document.querySelectorAll(".clock[data-ends]")) {
      const left = Math.max(0, Number(clock.dataset.ends) + (zermelo.skew || 0) - Date.now()) / 1000;
      if (clock.firstChild) clock.firstChild.data = play.time(left);
      clock.classList.toggle("short", left < 10);
    }
  },
  time(left) {
    const two = (number) => String(number).padStart(2, "0");
    if (left < 20) return `0:${two(Math.floor(left))}.${Math.floor(left * 10) % 10}`;
    const whole = Math.ceil(left), minutes = Math.floor(whole / 60);
    const hours = minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}` : `${minutes}`;
    return `${hours}:${two(whole % 60)}`;
  },

  // The focus never falls to the body: a button that was drawn anew or can act no more hands it on.
  held: "",
  remember(event) {
    const one = event.target;
    if (!one.closest || !one.closest(".play") || one.closest("[data-cell]")) { play.held = ""; return; }
    const names = ["command", "goto", "play", "line", "other", "edit"].filter((name) => one.dataset[name] !== undefined);
    const title = one.getAttribute("aria-label");
    if (one.closest(".editor") && one.name) { play.held = `[name="${one.name}"]`; return; }
    play.held = title ? `[aria-label="${title}"]` : names.length ? `[data-${names[0]}="${one.dataset[names[0]]}"]` : "";
  },
  refocus() {
    if (!play.held || (document.activeElement && document.activeElement !== document.body)) return;
    if (document.querySelector("dialog[open]")) return;
    const again = document.querySelector(`.play ${play.held}:not(:disabled)`);
    const board = document.querySelector('.play .board [tabindex="0"]') || document.querySelector(".play .tools button:not(:disabled)");
    const next = again || board;
    if (next) next.focus({ preventScroll: true });
  },

  // Recent games are kept in this browser.
  KEPT: 12,
  recent() {
    try { return JSON.parse(localStorage.getItem("zermelo.recent")) || []; } catch { return []; }
  },
  keep(query) {
    const holder = document.querySelector(".play [data-place]"), name = document.querySelector(".bar .game");
    if (!holder || !/(moves|tree)=/.test(query)) return;
    const [number] = holder.dataset.place.split(":");
    const seats = [...document.querySelectorAll(".seat .who")].map((one) => one.textContent).join(" and ");
    const said = { number, query, title: name ? name.textContent : "", seats, when: Date.now() };
    const others = play.recent().filter((one) => one.number !== number);
    localStorage.setItem("zermelo.recent", JSON.stringify([said, ...others].slice(0, play.KEPT)));
  },
  list() {
    const section = document.getElementById("recent"), games = play.recent();
    if (!section || !section.hidden || !games.length) return;
    const list = section.querySelector("ul");
    for (const one of games) {
      const entry = document.createElement("li"), link = document.createElement("a"), more = document.createElement("span");
      link.href = `/?${one.query}`;
      link.textContent = one.title;
      const count = (new URLSearchParams(one.query).get("moves") || "").split(",").length;
      more.textContent = `${one.seats} · ${count} moves · ${new Date(one.when).toLocaleDateString()}`;
      entry.append(link, more);
      list.append(entry);
    }
    section.hidden = false;
  },

  start() {
    new MutationObserver(() => { play.drawn(); play.refocus(); play.list(); }).observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", play.remember);
    document.addEventListener("pointerdown", play.down);
    document.addEventListener("pointermove", play.move);
    document.addEventListener("pointerup", play.up);
    document.addEventListener("pointercancel", play.up);
    document.addEventListener("click", (event) => {
      const opens = event.target.closest("[data-opens]"), sound = event.target.closest("[data-sound]");
      const answer = event.target.closest("[data-answer]");
      if (answer) play.judge(answer);
      if (opens) document.getElementById(opens.dataset.opens).click();
      const switched = sound ? "sound" : event.target.closest("[data-large]") ? "large" : "";
      if (switched) localStorage.setItem(`zermelo.${switched}`, isOn(switched) ? "off" : "on");
      if (event.target.closest("#menu .btn") && !sound) document.getElementById("menu").hidePopover();
      play.press();
    });
    document.addEventListener("toggle", play.press, true);
    const address = zermelo.address;
    zermelo.address = (query) => { address(query); play.keep(query); };
    addEventListener("resize", play.follow);
    setInterval(play.clocks, 100);
    play.list();
    play.press();
    play.drawn();
  },

  press() {
    document.documentElement.classList.toggle("large", isOn("large"));
    for (const one of document.querySelectorAll("[data-sound], [data-large]")) {
      const isSound = one.dataset.sound !== undefined, on = isOn(isSound ? "sound" : "large");
      one.setAttribute("aria-pressed", String(on));
      one.textContent = isSound ? (on ? "Sound: on" : "Sound: off") : "Board twice as large";
    }
  },
};

// What a visitor has switched on, which the browser keeps.
function isOn(name) { return localStorage.getItem(`zermelo.${name}`) === "on"; }

play.start();
