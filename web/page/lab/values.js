// Values as the trace writes them: numbers, "W" for a win and "L" for a loss.

export const number = (value) => (value === "W" ? Infinity : value === "L" ? -Infinity : value);

/** A number as the trace writes it. Null windows end a hundredth beyond a value, or a rank in a tree of large values. */
export const show = (value) => (value === Infinity ? "W" : value === -Infinity ? "L" : String(Number(value.toFixed(6))));

/** Reads a value; undefined if the text is none. */
export function read(text) {
  const word = text.trim().toUpperCase();
  if (word === "W") return Infinity;
  if (word === "L") return -Infinity;
  return word !== "" && Number.isFinite(Number(word)) ? Number(word) : undefined;
}

/** Reads `[2,5]` or `2 5` as a pair of values; undefined if the text is none. */
export function readPair(text) {
  const values = text.replace(/[[\]()]/g, " ").trim().split(/\s*[,;]\s*|\s+/).map(read);
  return values.length === 2 && !values.includes(undefined) ? values : undefined;
}

export const same = (one, other) => one === other || Math.abs(one - other) < 1e-6;
