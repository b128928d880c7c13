/**
 * Writes a run as one HTML page that any browser shows: its canvas, timeline, outputs, nodes and log. It has no script,
 * loads nothing, and shows every value as text.
 */
import { createHash } from 'node:crypto';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import {
  emptyRunState,
  type NodeState,
  type RunState,
  type RunSummary,
} from '../../runtime/kernel/events/run-state.ts';
import { canvasOf } from './page-canvas.ts';
import { durationOf, escapeHtml, markupOf, shortened, stateOf } from './page-text.ts';

/** The parts of an export that a page shows. */
export interface ExportedRun {
  readonly run: RunSummary;
  readonly definition: string;
  readonly events: readonly EventEnvelope[];
  readonly values: JsonMap;
}

/** Number of nodes with values and of lines of the log; the page says how many more there are. */
const mostNodes = 1_000;
const mostLines = 5_000;

/** Returns the page. */
export function runPage(exported: ExportedRun): string {
  const { run: summary, definition, events } = exported;
  const run = foldRun(emptyRunState, events);
  const whole = (value: JsonValue): JsonValue => withValues(value, exported.values, 0);
  const doc = summary.kind === 'flow' ? parseFlow(definition).doc : undefined;
  const canvas = doc === undefined || doc === null ? '' : canvasOf(doc, run);
  const output = run.output === undefined ? undefined : whole(run.output);
  const name = `${summary.name} #${summary.number}`;
  const sections = [
    canvas === '' ? '' : section('Canvas', `<div class="wide">${canvas}</div>`),
    section('Timeline', timelineOf(run)),
    summary.error === undefined
      ? ''
      : section('Error', `<pre class="error">${escapeHtml(summary.error.message)}</pre>`),
    section('Inputs', markupOf(whole(run.inputs))),
    output === undefined ? '' : section('Outputs', outputsOf(output)),
    section('Nodes', nodesOf(run, whole)),
    section('Log', logOf(events)),
    section('Definition', `<details><summary>Show the text</summary><pre>${escapeHtml(definition)}</pre></details>`),
  ];
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${escapeHtml(name)}</h1><p>${escapeHtml(headline(summary))}</p></header>
<main>
${sections.filter((one) => one !== '').join('\n')}
</main>
</body>
</html>
`;
}

function headline({ status, startedAt, durationMs, costUsd, tokens, sourcePath, note }: RunSummary): string {
  const parts = [
    status === 'cancelled' ? 'canceled' : status,
    new Date(startedAt).toISOString().replace('T', ' ').slice(0, 19).concat(' UTC'),
    durationOf(durationMs),
    tokens === undefined ? '' : `${tokens} tokens`,
    costUsd === undefined ? '' : `$${costUsd.toFixed(4)}`,
    sourcePath,
    note ?? '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>${content}</section>`;
}

/** Values that the file stores separately can contain others. A damaged file could nest them endlessly. */
const deepestValue = 50;

function withValues(value: JsonValue, values: JsonMap, depth: number): JsonValue {
  if (depth > deepestValue) return value;
  if (isValueHandle(value)) {
    const stored = Object.hasOwn(values, value.$value) ? values[value.$value] : undefined;
    return stored === undefined ? `${value.preview}…` : withValues(stored, values, depth + 1);
  }
  if (Array.isArray(value)) return value.map((item) => withValues(item, values, depth + 1));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withValues(one, values, depth + 1)]));
}

function outputsOf(output: JsonValue): string {
  if (!isJsonMap(output)) return markupOf(output);
  return Object.entries(output)
    .map(([name, value]) => `<h3>${escapeHtml(name)}</h3>${markupOf(value)}`)
    .join('');
}

const rowHeight = 24;
const [labelWidth, barWidth] = [220, 620];

function timelineOf(run: RunState): string {
  const all = [...run.nodes.values()].filter(({ startedAt }) => startedAt !== undefined);
  if (all.length === 0) return '<p>No node started.</p>';
  const nodes = all.slice(0, mostNodes);
  const first = nodes.reduce((least, node) => Math.min(least, node.startedAt ?? least), Number.POSITIVE_INFINITY);
  const last = nodes.reduce((most, node) => Math.max(most, endOf(node)), first + 1);
  const x = (at: number): number => labelWidth + ((at - first) / (last - first)) * barWidth;
  const rows = nodes.map((node, index) => {
    const from = x(node.startedAt ?? first);
    const length = Math.max(3, x(endOf(node)) - from);
    const y = index * rowHeight;
    return (
      `<g class="${node.status}"><title>${escapeHtml(`${node.nodeId}: ${stateOf(node.status)} ${durationOf(node.durationMs)}`)}</title>` +
      `<text x="0" y="${y + 16}">${escapeHtml(shortened(node.nodeId, 30))}</text>` +
      `<rect class="bar" x="${from.toFixed(1)}" y="${y + 5}" width="${length.toFixed(1)}" height="14" rx="4"/>` +
      `<text class="detail" x="${labelWidth + barWidth + 10}" y="${y + 16}">${durationOf(node.durationMs)}</text></g>`
    );
  });
  const [width, height] = [labelWidth + barWidth + 90, nodes.length * rowHeight];
  const svg = `<svg role="img" aria-label="Timeline" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${rows.join('')}</svg>`;
  return `<div class="wide">${svg}</div>${moreOf(all.length - nodes.length, 'nodes')}`;
}

