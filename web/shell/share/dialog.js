/** The Share dialog: a link, lines to embed, one file with everything in it, the program alone. */
import { by, icon } from "../dom.js";
import { copyText, saveFile } from "../telling.js";
import { t } from "../words.js";
import { snippetOf } from "./link.js";
import { saveOnePage } from "./one-page.js";

/** How long a pressed button says that it has copied. */
const SHOWN = 2000;

/**
 * @param {import("../playground.js").Playground} playground
 * @param {{home: string, linkTo: (how?: import("./link.js").How) => Promise<string>}} known
 */
export function openShare(playground, known) {
  by("share").onclick = () => show(playground, known);
}

const markup = () => `
  <h2 id="share-title">${t("share.title")}</h2>
  <button type="button" class="btn icon-only close" aria-label="${t("share.close")}" title="${t("share.close")}">${icon("close")}</button>
  <section>
    <h3 id="share-link-title">${t("share.link")}</h3>
    <div class="row">
      <input id="share-link" class="mono grow" readonly aria-labelledby="share-link-title">
      <button type="button" class="btn solid big" data-copies="link">${icon("copy")}<span>${t("share.copy")}</span></button>
    </div>
    <p class="small faint">${t("share.linknote")}</p>
    <div class="row options">
      <label><input type="checkbox" name="step" checked><span></span></label>
      <label><input type="checkbox" name="language"><span>${t("share.lang")}</span></label>
    </div>
  </section>
  <section>
    <h3 id="share-embed-title">${t("share.embed")}</h3>
    <div class="row">
      <pre id="share-embed" class="mono grow" tabindex="0" aria-labelledby="share-embed-title"></pre>
      <button type="button" class="btn line big" data-copies="embed">${icon("copy")}<span>${t("share.copy")}</span></button>
    </div>
  </section>
  <section class="row" data-part="file">
    <div class="grow"><h3>${t("share.file")}</h3><p class="small faint">${t("share.filenote")}</p></div>
    <button type="button" class="btn line big" data-does="file">${icon("save")}<span>${t("share.download")}</span><span class="faint" id="share-size"></span></button>
  </section>
  <section class="row">
    <div class="grow"><h3>${t("share.python")}</h3><p class="small faint">${t("share.pythonnote")}</p></div>
    <button type="button" class="btn line big" data-does="open"><span>${t("share.open")}</span></button>
    <button type="button" class="btn line big" data-does="save">${icon("save")}<span>${t("share.save")}</span></button>
  </section>
  <input type="file" accept=".py,text/x-python,text/plain" hidden>`;

/**
 * @param {import("../playground.js").Playground} playground
 * @param {{home: string, linkTo: (how?: import("./link.js").How) => Promise<string>}} known
 */
async function show(playground, { home, linkTo }) {
  const dialog = /** @type {HTMLDialogElement} */ (by("share-dialog"));
  dialog.innerHTML = markup();
  const find = (/** @type {string} */ selector) =>
    /** @type {any} */ (dialog.querySelector(selector));
  const link = find("#share-link");
  const step = find("[name=step]");
  const at = playground.shownStep;
  step.closest("label").hidden = at === null;
  step.nextElementSibling.textContent = t("share.step", { step: at ?? 0 });
  const fill = async () => {
    const how = { step: step.checked, language: find("[name=language]").checked };
    find("#share-embed").textContent = snippetOf(playground, home, how);
    link.value = await linkTo(how);
  };
  await fill();
  find(".options").onchange = fill;
  link.onfocus = () => link.select();
  const texts = { link: () => link.value, embed: () => find("#share-embed").textContent };
  for (const button of dialog.querySelectorAll("[data-copies]")) {
    copies(/** @type {HTMLElement} */ (button), dialog, texts);
  }
  filePart(playground, dialog, home);
  pythonPart(playground, dialog);
  find(".close").onclick = () => dialog.close();
  // A handler that returned false would keep a box from being ticked.
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  dialog.showModal();
  find("[data-copies=link]").focus();
}

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} dialog where the text is put for a browser that refuses the clipboard
 * @param {Record<string, () => string>} texts
 */
function copies(button, dialog, texts) {
  button.onclick = async () => {
    await copyText(texts[button.dataset.copies ?? ""](), dialog);
    const before = button.innerHTML;
    if (button.dataset.done) return;
    button.dataset.done = "yes";
    button.innerHTML = `${icon("check")}<span>${t("share.copied")}</span>`;
    setTimeout(() => {
      button.innerHTML = before;
      delete button.dataset.done;
    }, SHOWN);
  };
}

/**
 * @param {import("../playground.js").Playground} playground
 * @param {HTMLElement} dialog
 * @param {string} home
 */
function filePart(playground, dialog, home) {
  const { onefile } = playground.manifest;
  const part = /** @type {HTMLElement} */ (dialog.querySelector("[data-part=file]"));
  part.hidden = !onefile;
  if (!onefile) return;
  const size = /** @type {HTMLElement} */ (part.querySelector("#share-size"));
  size.textContent = `${Math.round(onefile.bytes / 1e6)} MB`;
  const button = /** @type {HTMLButtonElement} */ (part.querySelector("button"));
  button.onclick = async () => {
    button.disabled = true;
    const told = (/** @type {number} */ done) => {
      size.textContent = `${Math.round(done * 100)} %`;
    };
    const saved = await saveOnePage(playground, home, told).catch(() => false);
    button.disabled = false;
    size.textContent = saved ? "" : t("share.failed");
  };
}

/** @param {import("../playground.js").Playground} playground @param {HTMLDialogElement} dialog */
function pythonPart(playground, dialog) {
  const find = (/** @type {string} */ selector) =>
    /** @type {any} */ (dialog.querySelector(selector));
  find("[data-does=save]").onclick = () =>
    saveFile({ name: "program.py", mime: "text/x-python", text: `${playground.editor.text}\n` });
  const picker = find("[type=file]");
  find("[data-does=open]").onclick = () => picker.click();
  picker.onchange = async () => {
    const [file] = picker.files;
    if (!file) return;
    playground.editor.text = (await file.text()).replaceAll("\r\n", "\n").replace(/\n$/, "");
    dialog.close();
  };
}
