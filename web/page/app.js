// The page: its tabs, their common engine, and the address that names what is open.
import { Address } from "./address.js";
import { Client } from "./client.js";
import { Lab } from "./lab/lab.js";
import { Play } from "./play.js";
import { Solve } from "./solve.js";

const tabs = [...document.querySelectorAll("[role=tab]")];
const nameOf = (tab) => tab.getAttribute("aria-controls");

/** Shows a section; `values` are those of a link. */
function open(sections, address, name, values) {
  for (const tab of tabs) {
    const selected = nameOf(tab) === name;
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
    document.getElementById(nameOf(tab)).hidden = !selected;
  }
  document.body.dataset.section = name;
  address.open(name);
  return sections[name].open(values);
}

function start(client, info) {
  const address = new Address();
  // Each section says what it shows, for the address, and is opened with the values of a link.
  const tools = (section) => ({ client, info, show: (values) => address.show(section, values) });
  const play = new Play(tools("play"));
  const solve = new Solve({ ...tools("solve"), reversiPosition: () => (play.game === "reversi" ? play.position?.position : undefined) });
  const sections = { play, solve, lab: new Lab(tools("lab")) };
  const openTab = (tab, values) => open(sections, address, nameOf(tab), values);
  const openAddress = () => {
    const { section, values } = Address.read();
    return openTab(tabs.find((tab) => nameOf(tab) === section) ?? tabs[0], values);
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => openTab(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      openTab(next);
      next.focus();
    });
  });
  addEventListener("hashchange", openAddress);
  return openAddress();
}

const client = new Client();
try {
  const info = await client.info();
  document.getElementById("version").textContent = `Version ${info.version}.`;
  await start(client, info);
} catch (error) {
  document.getElementById("status").textContent = `The engine cannot be loaded: ${error.message}`;
}
