// The evaluation of a game as a curve, in the view of the first player.
import { score } from "./words.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [480, 130, 34, 18];

/** `values` holds units by ply, undefined for plies without a value. */
export function drawGraph(element, values) {
  const known = values.map((value, ply) => ({ ply, value })).filter(({ value }) => value !== undefined);
  element.hidden = known.length < 2;
  if (element.hidden) return;
  const most = Math.max(4, ...known.map(({ value }) => Math.min(64, Math.abs(value))));
  const last = Math.max(values.length - 1, 10);
  const x = (ply) => LEFT + (ply / last) * (WIDTH - LEFT - 8);
  const y = (value) => 6 + ((most - Math.max(-most, Math.min(most, value))) / (2 * most)) * (HEIGHT - BOTTOM - 6);
  const points = known.map(({ ply, value }) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const dots = known.map(({ ply, value }) => `<circle cx="${x(ply).toFixed(1)}" cy="${y(value).toFixed(1)}" r="2.6"><title>after move ${ply}: ${score(value)}</title></circle>`);
  const label = (value) => `<text x="${LEFT - 5}" y="${y(value) + 4}" text-anchor="end">${score(value)}</text>`;
  element.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" fill="currentColor" font-size="11">
    <title>Evaluation for the first player, move by move</title>
    <line x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(0)}" y2="${y(0)}" stroke="currentColor" opacity=".4"/>
    ${label(Math.round(most))}${label(0)}${label(-Math.round(most))}
    <text x="${WIDTH - 8}" y="${HEIGHT - 3}" text-anchor="end">move ${values.length - 1}</text>
    <polyline points="${points}" fill="none" stroke="var(--accent)" stroke-width="2"/><g fill="var(--accent)">${dots.join("")}</g></svg>`;
}
