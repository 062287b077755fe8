/** What stands where a playground will be: the program, and a button that starts it. Nothing is loaded yet. */
import en from "../../locales/en/share.json";
import zh from "../../locales/zh/share.json";

const LOOK = `
  :host { display: block; height: 100%; color-scheme: light dark; --ink: #1b2027; --ink2: #48515e;
    --paper: #ffffff; --bg: #f6f7f9; --line: #dde1e8; --accent: #3d4ec9; --on: #ffffff; }
  :host([data-theme="dark"]) { --ink: #e8ebef; --ink2: #b7bfca; --paper: #101318; --bg: #171a20;
    --line: #2e3540; --accent: #9aa8ff; --on: #11142a; }
  div { display: flex; flex-direction: column; height: 100%; box-sizing: border-box; overflow: hidden;
    border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink);
    font: 13px/20px system-ui, sans-serif; }
  header { display: flex; align-items: center; gap: 8px; height: 40px; padding: 0 10px 0 16px; flex: none;
    background: var(--bg); border-bottom: 1px solid var(--line); color: var(--ink2); }
  header span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  button { font: inherit; font-weight: 600; height: 28px; padding: 0 12px; border: 0; border-radius: 6px;
    background: var(--accent); color: var(--on); cursor: pointer; }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  pre { margin: 0; padding: 10px 16px; overflow: auto; flex: 1; font: 13px/20px ui-monospace, monospace;
    tab-size: 4; }
  p { margin: 0; padding: 8px 16px; flex: none; color: var(--ink2); font-size: 12px; }`;

/**
 * @param {HTMLElement} place what it fills
 * @param {{program: string | null, title: string, language: "en" | "zh" | null, theme: string | null,
 *   waits: string}} shown
 * @returns {Promise<boolean>} resolved when a person wants it (true), or has scrolled to it (false)
 */
export function poster(place, { program, title, language, theme, waits }) {
  const words = { en, zh }[language ?? (navigator.language.startsWith("zh") ? "zh" : "en")];
  const holder = document.createElement("div");
  const dark =
    theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  if (dark) holder.dataset.theme = "dark";
  const root = holder.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LOOK);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML =
    "<div><header><span></span><button type='button'></button></header><pre tabindex='0'></pre><p></p></div>";
  const find = (/** @type {string} */ name) =>
    /** @type {HTMLElement} */ (root.querySelector(name));
  find("span").textContent = title || words["embed.name"];
  find("button").textContent = words["embed.start"];
  find("pre").textContent = program;
  find("p").textContent = words["embed.note"];
  place.replaceChildren(holder);
  return new Promise((resolve) => {
    find("button").onclick = () => resolve(true);
    if (waits !== "visible") return;
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      resolve(false);
    });
    watch.observe(holder);
  });
}
