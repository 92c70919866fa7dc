// What a tree is drawn with: a canvas, an SVG picture or a PDF page. All three have the same few strokes.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

export class CanvasPen {
  constructor(context) { this.c = context; this.last = {}; }

  #set(style) {
    const { c } = this;
    c.globalAlpha = style.alpha ?? 1;
    if (style.stroke) { c.strokeStyle = style.stroke; c.lineWidth = style.width ?? 1; c.setLineDash(style.dash ?? []); }
    if (style.fill) c.fillStyle = style.fill;
  }

  path(points, style, closed = true) {
    const { c } = this;
    this.#set(style);
    c.beginPath();
    points.forEach(([x, y], place) => (place ? c.lineTo(x, y) : c.moveTo(x, y)));
    if (closed) c.closePath();
    if (style.fill) c.fill();
    if (style.stroke) c.stroke();
  }

  curve([x1, y1], [cx, cy], [x2, y2], style) {
    const { c } = this;
    this.#set(style);
    c.beginPath(); c.moveTo(x1, y1); c.quadraticCurveTo(cx, cy, x2, y2); c.stroke();
  }

  circle(x, y, radius, style) {
    const { c } = this;
    this.#set(style);
    c.beginPath(); c.arc(x, y, radius, 0, 2 * Math.PI);
    if (style.fill) c.fill();
    if (style.stroke) c.stroke();
  }

  text(x, y, said, style) {
    const { c } = this;
    c.globalAlpha = style.alpha ?? 1;
    c.font = `${style.weight ?? 400} ${style.size}px ${FONT}`;
    c.textAlign = style.align ?? "center";
    if (style.halo) { c.strokeStyle = style.halo; c.lineWidth = 4; c.lineJoin = "round"; c.setLineDash([]); c.strokeText(said, x, y); }
    c.fillStyle = style.fill;
    c.fillText(said, x, y);
  }

  async picture(svg, x, y, width, height) {
    this.c.globalAlpha = 1;
    this.c.drawImage(await drawn(svg, width, height), x, y, width, height);
  }

  group() {}
  end() {}
}

// A picture in SVG as an image with three times as many pixels.
async function drawn(svg, width, height) {
  const image = new Image(3 * width, 3 * height);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg.replace("<svg ", `<svg width="${3 * width}" height="${3 * height}" `))}`;
  await image.decode();
  return image;
}

const escaped = (text) => text.replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one]);
const short = (number) => String(Math.round(number * 10) / 10);

export class SvgPen {
  constructor(width, height) { Object.assign(this, { width, height, parts: [] }); }

  #style({ fill, stroke, width, dash, alpha }) {
    return `fill="${fill ?? "none"}"` + (stroke ? ` stroke="${stroke}" stroke-width="${width ?? 1}"` : "")
      + (dash && dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "") + (alpha !== undefined && alpha < 1 ? ` opacity="${short(alpha * 10) / 10}"` : "");
  }

  path(points, style, closed = true) {
    const d = "M" + points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L") + (closed ? "Z" : "");
    this.parts.push(`<path d="${d}" ${this.#style(style)}/>`);
  }

  curve([x1, y1], [cx, cy], [x2, y2], style) {
    this.parts.push(`<path d="M${short(x1)} ${short(y1)}Q${short(cx)} ${short(cy)} ${short(x2)} ${short(y2)}" ${this.#style(style)}/>`);
  }

  circle(x, y, radius, style) {
    this.parts.push(`<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" ${this.#style(style)}/>`);
  }

  text(x, y, said, style) {
    const anchor = { left: "start", right: "end" }[style.align] ?? "middle";
    const halo = style.halo ? ` stroke="${style.halo}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"` : "";
    const alpha = style.alpha !== undefined && style.alpha < 1 ? ` opacity="${short(style.alpha * 10) / 10}"` : "";
    this.parts.push(`<text x="${short(x)}" y="${short(y)}" font-size="${style.size}" font-weight="${style.weight ?? 400}" `
      + `text-anchor="${anchor}" fill="${style.fill}"${halo}${alpha}>${escaped(said)}</text>`);
  }

  picture(svg, x, y, width, height) {
    this.parts.push(svg.replace("<svg ", `<svg x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" `));
  }

  group(node) { this.parts.push(`<g data-node="${node}">`); }
  end() { this.parts.push("</g>"); }

  svg(background, label) {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" `
      + `height="${this.height}" role="img" aria-label="${escaped(label)}" font-family='${FONT.replaceAll('"', "&quot;")}'>`
      + (background ? `<rect width="100%" height="100%" fill="${background}"/>` : "") + this.parts.join("") + "</svg>";
  }
}

// A PDF of one page, with the fonts that every reader of PDF has: Helvetica, and Symbol for signs that it lacks.
const SYMBOLS = { "≥": 0xb3, "≤": 0xa3, "∞": 0xa5, "−": 0x2d, "α": 0x61, "β": 0x62, "←": 0xac };

export class PdfPen {
  constructor(width, height) {
    Object.assign(this, { width, height, parts: ["1 J 1 j"], alphas: new Map(), images: [] });
    this.measure = document.createElement("canvas").getContext("2d");
  }

