// Numbers in readable form.

/** Scores beyond this are proven wins: 300 less a hundredth for each ply. */
const WIN = 290;

/** A score in units with its sign; `wins` or `loses` if that is proven. */
export function score(units) {
  if (units >= WIN) return "wins";
  if (units <= -WIN) return "loses";
  return (units > 0 ? "+" : "") + (Number.isInteger(units) ? units : units.toFixed(1));
}

/** What a certainty means. */
export function certainty(name) {
  if (name === "exact" || name === "proven") return name;
  if (name === "wld") return "win, draw or loss is certain";
  const percent = name.split("@")[1];
  return name.startsWith("end") ? `played out, ${percent} sure` : percent === "100%" ? "estimate" : `estimate, ${percent} sure`;
}

export const count = (number) => number.toLocaleString("en");

export const capital = (word) => word[0].toUpperCase() + word.slice(1);