function endOf({ startedAt = 0, endedAt, durationMs = 0 }: NodeState): number {
  return endedAt ?? startedAt + durationMs;
}

function nodesOf(run: RunState, whole: (value: JsonValue) => JsonValue): string {
  const nodes = [...run.nodes.values()].slice(0, mostNodes);
  const shown = nodes.map((node) => {
    const { nodeId, status, durationMs, input, output, error, skip } = node;
    const head = [stateOf(status), durationOf(durationMs), skip?.reason ?? '']
      .filter((part) => part !== '')
      .join(' · ');
    const parts = [
      error === undefined ? '' : `<pre class="error">${escapeHtml(error.message)}</pre>`,
      input === undefined ? '' : `<h3>Input</h3>${markupOf(whole(input))}`,
      output === undefined ? '' : `<h3>Output</h3>${markupOf(whole(output))}`,
    ].join('');
    return `<details class="${status}"><summary><b>${escapeHtml(nodeId)}</b> ${escapeHtml(head)}</summary>${parts}</details>`;
  });
  return shown.join('\n') + moreOf(run.nodes.size - nodes.length, 'nodes');
}

/** Pieces of streamed text are part of the outputs, and would fill the log. */
function logOf(events: readonly EventEnvelope[]): string {
  const all = events.filter(({ event }) => event.type !== 'agent:text' && event.type !== 'agent:thinking');
  const first = all[0]?.at ?? 0;
  const rows = all.slice(0, mostLines).map(({ seq, at, event, context }) => {
    const place = 'nodeId' in event ? (event.nodeId ?? '') : (context.node?.id ?? context.task?.id ?? '');
    const cells = [String(seq), `+${durationOf(at - first)}`, event.type, place, detailOf(event)];
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell.slice(0, 1_000))}</td>`).join('')}</tr>`;
  });
  const head = ['', 'Time', 'Event', 'Node', ''].map((title) => `<th>${title}</th>`).join('');
  return `<div class="wide"><table class="log"><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>${moreOf(all.length - rows.length, 'events')}`;
}

function detailOf(event: EventEnvelope['event']): string {
  if ('error' in event && event.error !== undefined)
    return typeof event.error === 'string' ? event.error : event.error.message;
  if ('message' in event) return event.message;
  return event.type === 'log' || event.type === 'label' ? event.text : '';
}

function moreOf(count: number, what: string): string {
  return count > 0 ? `<p class="cut">Not shown: ${count} more ${what}. The export of the run contains them.</p>` : '';
}

const style = `:root{color-scheme:light dark;--back:#fff;--panel:#f6f7f9;--text:#1b1f24;--soft:#59636e;--line:#d5dae0;--ok:#1a7f4b;--bad:#c62f3b;--run:#2563c9;--wait:#9a6200}
@media(prefers-color-scheme:dark){:root{--back:#14171b;--panel:#1c2026;--text:#e8ebef;--soft:#9ba6b2;--line:#343b45;--ok:#4cc38a;--bad:#ff7b7f;--run:#79a8ff;--wait:#e3b341}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font:14px/1.5 system-ui,sans-serif}
header,main{max-width:1100px;margin:0 auto;padding:0 24px}header{padding-top:28px}h1{font-size:22px;margin:0}header p{margin:4px 0 0;color:var(--soft);overflow-wrap:anywhere}
section{margin:28px 0}h2{font-size:15px;margin:0 0 10px;padding-bottom:6px;border-bottom:1px solid var(--line)}h3{font-size:12px;margin:12px 0 4px;color:var(--soft);font-weight:600}
pre{margin:0;padding:10px 12px;background:var(--panel);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.5 ui-monospace,monospace;max-height:480px;overflow:auto}
pre.error{color:var(--bad)}.cut{color:var(--soft);margin:6px 0}.wide{overflow-x:auto}details{border:1px solid var(--line);border-radius:8px;padding:6px 12px;margin:6px 0;overflow-wrap:anywhere}summary{cursor:pointer;color:var(--soft)}summary b{color:var(--text)}
details.failed summary b{color:var(--bad)}table{border-collapse:collapse;font-size:12px}th,td{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere}th{color:var(--soft);font-weight:600}.log td:nth-child(-n+3){white-space:nowrap;color:var(--soft)}
svg{display:block}svg text{fill:var(--text);font:12px system-ui,sans-serif}svg text.name{font-size:13px;font-weight:600}svg text.detail{fill:var(--soft);font-size:11px}
.edge{fill:none;stroke:var(--line);stroke-width:1.5}.edge.taken{stroke:var(--text)}.card rect{fill:var(--panel);stroke:var(--line);stroke-width:1.5}.card.completed rect,.card.reused rect{stroke:var(--ok)}.card.failed rect{stroke:var(--bad)}.card.running rect,.card.retrying rect{stroke:var(--run)}.card.suspended rect{stroke:var(--wait)}
.bar{fill:var(--soft)}.completed .bar,.reused .bar{fill:var(--ok)}.failed .bar{fill:var(--bad)}.running .bar,.retrying .bar{fill:var(--run)}.suspended .bar{fill:var(--wait)}
@media print{pre{max-height:none}}`;
