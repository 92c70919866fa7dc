// What the pages do in the browser: report clicks, drags, keys and files; keep the focus on the board.
"use strict";

const zermelo = {
  tell(kind, value) {
    emitEvent("zermelo", { kind, value });
  },

  // The board: a click, or a drag from one cell to another, which is a click on both.
  cellAt(x, y) {
    const found = document.elementFromPoint(x, y);
    return found && found.closest(".play .board [data-cell]");
  },

  focusCell(cell) {
    if (!cell) return;
    for (const other of cell.ownerSVGElement.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    cell.focus({ preventScroll: true });
  },

  // The nearest cell in the direction of an arrow key.
  neighbour(cell, dx, dy) {
    const from = cell.getBoundingClientRect();
    const x = from.left + from.width / 2, y = from.top + from.height / 2;
    let best = null, least = Infinity;
    for (const other of cell.ownerSVGElement.querySelectorAll("[data-cell]")) {
      const box = other.getBoundingClientRect();
      const ox = box.left + box.width / 2 - x, oy = box.top + box.height / 2 - y;
      const ahead = ox * dx + oy * dy, aside = Math.abs(ox * dy) + Math.abs(oy * dx);
      if (other === cell || ahead < 2 || aside > ahead * 1.2) continue;
      const far = ahead + 2 * aside;
      if (far < least) { least = far; best = other; }
    }
    return best;
  },

  // A board or a form that is drawn anew keeps the focus where it was, and a field in which nothing was typed its selection.
  keepFocus() {
    let last = null, field = null;
    document.addEventListener("focusin", (event) => {
      const cell = event.target.closest && event.target.closest(".play .board [data-cell]");
      last = cell ? cell.dataset.cell : null;
      field = event.target.closest("dialog [name]") ? event.target.name : null;
    });
    new MutationObserver(() => {
      const active = document.activeElement;
      if (active && active !== document.body && active.tagName !== "DIALOG") return;
      const again = field === null ? null : document.querySelector(`dialog[open] [name="${field}"]`);
      if (again) again.focus();
      if (again && again.select && !zermelo.typed.has(field)) again.select();
      if (last === null) return;
      zermelo.focusCell(document.querySelector(`.play .board [data-cell="${last}"]`));
    }).observe(document.body, { childList: true, subtree: true });
  },

  // What is typed into a form of the dialog while the server draws it anew, for an earlier choice, is typed in again.
  typed: new Map(),
  keepTyping() {
    document.addEventListener("input", (event) => {
      if (event.target.closest("dialog form")) zermelo.typed.set(event.target.name, event.target.value);
    });
    document.addEventListener("close", () => zermelo.typed.clear(), true);
    new MutationObserver(() => {
      let last = null;
      for (const [name, value] of zermelo.typed) {
        const field = document.querySelector(`dialog[open] [name="${name}"]`);
        if (!field || field.value === value) continue;
        const drawn = field.value;
        field.value = value;
        if (field.value !== value) field.value = drawn;  // a list may no longer offer the choice
        else if (field.matches("[data-choose]")) last = field;
      }
      if (last) zermelo.choose(last.form);
    }).observe(document.body, { childList: true, subtree: true });
  },
  choose(form) {
    zermelo.typed.clear();
    zermelo.tell("choose", Object.fromEntries(new FormData(form)));
  },

  buttons: "[data-goto], [data-play], [data-line], [data-command], [data-other], [data-edit]",

  // What a button, or a part of a picture, stands for.
  act(found) {
    for (const name of ["goto", "play", "line", "command", "other", "edit"]) {
      const value = found.dataset[name];
      if (value === undefined) continue;
      const at = found.dataset.at;
      if (["command", "other", "edit"].includes(name)) zermelo.tell(name, value);
      else zermelo.tell(name, at === undefined ? Number(value) : [Number(value), Number(at)]);
      return;
    }
    const form = found.type === "submit" && found.closest("form[data-form]");
    const now = form && document.querySelector(`form[data-form="${form.dataset.form}"]`);
    if (now) now.requestSubmit();
  },

  // A button that is drawn anew between press and release gets no click from the browser: the release is one.
  keepClicks() {
    let pressed = null, box = null;
    document.addEventListener("pointerdown", (event) => {
      pressed = event.target.closest && event.target.closest(`${zermelo.buttons}, button[type=submit], [popovertarget]`);
      box = pressed && pressed.getBoundingClientRect();
    });
    document.addEventListener("pointerup", (event) => {
      const found = pressed, { clientX: x, clientY: y } = event;
      pressed = null;
      if (!found || found.isConnected) return;
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) return;
      const opened = found.getAttribute("popovertarget");
      if (opened) document.getElementById(opened).togglePopover(); else zermelo.act(found);
    });
  },

  arrows: { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
  letters: { u: "undo", r: "redo", f: "flip", h: "hint", n: "new", a: "analysis" },

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target, cell = target.closest && target.closest("[data-cell]");
    if (cell) {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        zermelo.tell("cell", [Number(cell.dataset.cell)]);
        return;
      }
      if (event.key === "Escape") { zermelo.tell("cancel", null); return; }
      const arrow = zermelo.arrows[event.key];
      if (arrow) { event.preventDefault(); zermelo.focusCell(zermelo.neighbour(cell, ...arrow)); return; }
      if (cell.closest(".editing") && (event.key.length === 1 || event.key === "Delete" || event.key === "Backspace")) {
        event.preventDefault();
        zermelo.tell("edit", `key:${cell.dataset.cell}:${event.key}`);
        return;
      }
    }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
      if (target.id === "typed" && event.key === "Enter") {
        zermelo.tell("type", target.value);
        target.value = "";
      }
      return;
    }
    if (document.querySelector("dialog[open], .editing")) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      zermelo.tell("step", event.key === "ArrowLeft" ? -1 : 1);
    } else if (zermelo.letters[event.key] && document.querySelector(".play")) {
      zermelo.tell("command", zermelo.letters[event.key]);
    }
  },

  start() {
    document.documentElement.lang = "en";
    let from = null, dragged = false;
    document.addEventListener("pointerdown", (event) => {
      from = event.target.closest && event.target.closest(".play .board [data-cell]");
      dragged = false;
    });
    document.addEventListener("pointerup", (event) => {
      const to = from && zermelo.cellAt(event.clientX, event.clientY);
      if (to && to !== from) {
        // The same cell, but another element: the board was drawn anew since, and no click will follow.
        dragged = true;
        zermelo.tell("cell", [...new Set([Number(from.dataset.cell), Number(to.dataset.cell)])]);
      }
      from = null;
    });
    document.addEventListener("click", (event) => {
      const cell = event.target.closest && event.target.closest(".play .board [data-cell]");
      if (cell) {
        if (!dragged) zermelo.tell("cell", [Number(cell.dataset.cell)]);
        return;
      }
      const found = event.target.closest && event.target.closest(zermelo.buttons);
      if (found) zermelo.act(found);
    });
    document.addEventListener("keydown", zermelo.onKey);
    document.addEventListener("change", (event) => {
      if (event.target.id !== "load" || !event.target.files.length) return;
      const file = event.target.files[0];
      event.target.value = "";
      if (file.size > 200000) { zermelo.tell("load", ""); return; }
      file.text().then((text) => zermelo.tell("load", text));
    });
    zermelo.keepFocus();
    zermelo.keepTyping();
    zermelo.keepClicks();
  },

  // The name that this browser keeps.
  sign() {
    const name = localStorage.getItem("zermelo.name");
    if (name) zermelo.tell("name", { name, by: "browser" });
  },

  // The address always shows the position on the board.
  address(query) {
    history.replaceState(history.state, "", `${location.pathname}?${query}`);
  },

  // Copy a link; where the browser forbids it, show it to be copied by hand.
  copy(query) {
    const link = `${location.origin}/?${query}`;
    const show = () => window.prompt("Copy this link:", link);
    if (navigator.clipboard) navigator.clipboard.writeText(link).catch(show); else show();
  },
};
zermelo.start();

// Forms: what is chosen goes to the server, which checks it.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-form]");
  if (!form) return;
  event.preventDefault();
  if (form.dataset.form === "name") localStorage.setItem("zermelo.name", form.elements.name.value.trim());
  zermelo.tell(form.dataset.form, Object.fromEntries(new FormData(form)));
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-choose]")) {
    zermelo.choose(event.target.form);
  } else if (event.target.form && event.target.form.matches("form[data-live]")) {
    event.target.form.requestSubmit();
  }
});
document.addEventListener("click", (event) => {
  if (event.target.matches("[data-close]")) event.target.closest("dialog").close();
});