  #colour(colour, operator) {
    const parts = rgb(colour).map((part) => (part / 255).toFixed(3));
    return `${parts.join(" ")} ${operator}`;
  }

  #set({ fill, stroke, width, dash, alpha }) {
    const level = Math.round((alpha ?? 1) * 100);
    this.alphas.set(level, `A${level}`);
    return [`/A${level} gs`, fill && this.#colour(fill, "rg"), stroke && this.#colour(stroke, "RG"),
      stroke && `${(width ?? 1).toFixed(2)} w [${(dash ?? []).join(" ")}] 0 d`].filter(Boolean).join(" ");
  }

  #at(x, y) { return `${x.toFixed(2)} ${(this.height - y).toFixed(2)}`; }
  #paint(style) { return style.fill && style.stroke ? "B" : style.fill ? "f" : "S"; }

  path(points, style, closed = true) {
    const d = points.map(([x, y], place) => `${this.#at(x, y)} ${place ? "l" : "m"}`).join(" ");
    this.parts.push(`${this.#set(style)} ${d} ${closed ? "h " : ""}${this.#paint(style)}`);
  }

  curve([x1, y1], [cx, cy], [x2, y2], style) {
    const a = this.#at(x1 + (cx - x1) * 2 / 3, y1 + (cy - y1) * 2 / 3), b = this.#at(x2 + (cx - x2) * 2 / 3, y2 + (cy - y2) * 2 / 3);
    this.parts.push(`${this.#set(style)} ${this.#at(x1, y1)} m ${a} ${b} ${this.#at(x2, y2)} c S`);
  }

  circle(x, y, r, style) {
    const k = 0.5523 * r, at = (dx, dy) => this.#at(x + dx, y + dy);
    this.parts.push(`${this.#set(style)} ${at(r, 0)} m ${at(r, k)} ${at(k, r)} ${at(0, r)} c ${at(-k, r)} ${at(-r, k)} ${at(-r, 0)} c `
      + `${at(-r, -k)} ${at(-k, -r)} ${at(0, -r)} c ${at(k, -r)} ${at(r, -k)} ${at(r, 0)} c h ${this.#paint(style)}`);
  }

  text(x, y, said, style) {
    this.measure.font = `${style.weight >= 600 ? "bold " : ""}${style.size}px Helvetica, Arial, sans-serif`;
    const width = this.measure.measureText(said).width, left = { left: 0, right: width }[style.align] ?? width / 2;
    const bold = (style.weight ?? 400) >= 600 ? "/F2" : "/F1";
    const runs = [...said].map((one) => (SYMBOLS[one] ? ["/F3", SYMBOLS[one]] : [bold, one.charCodeAt(0) < 256 ? one.charCodeAt(0) : 63]));
    const shown = runs.map(([font, code]) => `${font} ${style.size} Tf <${code.toString(16).padStart(2, "0")}> Tj`).join(" ");
    const start = `BT ${this.#at(x - left, y)} Td`;
    if (style.halo) this.parts.push(`${this.#set({ stroke: style.halo, width: 3, alpha: style.alpha })} ${start} 1 Tr ${shown} ET`);
    this.parts.push(`${this.#set({ fill: style.fill, alpha: style.alpha })} ${start} 0 Tr ${shown} ET`);
  }

  // PDF has no pictures in SVG: as an image.
  async picture(svg, x, y, width, height) {
    const image = await drawn(svg, width, height), canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    this.#set({ alpha: 1 });
    this.parts.push(`q /A100 gs ${width.toFixed(2)} 0 0 ${height.toFixed(2)} ${this.#at(x, y + height)} cm /I${this.images.length} Do Q`);
    this.images.push({ data: atob(canvas.toDataURL("image/jpeg", 0.9).split(",")[1]), width: canvas.width, height: canvas.height });
  }

  group() {}
  end() {}

  pdf(background) {
    const page = background ? `${this.#colour(background, "rg")} 0 0 ${this.width} ${this.height} re f\n` : "";
    const content = `${page}${this.parts.join("\n")}\n`;
    const states = [...this.alphas].map(([level, name]) => `/${name} << /ca ${level / 100} /CA ${level / 100} >>`).join(" ");
    const font = (name, encoding) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name}${encoding ? " /Encoding /WinAnsiEncoding" : ""} >>`;
    const objects = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${this.width} ${this.height}] /Contents 4 0 R /Resources << `
        + `/Font << /F1 5 0 R /F2 6 0 R /F3 7 0 R >> /ExtGState << ${states} >> `
        + `/XObject << ${this.images.map((_, place) => `/I${place} ${8 + place} 0 R`).join(" ")} >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}endstream`,
      font("Helvetica", true), font("Helvetica-Bold", true), font("Symbol", false),
      ...this.images.map(({ data, width, height }) => `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} `
        + `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${data.length} >>\nstream\n${data}\nendstream`)];
    let text = "%PDF-1.4\n";
    const places = objects.map((object, place) => {
      const start = text.length;
      text += `${place + 1} 0 obj\n${object}\nendobj\n`;
      return `${String(start).padStart(10, "0")} 00000 n \n`;
    });
    return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`
      + `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  }
}

// Red, green and blue of a colour as a style sheet writes it: #rgb, #rrggbb or rgb(...).
export function rgb(colour) {
  const hex = colour.trim().match(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i);
  if (hex) {
    const digits = hex[1].length === 3 ? [...hex[1]].map((one) => one + one) : hex[1].match(/../g);
    return digits.map((one) => parseInt(one, 16));
  }
  return (colour.match(/[\d.]+/g) ?? [0, 0, 0]).slice(0, 3).map(Number);
}
