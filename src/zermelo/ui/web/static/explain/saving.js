// Files that a page saves.

export function saveFile(content, name, type) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const saveNames = (asked, place) => ["tree", asked.game, (place ? asked.with : asked.method)].filter(Boolean).join("-");

// A picture of the page as a file of its own: the colours that its style sheet gives are written into it.
export function standalone(svg) {
  const copy = svg.cloneNode(true), shown = svg.querySelectorAll("*");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "system-ui, sans-serif");
  [...copy.querySelectorAll("*")].forEach((one, place) => {
    const style = getComputedStyle(shown[place]);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "display", "font-size", "font-weight", "text-anchor"]) if (one.tagName !== "title") one.style.setProperty(name, style.getPropertyValue(name));
  });
  return new XMLSerializer().serializeToString(copy);
}
