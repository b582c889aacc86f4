// The window through which a drawing is seen: zoom, fit, pan, and following a node.

const [LEAST, MOST] = [0.05, 3];
/** The smallest zoom at which numbers can be read. */
const READABLE = 0.55;

export class Viewport {
  zoom = 1;
  #size = { width: 0, height: 0 };

  constructor(element) {
    this.element = element;
    new ResizeObserver(([{ contentRect: { width, height } }]) => (this.#size = { width, height })).observe(element);
    element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => this.#pan(event));
  }

  /** Shows a drawing at the present zoom. */
  show(drawing) {
    this.drawing = drawing;
    this.element.querySelector("svg.tree")?.remove();
    this.element.prepend(drawing.svg);
    this.#resize();
  }

  zoomBy(factor) {
    const { element, zoom } = this;
    this.zoom = Math.min(MOST, Math.max(LEAST, zoom * factor));
    const real = this.zoom / zoom;
    const [x, y] = [element.scrollLeft + element.clientWidth / 2, element.scrollTop + element.clientHeight / 2];
    this.#resize();
    element.scrollTo(x * real - element.clientWidth / 2, y * real - element.clientHeight / 2);
  }

  /** The whole drawing, not enlarged. */
  fit() {
    const { width, height } = this.drawing;
    this.zoom = Math.max(LEAST, Math.min(1, (this.element.clientWidth - 4) / width, (this.element.clientHeight - 4) / height));
    this.#resize();
  }

  /** The whole drawing if it can be read then, else its real size. */
  fitIfReadable() {
    this.fit();
    if (this.zoom >= READABLE) return;
    this.zoom = 1;
    this.#resize();
  }

  /** Scrolls a place into the middle part of the view, together with others if there is room for all. */
  follow(place, others = []) {
    const { element, zoom } = this;
    const { width, height } = this.#size;
    const target = (axis, from, size) => {
      const all = [place, ...others].map((one) => one[axis] * zoom);
      const hasRoom = Math.max(...all) - Math.min(...all) < size * 0.8;
      const [low, high] = hasRoom ? [Math.min(...all), Math.max(...all)] : [all[0], all[0]];
      const margin = Math.min(size * 0.2, (size - (high - low)) / 2);
      return low < from + margin || high > from + size - margin ? Math.max(0, (low + high - size) / 2) : from;
    };
    const [left, top] = [target("x", element.scrollLeft, width), target("y", element.scrollTop, height)];
    if (left !== element.scrollLeft || top !== element.scrollTop) element.scrollTo(left, top);
  }

  #resize() {
    this.drawing.svg.setAttribute("width", this.drawing.width * this.zoom);
    this.drawing.svg.setAttribute("height", this.drawing.height * this.zoom);
  }

  /** Dragging the ground with a mouse scrolls; a finger scrolls anyway. */
  #pan(event) {
    if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest(".item")) return;
    const { element } = this;
    const start = { x: event.clientX + element.scrollLeft, y: event.clientY + element.scrollTop };
    const move = ({ clientX, clientY }) => element.scrollTo(start.x - clientX, start.y - clientY);
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }
}
