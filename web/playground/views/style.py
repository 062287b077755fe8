"""The stylesheet of the HTML panes. Tokens come from the page and reach into every shadow root."""

CSS = """
:host {
  display: block;
  color: var(--ink);
  font: var(--t-base, 13px)/20px var(--sans);
  font-variant-numeric: tabular-nums;
}
* {
  box-sizing: border-box;
}
p, h2, h3, pre, ul, dl, dd {
  margin: 0;
  font: inherit;
}
button, input {
  font: inherit;
  color: inherit;
}
svg {
  display: block;
  flex: none;
}
.mono, code, pre {
  font-family: var(--mono);
}
.small {
  font-size: 12px;
  line-height: 16px;
}
.dim {
  color: var(--ink2);
}
.faint {
  color: var(--ink3);
}
.acc {
  color: var(--accent);
}
.pos {
  color: var(--pos);
}
.neg {
  color: var(--neg);
}
.err {
  color: var(--err);
}
.row {
  display: flex;
  align-items: center;
  gap: 8px;
}
.grow {
  flex: 1;
  min-width: 0;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.btn {
  min-height: 28px;
  padding: 3px 12px;
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 6px;
  border: 1px solid transparent;
  border-radius: 6px;
  background: transparent;
  color: var(--ink2);
  cursor: pointer;
}
.btn.line {
  border-color: var(--line);
  background: var(--paper);
  color: var(--ink);
}
.btn.line.acc {
  color: var(--accent);
}
.btn.on {
  background: var(--accent-soft);
  color: var(--accent);
}
.btn.tight {
  min-height: 24px;
  padding: 0 8px;
  font-size: 12px;
}
.btn:hover {
  background: var(--sunk);
  color: var(--ink);
}
.link {
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  cursor: pointer;
  text-align: left;
  font: inherit;
}
.link:hover {
  color: var(--accent);
}
.none {
  padding: 2px 4px;
  margin-left: -4px;
  border: 0;
  border-radius: 4px;
  background: none;
  color: var(--ink3);
  cursor: pointer;
}
.none:hover {
  background: var(--accent-soft);
  color: var(--accent);
}
table {
  border-collapse: collapse;
  width: 100%;
}
.tiny {
  font-size: 11px;
}
th {
  text-align: left;
  font-weight: 400;
  font-size: 12px;
  color: var(--ink3);
  height: 28px;
  padding: 0 8px 0 0;
  white-space: nowrap;
}
td, th[scope=row] {
  height: 36px;
  border-top: 1px solid var(--line);
  padding: 0 8px 0 0;
  white-space: nowrap;
  font-size: 13px;
}
tbody tr:last-child>* {
  border-bottom: 1px solid var(--line);
}
.cut {
  max-width: 150px;
  overflow: hidden;
  text-overflow: ellipsis;
}
.tag {
  display: inline-flex;
  align-items: center;
  height: 20px;
  padding: 0 6px;
  border-radius: 4px;
  background: var(--sunk);
  color: var(--ink2);
  font: 11px/20px var(--mono);
  white-space: nowrap;
}
.tag.words {
  font: 12px/20px var(--sans);
}
.tag.acc {
  background: var(--accent-soft);
  color: var(--accent);
}
.tag.err {
  background: var(--err-soft);
  color: var(--err);
}
.switch {
  display: block;
  width: 32px;
  height: 18px;
  padding: 0;
  border-radius: 9px;
  border: 1.5px solid var(--edge);
  position: relative;
  background: var(--paper);
  cursor: pointer;
}
.switch::after {
  content: "";
  position: absolute;
  left: 2px;
  top: 2px;
  width: 11px;
  height: 11px;
  border-radius: 50%;
  background: var(--edge);
}
.switch:hover {
  border-color: var(--ink);
}
.switch[aria-checked=true] {
  background: var(--accent);
  border-color: var(--accent);
}
.switch[aria-checked=true]::after {
  transform: translateX(14px);
  background: var(--on-accent);
}
.switch:disabled {
  opacity: .45;
  cursor: default;
}
@media (prefers-reduced-motion:no-preference) {
  .switch::after {
    transition: transform 120ms;
  }
}
@media (pointer:coarse) {
  .switch::before {
    content: "";
    position: absolute;
    inset: -13px -6px;
  }
  .btn {
    min-height: 44px;
  }
}
.leaves {
  max-height: var(--list, none);
  overflow-y: auto;
}
.leaves th {
  position: sticky;
  top: 0;
  background: var(--bg);
}
.leaves tbody th {
  position: static;
}
.leaves table {
  table-layout: fixed;
}
.leaves th:nth-child(1) {
  width: 25%;
}
.leaves th:nth-child(2) {
  width: 52px;
}
.leaves th:nth-child(4) {
  width: 98px;
}
.leaves th:nth-child(5) {
  width: 22%;
}
.leaves th[scope=row] {
  overflow: hidden;
  text-overflow: ellipsis;
}
.ask {
  display: grid;
  gap: 6px;
  padding-top: 12px;
  padding-bottom: 2px;
  position: sticky;
  bottom: 0;
  background: var(--bg);
}
.why .close {
  width: 28px;
  margin: -4px -8px -4px 0;
  padding: 0;
  justify-content: center;
}
.why .sentence {
  margin-top: 4px;
}
.why .dim {
  margin-top: 6px;
}
.why .offers {
  display: grid;
  gap: 8px;
  margin-top: 12px;
}
.field {
  min-height: 32px;
  display: flex;
  align-items: center;
  gap: 8px;
  padding: 0 8px 0 10px;
  border: 1px solid var(--edge);
  border-radius: 6px;
  background: var(--paper);
}
.field:focus-within {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.field input {
  flex: 1;
  min-width: 60px;
  height: 30px;
  padding: 0;
  border: 0;
  background: none;
  outline: 0;
  font: 13px/20px var(--mono);
}
.field output {
  white-space: pre-wrap;
  text-align: right;
  max-height: 120px;
  overflow: auto;
  overflow-wrap: anywhere;
}
.console {
  font-size: 13px;
  line-height: 20px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  padding: 4px 0;
}
.sentence {
  font-size: 15px;
  line-height: 22px;
  text-wrap: pretty;
}
.levels {
  display: grid;
  grid-template-columns: 88px minmax(0,1fr);
  align-items: center;
  margin-top: 8px;
}
.levels>dt, .facts>dt {
  color: var(--ink3);
  font-size: 12px;
}
.levels>dd {
  min-height: 40px;
  display: flex;
  align-items: center;
  overflow-x: auto;
}
math {
  font-size: 17px;
  font-family: var(--math);
}
.levels mfrac {
  math-style: normal;
  font-size: 14px;
}
.sum math {
  font-size: 13px;
}
mtext.code {
  font: 12px/18px var(--mono);
}
.sum {
  display: flex;
  align-items: stretch;
  gap: 8px;
  margin-top: 8px;
}
.sentence+.sum {
  margin-top: 16px;
}
.sum>div {
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 5px 12px 6px;
  flex: 1;
  min-width: 0;
}
.sum>div>span {
  display: block;
  max-height: 36px;
  overflow: hidden;
}
.sum b {
  display: block;
  font: 600 13px/20px var(--mono);
  white-space: pre;
  overflow: hidden;
  text-overflow: ellipsis;
}
.sum .op {
  align-self: center;
  flex: none;
  color: var(--ink3);
  font-size: 15px;
}
.facts {
  margin-top: 12px;
  display: grid;
  grid-template-columns: 88px minmax(0,1fr);
  row-gap: 4px;
  font-size: 12px;
  line-height: 18px;
  color: var(--ink2);
}
.differs {
  border-bottom: 1.5px solid var(--neg);
}
.list {
  display: grid;
  gap: 6px;
  margin: 12px 0;
  padding: 0;
  list-style: none;
}
.list>li {
  display: grid;
  grid-template-columns: 16px minmax(0,1fr);
  gap: 8px;
  align-items: start;
  color: var(--ink2);
}
.list>li.guilty {
  color: var(--ink);
  font-weight: 600;
}
.list svg {
  margin-top: 2px;
}
.actions {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  margin-top: 16px;
}
.two {
  display: grid;
  grid-template-columns: repeat(auto-fit,minmax(260px,1fr));
  gap: 12px;
  margin-top: 12px;
}
.remedy {
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--paper);
  padding: 10px 12px;
  display: grid;
  gap: 8px;
  align-content: start;
}
.diff {
  font: 12px/20px var(--mono);
  border-radius: 6px;
  background: var(--sunk);
  padding: 4px 0;
  overflow-x: auto;
  white-space: pre;
}
.diff>* {
  display: block;
  padding: 0 10px;
  text-decoration: none;
}
.diff del {
  color: var(--err);
  background: var(--err-soft);
}
.diff ins {
  color: var(--pos);
  background: var(--pos-soft);
}
.torch {
  font: 12px/18px var(--mono);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.title {
  min-height: 40px;
  display: flex;
  align-items: center;
  gap: 8px;
}
.title h2 {
  font-size: 12px;
  font-weight: 600;
}
.table {
  padding: 0 16px 16px;
  overflow: auto;
  position: absolute;
  inset: 0;
  background: var(--paper);
}
.table tr[aria-current=true] td {
  background: var(--accent-soft);
}
.table th {
  position: sticky;
  top: 0;
  background: var(--paper);
}
.page {
  max-width: 640px;
  margin: 12px 0 16px;
  padding-top: 4px;
  border-top: 1px solid var(--line);
}
.page h2 {
  font-size: 15px;
  font-weight: 600;
  line-height: 22px;
  margin-top: 12px;
}
.page h3 {
  font-size: 13px;
  font-weight: 600;
  margin: 12px 0 4px;
}
.page ul {
  padding-left: 18px;
  list-style: disc;
}
.page li {
  margin: 2px 0;
}
.page .example {
  margin-top: 4px;
  padding: 8px 12px;
  border-radius: 6px;
  background: var(--sunk);
}
.closer {
  margin: 12px 0 16px;
}
.matrix {
  width: auto;
  margin-top: 12px;
  border-collapse: collapse;
  font: 13px/20px var(--mono);
}
.matrix caption {
  text-align: left;
  font: 12px/18px var(--sans);
  color: var(--ink3);
  padding-bottom: 4px;
}
.matrix th {
  font: 12px/20px var(--sans);
  font-weight: 400;
  text-align: left;
  color: var(--ink3);
  padding-right: 12px;
}
.matrix td, .matrix th {
  height: 28px;
  padding: 0 20px 0 0;
}
.matrix td, .matrix th[scope=col] {
  text-align: right;
}
.matrix mark {
  color: var(--neg);
  background: var(--neg-soft);
}
.vector {
  max-width: 420px;
  margin: 12px 0;
}
.vector .row {
  flex-wrap: wrap;
  gap: 8px;
  margin: 8px 0;
}
.vector [aria-pressed=true] {
  color: var(--accent);
  background: var(--accent-soft);
}
.pinned {
  width: 100%;
  margin: 12px 0;
}
.pinned caption {
  text-align: left;
  font-size: 12px;
  line-height: 18px;
  color: var(--accent);
}
.path {
  margin: 12px 0 16px;
}
.way {
  display: block;
  max-width: 100%;
  margin-top: 4px;
  border-radius: 6px;
  background: var(--sunk);
}
.way polyline {
  fill: none;
  stroke: var(--accent);
  stroke-width: 1.5;
  stroke-linejoin: round;
}
"""
