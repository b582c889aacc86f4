// Stepping: forward and back, to the next cut or return, and playing at a chosen speed.
import { byId } from "../elements.js";

export class Player {
  at = 0;
  #timer;

  /** `show(at)` draws a step; `steps()` lists the steps; `mayGo()` says whether a learner may go on; `onEnd()` hears of going beyond the end. */
  constructor({ show, steps, mayGo, onEnd }) {
    Object.assign(this, { show, steps, mayGo, onEnd });
    const actions = { "step-first": () => this.go(0), "step-back": () => this.go(this.at - 1), "step-forward": () => this.forward(), "step-cut": () => this.to("cut"), "step-return": () => this.to("leave"), "step-last": () => this.go(Infinity) };
    for (const [id, action] of Object.entries(actions)) {
      byId(id).addEventListener("click", () => {
        this.pause();
        action();
      });
    }
    byId("step-slider").addEventListener("input", () => this.go(Number(byId("step-slider").value)));
    byId("step-play").addEventListener("click", () => (this.isPlaying ? this.pause() : this.play()));
    byId("step-speed").addEventListener("change", () => this.isPlaying && this.play());
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  /** The keys of a drawing. */
  key(event) {
    const action = {
      ArrowRight: () => this.forward(),
      ArrowLeft: () => this.go(this.at - 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      c: () => this.to("cut"),
      r: () => this.to("leave"),
      " ": () => (this.isPlaying ? this.pause() : this.play()),
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return false;
    event.preventDefault();
    action();
    return true;
  }

  play() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.forward(), 1000 / Number(byId("step-speed").value));
    byId("step-play").textContent = "Pause";
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    byId("step-play").textContent = "Play";
  }

  /** One step further, unless a question comes first. */
  forward() {
    if (!this.mayGo(this.at)) return this.pause();
    if (this.at < this.steps().length) return this.go(this.at + 1);
    if (!this.onEnd()) this.pause();
    return undefined;
  }

  /** Beyond the next step of a kind, or to the end. */
  to(kind) {
    const index = this.steps().findIndex((step, index) => index >= this.at && step.kind === kind);
    this.go(index < 0 ? Infinity : index + 1);
  }

  go(step) {
    const last = this.steps().length;
    this.at = Math.max(0, Math.min(step, last));
    const slider = byId("step-slider");
    slider.max = last;
    slider.value = this.at;
    this.show(this.at);
  }
}
