/** The page itself: puts its parts together and listens. */
import { NETWORK } from "./assets.js";
import { openContract } from "./contract.js";
import { startDividers } from "./dividers.js";
import { by } from "./dom.js";
import { arrange, fitToPanels, showOnly } from "./embed/layout.js";
import { listenForIntents } from "./intents.js";
import { offerOther } from "./kept/offer.js";
import { placeOf, slotOf } from "./kept/places.js";
import { Work } from "./kept/work.js";
import { listenForKeys, listenInViews } from "./keyboard.js";
import { exampleItems, menuButton, showCards, showKeys } from "./menus.js";
import { keepForOffline } from "./offline.js";
import { EMBEDDED, isOneFile } from "./onefile/embedded.js";
import { startPanels, watchRoom } from "./panels.js";
import { Playground } from "./playground.js";
import {
  rememberedLanguage,
  rememberedTheme,
  rememberWith,
  showTheme,
  theme,
  watchSystemTheme,
} from "./preferences.js";
import { graphItems } from "./save-menu.js";
import { openShare } from "./share/dialog.js";
import { linkOf } from "./share/link.js";
import { home } from "./site.js";
import { hideNotice, notice } from "./telling.js";
import { keysForCode } from "./touch-keys.js";
import { markLanguage, speak, t } from "./words.js";

/**
 * @param {import("./assets.js").Manifest} manifest
 * @param {import("./link/opening.js").Opening & {runs?: boolean}} opening
 * @param {{guest?: import("./frame/guest.js").Guest, problem?: string}} [around]
 */
export function startPage(manifest, opening, { guest, problem } = {}) {
  if (guest) rememberWith(guest.memory);
  showTheme(opening.theme ?? rememberedTheme());
  speak(opening.language ?? rememberedLanguage());
  markLanguage();
  showOnly(opening.panels);
  startPanels();
  arrange(opening.panels, opening.title);
  startDividers();

  const playground = open(manifest, opening, guest);
  if (!guest && !isOneFile()) playground.ready.then(keepForOffline).catch(console.error);
  if (problem) notice(t(`link.${problem}`));
  wire(playground, manifest);
}

/**
 * @param {import("./assets.js").Manifest} manifest
 * @param {import("./link/opening.js").Opening & {runs?: boolean}} opening
 * @param {import("./frame/guest.js").Guest | undefined} guest
 */
function open(manifest, opening, guest) {
  const place = placeOf(opening, location.pathname);
  const work = new Work(guest ? guest.slot : slotOf(place), opening.program);
  const { text, other } = work.open();
  const { step, seed, readonly, program: given } = opening;
  const playground = new Playground(manifest, {
    program: text ?? firstProgram(manifest),
    runs: opening.runs ?? (given === null && !opening.embedded),
    step: other ? null : step,
    seed,
    readonly,
    save: (typed) => work.save(typed),
    source: sourceFor(guest),
  });
  const address = guest?.welcome.home ?? home();
  const linkTo = (/** @type {import("./share/link.js").How} */ how) =>
    linkOf(playground, address, how);
  openContract(playground, linkTo, { port: guest?.port, origins: opening.origins });
  openShare(playground, { home: address, linkTo });
  fitToPanels(playground, opening.panels, address);
  if (other) offerOther(other, playground.editor, work);
  return playground;
}

/** @param {import("./frame/guest.js").Guest | undefined} guest @returns {import("./assets.js").Source} */
function sourceFor(guest) {
  if (guest) return { fetch: (asset) => guest.fetch(asset), inline: true };
  return isOneFile() ? EMBEDDED : NETWORK;
}

/** @param {Playground} playground @param {import("./assets.js").Manifest} manifest */
function wire(playground, manifest) {
  by("run").onclick = () => playground.runByHand();
  by("stop").onclick = () => playground.stop();
  by("notice-close").onclick = hideNotice;
  by("help").onclick = showKeys;
  by("contour").onclick = () => intend({ intent: "contour" });
  by("copy-latex").onclick = () => intend({ intent: "copy-latex" });

  const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
  const nextTheme = () => THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  by("theme").onclick = () => playground.setTheme(nextTheme());

  for (const button of document.querySelectorAll("button[data-language]")) {
    const choice = /** @type {HTMLElement} */ (button);
    choice.onclick = () => playground.setLanguage(/** @type {any} */ (choice.dataset.language));
  }

  const examples = () =>
    exampleItems(
      manifest.examples,
      (text) => playground.open(text),
      () => playground.editor.text,
    );
  menuButton(by("examples"), by("examples-menu"), examples);
  showCards(examples());
  menuButton(by("more"), by("more-menu"), () => [
    ...examples(),
    { text: t("top.share"), act: () => by("share").click() },
    ...graphItems(),
    { text: "English", act: () => playground.setLanguage("en") },
    { text: "中文", act: () => playground.setLanguage("zh") },
    { text: t(`theme.${nextTheme()}`), act: () => playground.setTheme(nextTheme()) },
    { text: t("top.help"), act: showKeys },
  ]);

  const intend = (/** @type {Record<string, any>} */ intent) =>
    playground.intend(intent).catch((error) => console.error(error));
  listenForIntents(intend);
  listenInViews(async (intent) => {
    await intend(intent);
    if (intent.intent === "graph-key") playground.cards.atFocus();
  });
  listenForKeys({
    run: () => playground.runByHand(),
    stop: () => playground.stop(),
    noGrad: () => {
      const [first, last] = playground.editor.selectedLines();
      intend({ intent: "no_grad", first, last });
    },
  });
  keysForCode(by("keys"), playground.editor);
  watchSystemTheme(() => playground.tellTheme());
  watchRoom(() => playground.tellRoom());
  playground.tellRoom();
}

/** The program of a page that nobody has typed into. @param {import("./assets.js").Manifest} manifest */
function firstProgram(manifest) {
  const lines = [...document.querySelectorAll("#first-program > code")];
  return manifest.examples[0]?.text ?? lines.map((line) => line.textContent).join("\n");
}
