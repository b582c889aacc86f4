// The text form of trees, `(((1 5 6) (8 3)) (L (1 W)))`, for the editor. The engine's own reader explains what is wrong.

const NAME = /^[\p{L}\p{N}_@-]+:/u;
const LEAF = /^(\?|W|L|[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)/;

/** A tree as `{ name, leaf, value, children }`: `leaf` and `value` are texts, `children` undefined for leaves. Undefined for other text. */
export function parse(text) {
  let rest = text;
  const blanks = () => (rest = rest.trimStart());
  const take = (pattern) => {
    const found = pattern.exec(rest)?.[0];
    if (found !== undefined) rest = rest.slice(found.length);
    return found;
  };
  const branch = () => {
    const name = take(NAME)?.slice(0, -1);
    if (take(/^\(/) === undefined) {
      const leaf = take(LEAF);
      return leaf === undefined ? undefined : { name, leaf };
    }
    const children = [];
    for (blanks(); take(/^\)/) === undefined; blanks()) {
      const child = branch();
      if (!child) return undefined;
      children.push(child);
    }
    const value = take(/^=\S+?(?=[\s()]|$)/)?.slice(1);
    return children.length ? { name, value, children } : undefined;
  };
  blanks();
  const tree = branch();
  blanks();
  return tree && rest === "" ? tree : undefined;
}

export function write({ name, leaf, value, children }) {
  const body = children ? `(${children.map(write).join(" ")})${value === undefined ? "" : `=${value}`}` : leaf;
  return name === undefined ? body : `${name}:${body}`;
}
