// Practice: before a step that tells something new, a question about it. The answer is judged by the step itself.
import { label } from "./model.js";
import { read, readPair, same, show } from "./values.js";
import { describe, windowText } from "./words.js";

/** A null window is as good with the next whole number as with the next hundredth. */
const isNullWindow = ([alpha, beta]) => beta - alpha < 0.011;

function windowQuestion({ node }) {
  return {
    kind: "window",
    text: `What is the window [alpha,beta] when the search enters ${label(node)}?`,
    judge: (text) => {
      const given = readPair(text);
      if (!given) return undefined;
      const [alpha, beta] = node.window;
      const isNext = isNullWindow(node.window) && given[1] - given[0] === 1 && (same(given[0], alpha) || same(given[1], beta));
      return isNext || (same(given[0], alpha) && same(given[1], beta));
    },
    answer: windowText(node.window),
  };
}

function valueQuestion({ node }) {
  return {
    kind: "value",
    text: `What does ${label(node)} return?`,
    judge: (text) => {
      const given = read(text);
      return given === undefined ? undefined : same(given, node.value);
    },
    answer: show(node.value),
  };
}

function pruningQuestion(next, asked) {
  return { kind: "pruned", text: `Is ${label(asked)} pruned or visited?`, judge: (text) => (text === "pruned") === (next.kind === "cut"), answer: next.kind === "cut" ? "pruned" : "visited" };
}

/** The move whose fate the next step decides, after another one returned. */
function undecided(last, next) {
  const { parent } = last?.kind === "leave" ? last.node : {};
  if (!parent || (next.kind === "cut" ? next.node !== parent : next.kind !== "enter" || next.node.parent !== parent || next.node.again)) return undefined;
  return next.kind === "cut" ? parent.children.find(({ pruned }) => pruned) : next.node;
}

/** The question before the step after `last`; undefined if it asks nothing of these kinds (`all`, `value`, `pruned` or `window`). */
export function questionBefore({ steps }, count, kinds) {
  const [last, next] = [steps[count - 1], steps[count]];
  if (!next || next.node.playouts !== undefined) return undefined;
  const wants = (kind) => kinds === "all" || kinds === kind;
  const asked = wants("pruned") && undecided(last, next);
  const question = asked
    ? pruningQuestion(next, asked)
    : wants("window") && next.kind === "enter" && next.node.window && next.node.parent
      ? windowQuestion(next)
      : wants("value") && next.kind === "leave" && next.node.children.length
        ? valueQuestion(next)
        : undefined;
  return question && { ...question, explanation: describe(next) };
}

/** The form of the questions, with the score. */
export class Practice {
  score = { right: 0, asked: 0 };

  /** Calls `onAnswered` when the learner goes on. */
  constructor(form, onAnswered) {
    this.form = form;
    this.onAnswered = onAnswered;
    this.part = (name) => form.querySelector(`[data-part=${name}]`);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.question?.isJudged) this.#goOn();
      else this.#answer(this.part("text").value);
    });
    for (const word of ["pruned", "visited"]) this.part(word).addEventListener("click", () => this.#answer(word));
    this.part("skip").addEventListener("click", () => this.#judge(undefined));
  }

  /** Ends the question if it is judged; false if it still waits for an answer. */
  finish() {
    const isJudged = Boolean(this.question?.isJudged);
    if (isJudged) this.hide();
    return isJudged;
  }

  get isAsking() {
    return this.question !== undefined;
  }

  reset() {
    this.score = { right: 0, asked: 0 };
    this.hide();
  }

  hide() {
    this.question = undefined;
    this.form.hidden = true;
    this.part("answer").textContent = "Answer";
  }

  ask(question) {
    if (!this.form.contains(document.activeElement)) this.asker = document.activeElement;
    this.question = question;
    this.form.hidden = false;
    this.part("question").textContent = question.text;
    this.part("verdict").textContent = "";
    this.part("text").value = "";
    const isChoice = question.kind === "pruned";
    this.part("entry").hidden = isChoice;
    this.part("answer").hidden = isChoice;
    for (const name of ["pruned", "visited"]) this.part(name).hidden = !isChoice;
    this.part("skip").hidden = false;
    this.#showScore();
    this.part(isChoice ? "pruned" : "text").focus();
  }

  #answer(text) {
    if (!this.question || this.question.isJudged) return;
    const isRight = this.question.judge(text);
    if (isRight === undefined) this.part("verdict").textContent = this.question.kind === "window" ? "Write two values, such as 2,5 or L,W." : "Write a number, W or L.";
    else this.#judge(isRight);
  }

  /** `isRight` is undefined for a learner who wants to see the answer. */
  #judge(isRight) {
    const { question } = this;
    question.isJudged = true;
    this.score.asked++;
    if (isRight) this.score.right++;
    const verdict = isRight === undefined ? "" : isRight ? "Right. " : "Not so. ";
    this.part("verdict").textContent = `${verdict}The answer is ${question.answer}. ${question.explanation}`;
    this.part("entry").hidden = true;
    for (const name of ["pruned", "visited", "skip"]) this.part(name).hidden = true;
    this.part("answer").hidden = false;
    this.part("answer").textContent = "Go on";
    this.part("answer").focus();
    this.#showScore();
  }

  /** The keys go back to where the learner stepped. */
  #goOn() {
    this.hide();
    this.asker?.focus();
    this.onAnswered();
  }

  #showScore() {
    this.part("score").textContent = this.score.asked ? `${this.score.right} of ${this.score.asked} right` : "";
  }
}
