// What the page remembers from one visit to the next. A browser that refuses to store anything loses only that.

const PREFIX = "flipside.";

export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden.
  }
}

/** The value that was remembered; undefined if there is none. */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Gives controls the values of the last visit, and remembers their changes. */
export function keepControls(...controls) {
  for (const control of controls) {
    const known = recall(control.id);
    const offered = control.options && [...control.options].map(({ value }) => value);
    if (known !== undefined && (offered?.includes(known) ?? true)) control.value = known;
    control.addEventListener("change", () => remember(control.id, control.value));
  }
}
