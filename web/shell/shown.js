/** What Python says is shown, put into everything of the page that follows it. */
import { app } from "./dom.js";
import { showHeaders } from "./headers.js";
import { restoreFocus } from "./intents.js";
import { animate, endMotion } from "./motion.js";
import { showSummary } from "./summary.js";
import { announce } from "./telling.js";
import { showWhy } from "./why.js";
import { t } from "./words.js";

/**
 * @param {any} state
 * @param {any} before the state until now
 * @param {{editor: import("./editor/editor.js").Editor, transport: import("./transport.js").Transport}} page
 * @param {(intent: Record<string, any>) => void} send
 */
export function showState(state, before, { editor, transport }, send) {
  editor.show({
    running: state.running_line,
    made: state.made_line,
    madeLabel: state.made_label ?? "",
    here: t("program.here"),
    lines: state.line_marks ?? [],
  });
  transport.show(state);
  showHeaders(state, send);
  showSummary(state);
  showWhy(state.why);
  app().toggleAttribute("data-empty", Boolean(state.empty));
  restoreFocus();
  if (state.step === before.step + 1) animate(state.motion);
  else endMotion();
  speak(state, before, transport.playing);
}

/** What a screen reader hears: the step, or the thing that was picked. While playing, the end alone. @param {any} state @param {any} before @param {boolean} playing */
function speak(state, before, playing) {
  if (state.step !== before.step) {
    if (!playing) announce(state.sentence ?? "");
  } else if (state.inspector?.tag !== before.inspector?.tag) announce(state.inspector?.tag ?? "");
}
