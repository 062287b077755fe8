/** What the page starts with. */
import { readManifest } from "./assets.js";
import { openContract } from "./contract.js";
import { startDividers } from "./dividers.js";
import { by } from "./dom.js";
import { listenForIntents } from "./intents.js";
import { listenForKeys, listenInViews } from "./keyboard.js";
import { exampleItems, menuButton, showCards, showKeys } from "./menus.js";
import { startPanels, watchRoom } from "./panels.js";
import { openingProgram, Playground } from "./playground.js";
import {
  rememberedLanguage,
  rememberedTheme,
  theme,
  useTheme,
  watchSystemTheme,
} from "./preferences.js";
import { hideNotice } from "./telling.js";
import { keysForCode } from "./touch-keys.js";
import { markLanguage, speak, t } from "./words.js";

const manifest = readManifest();
for (const example of manifest.examples) example.text = example.text.replace(/\n$/, "");

useTheme(rememberedTheme());
speak(rememberedLanguage());
markLanguage();
startPanels();
startDividers();

const playground = new Playground(manifest, openingProgram(manifest));
openContract(playground);

by("run").onclick = () => playground.runByHand();
by("stop").onclick = () => playground.stop();
by("notice-close").onclick = hideNotice;
by("help").onclick = showKeys;
by("copy-latex").onclick = () => intend({ intent: "copy-latex" });

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const nextTheme = () => THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
by("theme").onclick = () => playground.setTheme(nextTheme());

for (const button of document.querySelectorAll("button[data-language]")) {
  const { language } = /** @type {HTMLElement} */ (button).dataset;
  /** @type {HTMLElement} */ (button).onclick = () =>
    playground.setLanguage(/** @type {any} */ (language));
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
  { text: "English", act: () => playground.setLanguage("en") },
  { text: "中文", act: () => playground.setLanguage("zh") },
  { text: t(`theme.${nextTheme()}`), act: () => playground.setTheme(nextTheme()) },
  { text: t("top.help"), act: showKeys },
]);

const intend = (/** @type {Record<string, any>} */ intent) => {
  playground.intend(intent).catch((error) => console.error(error));
};
listenForIntents(intend);
listenInViews(intend);
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
