/** A dot runs along the edge of the message that has just come. Decoration: the picture is right without it. */
import { figureToPage } from "./document.js";
import { by, painted } from "./dom.js";
import { reducedMotion } from "./preferences.js";

const TRAVEL = 240;
const SVG = "http://www.w3.org/2000/svg";

/** @type {(() => void) | null} */
let stopRunning = null;

/** Ends the running motion in its final state. */
export function endMotion() {
  stopRunning?.();
}

/**
 * Begins once the step itself is painted, so that it delays nothing.
 * @param {{path: [number, number][], sign: string, width: number} | null | undefined} motion
 */
export function animate(motion) {
  endMotion();
  if (!motion || motion.path.length < 2 || reducedMotion()) return;
  let wanted = true;
  stopRunning = () => {
    wanted = false;
    stopRunning = null;
  };
  painted().then(() => wanted && begin(motion));
}

/** @param {{path: [number, number][], sign: string, width: number}} motion */
function begin(motion) {
  const toPage = figureToPage(by("view-graph"));
  if (!toPage) return;
  const box = by("graph-body").getBoundingClientRect();
  const points = motion.path.map(([x, y]) => {
    const [left, top] = toPage(x, y);
    return /** @type {[number, number]} */ ([left - box.left, top - box.top]);
  });
  run(points, motion.sign === "neg" ? "var(--neg)" : "var(--pos)", motion.width);
}

/** @param {[number, number][]} points @param {string} colour @param {number} width */
function run(points, colour, width) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "motion");
  const line = document.createElementNS(SVG, "polyline");
  line.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  line.setAttribute("fill", "none");
  line.setAttribute("stroke", colour);
  line.setAttribute("stroke-width", String(Math.max(2, width)));
  const dot = document.createElementNS(SVG, "circle");
  dot.setAttribute("r", "7");
  dot.setAttribute("fill", colour);
  svg.append(line, dot);
  by("graph-body").append(svg);
  const length = line.getTotalLength();
  line.setAttribute("stroke-dasharray", `0 ${length}`);
  const began = performance.now();
  let frame = 0;
  const draw = (/** @type {number} */ now) => {
    const part = Math.max(0, Math.min(1, (now - began) / TRAVEL));
    const eased = 1 - (1 - part) ** 2;
    const { x, y } = line.getPointAtLength(eased * length);
    dot.setAttribute("cx", String(x));
    dot.setAttribute("cy", String(y));
    line.setAttribute("stroke-dasharray", `${eased * length} ${length}`);
    if (part < 1) frame = requestAnimationFrame(draw);
    else stopRunning?.();
  };
  stopRunning = () => {
    cancelAnimationFrame(frame);
    svg.remove();
    stopRunning = null;
  };
  draw(began);
}
