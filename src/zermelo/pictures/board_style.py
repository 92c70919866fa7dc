"""The style of boards: colours are CSS variables, set for light and for dark."""

from typing import Final

STYLE: Final = """
.board{--cell:#eef1f6;--cell-edge:#c3ccd9;--light:#f0d9b5;--dark:#b58863;--felt:#2e8b57;--felt-line:#1f6b41;
--rack:#2b5ca8;--hole:#eef3fb;--wood:#d8b483;--wood-line:#7c5a33;--pit:#b58a57;--pit-deep:#94693a;--seed:#4a2f17;
--grid:#6f5b3f;--label:#4d5968;--none:#d9a441;--none-edge:#8f6722;--bar:#8794a8;--loss:#d64545;--focus:#0b63f6;
--legal:#14774a;--last:#f2b600;--best:#1f9d61;--good:#8bb92d;--slip:#e39a1b;--blunder:#d64545;--quarter:#c2645b;
font-family:system-ui,-apple-system,"Segoe UI",sans-serif}
@media (prefers-color-scheme:dark){.board{--cell:#2a3240;--cell-edge:#4a566b;--light:#d9c3a0;--dark:#96704f;
--felt:#2a7a4e;--felt-line:#1b5838;--rack:#2a4f8d;--hole:#141a24;--wood:#a5845a;--wood-line:#4e391f;--pit:#7d5d38;
--pit-deep:#5f4526;--grid:#4e391f;--label:#b3bdcb;--bar:#65728a;--focus:#7cb0ff;--legal:#4ad295;--quarter:#a4574f}}
.board .rack{fill:var(--rack)}.board .wood{fill:var(--wood)}.board .felt{fill:var(--felt-line)}
.board .square{fill:var(--cell);stroke:var(--cell-edge);stroke-width:2}
.board .checks .square{fill:var(--light);stroke:none}.board .checks .dark{fill:var(--dark);stroke:none}
.board .cloth .square{fill:var(--felt);stroke:var(--felt-line);stroke-width:3}
.board .round{fill:var(--hole)}.board .quarters .round{fill:#00000038}.board .hexagon{fill:var(--cell);
stroke:var(--cell-edge);stroke-width:3}.board .point{fill:var(--grid)}.board .pit{fill:var(--pit);
stroke:var(--pit-deep);stroke-width:4}.board .edge{fill:var(--bar);opacity:.16}
.board .under{stroke:var(--grid);stroke-width:6;stroke-linecap:round}.board .hit{fill:transparent}
.board .label{pointer-events:none;fill:var(--label);text-anchor:middle;dominant-baseline:central}
.board .over{pointer-events:none}.board .men{pointer-events:none}
.board .area{fill:#0000001f}.board .area.max{fill:var(--max);opacity:.16}.board .area.min{fill:var(--min);opacity:.16}
.board .area.quarter{fill:var(--quarter);opacity:1}
.board .goal{fill:none;stroke-width:46;stroke-linejoin:round;stroke-linecap:round}
.board .goal.max{stroke:var(--max)}.board .goal.min{stroke:var(--min)}.board .goal.none{stroke:var(--bar)}
.board .turn{fill:none;stroke:var(--label);stroke-width:9;stroke-linecap:round}.board .turn-head{fill:var(--label)}
.board .dot{fill:var(--label)}
.board .max{fill:var(--max);stroke:var(--max-edge)}.board .min{fill:var(--min);stroke:var(--min-edge)}
.board .none{fill:var(--none);stroke:var(--none-edge)}.board .piece{stroke-width:4}
.board .mark{fill:none;stroke-width:15;stroke-linecap:round}.board .mark.max{stroke:var(--max)}
.board .mark.min{stroke:var(--min)}.board .mark.none{stroke:var(--none)}
.board .rim{fill:none;stroke-width:3;opacity:.45}.board .rim.max{fill:none}.board .rim.min{fill:none}
.board .rim.none{fill:none}
.board .crown{stroke:none}.board .crown.max{fill:var(--max-ink)}.board .crown.min{fill:var(--min-ink)}
.board .glyph{font-size:82px;text-anchor:middle;dominant-baseline:central;stroke:none}
.board .glyph.max,.board .glyph.min{paint-order:stroke;stroke-width:7;stroke:#10131a}
.board .glyph.min{stroke:#cfd6e0;stroke-width:4}
.board .figure{stroke-width:4;stroke-linejoin:round;paint-order:stroke}
.board .figure.max{stroke:#10131a}.board .figure.min{stroke:#e6e9ee}
.board .number{fill:#2c1c0d;font-size:30px;font-weight:700;text-anchor:middle;dominant-baseline:central}
.board .seed{fill:var(--seed);stroke:#0004;stroke-width:1.5}
.board .target{fill:var(--legal);stroke:#fff8;stroke-width:4;opacity:.65}
.board .ring{fill:none;stroke:var(--legal);stroke-width:6;opacity:.75}
.board .quiet .target,.board .quiet .ring{opacity:0}.board .can:hover .target,.board .can:hover .ring{opacity:1}
.board .can:focus-visible .target,.board .can:focus-visible .ring{opacity:1}
.board .can:hover .edge{opacity:.7;fill:var(--legal)}
.board .last{fill:var(--last);opacity:.38}.board .changed{fill:var(--last);opacity:.16}
.board .last.hollow,.board .changed.hollow{fill:none;stroke:var(--last);stroke-width:7;opacity:.95}
.board .changed.hollow{stroke-width:4;opacity:.6;stroke-dasharray:4 9;stroke-linecap:round}
.board .captured{stroke:var(--loss);stroke-width:7;stroke-linecap:round;opacity:.8}
.board .won{fill:#1f9d61;fill-opacity:.3;stroke:#0b8a4b;stroke-width:8}
.board .won.hollow{fill:none;stroke:#fff;stroke-width:8}.board .won.under{fill:none;stroke:#0b8a4b;stroke-width:17}
.board .selected{fill:var(--legal);opacity:.42}.board .selected.hollow{fill:none;stroke:var(--focus);stroke-width:9;
opacity:1}
.board .hint{fill:none;stroke:#a04be0;stroke-width:9;stroke-dasharray:18 10}
.board .shade{opacity:.5}.board .shade.hollow{fill:none;stroke-width:11;opacity:.9}
.board .shade.best{fill:var(--best)}.board .shade.good{fill:var(--good)}.board .shade.slip{fill:var(--slip)}
.board .shade.blunder{fill:var(--blunder)}.board .shade.hollow{fill:none}
.board .shade.hollow.best{stroke:var(--best)}.board .shade.hollow.good{stroke:var(--good)}
.board .shade.hollow.slip{stroke:var(--slip)}.board .shade.hollow.blunder{stroke:var(--blunder)}
.board .value{fill:#fff;font-size:24px;font-weight:700;text-anchor:middle;dominant-baseline:central;stroke:#10131a;
letter-spacing:3px;stroke-width:6;paint-order:stroke;stroke-linejoin:round;pointer-events:none}
.board .advice{fill:none;stroke:var(--best);stroke-width:15;opacity:.75;stroke-linecap:round}
.board .advice-head{fill:var(--best);opacity:.85}.board .can{cursor:pointer}
.board .cell{outline:none}.board .cell:focus-visible .focus{stroke:var(--focus)}
.board .focus{fill:none;stroke:transparent;stroke-width:8}
"""
