// The page: its tabs and their common engine.
import { Client } from "./client.js";
import { startPlay } from "./play.js";
import { startSolve } from "./solve.js";
import { startTextbook } from "./textbook.js";

const client = new Client();
const tabs = [...document.querySelectorAll("[role=tab]")];

function show(tab) {
  for (const other of tabs) {
    const selected = other === tab;
    other.setAttribute("aria-selected", String(selected));
    other.tabIndex = selected ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !selected;
  }
  tab.dispatchEvent(new Event("show"));
}

tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => show(tab));
  tab.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = tabs[(index + step + tabs.length) % tabs.length];
    show(next);
    next.focus();
  });
});

try {
  const info = await client.info();
  document.getElementById("version").textContent = `Version ${info.version}.`;
  const play = startPlay(client);
  startSolve(client, play);
  startTextbook(client, info);
} catch (error) {
  document.getElementById("status").textContent = `The engine cannot be loaded: ${error.message}`;
}
