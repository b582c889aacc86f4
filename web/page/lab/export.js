// What a learner takes along: the picture as SVG or PNG, the trace as JSON.

const SCALE = 2;
/** Canvases of browsers are limited. */
const MOST_PIXELS = 8192;

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The picture as text, in its full size. */
function svgText({ svg, width, height }) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.querySelectorAll(".unknown").forEach((hidden) => hidden.remove());
  return new XMLSerializer().serializeToString(copy);
}

export const saveSvg = (name, drawing) => save(`${name}.svg`, new Blob([svgText(drawing)], { type: "image/svg+xml" }));
export const saveJson = (name, record) => save(`${name}.json`, new Blob([JSON.stringify(record)], { type: "application/json" }));

export async function savePng(name, drawing) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svgText(drawing)], { type: "image/svg+xml" }));
  image.src = address;
  await image.decode();
  const scale = Math.min(SCALE, MOST_PIXELS / Math.max(drawing.width, drawing.height));
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.ceil(drawing.width * scale), height: Math.ceil(drawing.height * scale) });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  save(`${name}.png`, await new Promise((done) => canvas.toBlob(done, "image/png")));
}
