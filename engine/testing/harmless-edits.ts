/**
 * Edits of the examples after which every run does the same.
 */
import { type Document, isMap, isSeq, parse, parseDocument, stringify, visit } from 'yaml';
import { applyEdits } from '../base/text-edit.ts';
import { editFlow } from '../language/edit/edit-flow.ts';

export interface HarmlessEdit {
  /** What is changed. */
  readonly what: string;
  /** Folder and name of a flow, without ending, relative to the workspace of the examples. */
  readonly flow: string;
  readonly edit: (text: string) => string;
}

/** Replaces text that occurs. */
const swap =
  (from: string | RegExp, to: string) =>
  (text: string): string =>
    text.replace(from, to);

/** Writes the file again, after a change of its YAML. */
const rewrite =
  (change: (document: Document) => void, options: Parameters<Document['toString']>[0] = {}) =>
  (text: string): string => {
    const document = parseDocument(text);
    change(document);
    return document.toString({ lineWidth: 0, ...options });
  };

const reverse =
  (key: string) =>
  (document: Document): void => {
    const list = document.get(key);
    if (isSeq(list)) list.items.reverse();
  };

/** Reverses the keys of all maps that are not data: nodes, edges, `config` and `policy`. */
function reverseKeys(document: Document): void {
  for (const key of ['nodes', 'edges']) {
    const list = document.get(key);
    if (!isSeq(list)) continue;
    for (const item of list.items) if (isMap(item)) item.items.reverse();
  }
  if (isMap(document.contents)) document.contents.items.reverse();
}

function setFlow(document: Document, flow: boolean): void {
  visit(document, {
    Collection(_, node) {
      node.flow = flow;
    },
  });
}

function quoteAll(type: 'QUOTE_DOUBLE' | 'QUOTE_SINGLE') {
  return (document: Document): void => {
    visit(document, {
      Scalar(key, node) {
        if (key === 'value' && typeof node.value === 'string' && !node.value.includes('\n')) node.type = type;
      },
    });
  };
}

const withoutComments = (text: string): string => text.replaceAll(/^ *#.*\n/gm, '');

const note = `
  notes:
    remember: { x: 0, y: 400, width: 200, height: 80, text: "Ask **Grace**.", color: green }
`;

export const harmlessEdits: readonly HarmlessEdit[] = [
  { what: 'moved cards', flow: 'welcome-letter', edit: swap(/x: 296, y: 0/, 'x: 320, y: 40') },
  { what: 'no layout', flow: 'health-check', edit: rewrite((document) => document.delete('layout')) },
  { what: 'a direction of the layout', flow: 'health-check', edit: swap('layout:\n', 'layout:\n  direction: down\n') },
  { what: 'a new note', flow: 'release-notes', edit: (text) => `${text}\nlayout:${note}` },
  { what: 'another text of a note', flow: 'welcome-letter', edit: swap('**Press Run.**', 'Press Run.') },
  {
    what: 'a group with a title',
    flow: 'triage',
    edit: (text) => `${text}\nlayout:\n  groups:\n    end: { title: The end, nodes: [call, later], color: blue }\n`,
  },
  { what: 'a comment on a line', flow: 'feedback', edit: swap('maxParallel: 2', 'maxParallel: 2 # at a time') },
  {
    what: 'comments above nodes',
    flow: 'refunds',
    edit: (text) => text.replaceAll(/^ {2}- id:/gm, '  # Next\n  - id:'),
  },
  { what: 'no comments', flow: 'triage-inbox/triage', edit: withoutComments },
  { what: 'blank lines', flow: 'plan-b', edit: (text) => text.replaceAll(/^( {4}type:)/gm, '\n\n$1') },
  {
    what: 'no blank lines between nodes',
    flow: 'note-statistics',
    edit: (text) => text.replaceAll('\n\n  - id', '\n  - id'),
  },
  { what: 'double quotes', flow: 'welcome-letter', edit: rewrite(quoteAll('QUOTE_DOUBLE')) },
  { what: 'single quotes', flow: 'quote-builder/quote-builder', edit: rewrite(quoteAll('QUOTE_SINGLE')) },
  { what: 'block style', flow: 'code-review/code-review', edit: rewrite((document) => setFlow(document, false)) },
  { what: 'flow style', flow: 'watch-logs', edit: rewrite((document) => setFlow(document, true)) },
  { what: 'JSON', flow: 'refund-assistant/refund', edit: (text) => JSON.stringify(parse(text), null, 2) },
  {
    what: 'an indentation of four',
    flow: 'survey-report/survey-report',
    edit: rewrite(() => undefined, { indent: 4 }),
  },
  { what: 'lines that end with CR LF', flow: 'word-count', edit: (text) => text.replaceAll('\n', '\r\n') },
  { what: 'a byte order mark', flow: 'look-up', edit: (text) => `\uFEFF${text}` },
  {
    what: 'quoted text in place of a block',
    flow: 'lead-scoring/lead-scoring',
    edit: (text) => stringify(parse(text), { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 }),
  },
  { what: 'keys in another order', flow: 'fact-check/fact-check', edit: rewrite(reverseKeys) },
  { what: 'nodes in another order', flow: 'support-replies/support-replies', edit: rewrite(reverse('nodes')) },
  { what: 'edges in another order', flow: 'incident-runbook/incident-runbook', edit: rewrite(reverse('edges')) },
  {
    what: 'nodes and edges in another order',
    flow: 'paper-notes/paper-notes',
    edit: (text) => rewrite(reverse('nodes'))(rewrite(reverse('edges'))(text)),
  },
  { what: 'another name of the flow', flow: 'invitation', edit: swap('name: Invitation', 'name: Summer meeting') },
  {
    what: 'another description of the flow',
    flow: 'weekly-digest/digest',
    edit: swap(/description: Reads.*/, 'description: Sums up a week.'),
  },
  {
    what: 'another name of a node',
    flow: 'release-notes-from-commits/release-notes',
    edit: swap('name: Rewrite for users', 'name: For users'),
  },
  {
    what: 'another description of an input',
    flow: 'triage',
    edit: swap('description: The message', 'description: What they wrote'),
  },
  {
    what: 'a number with a decimal point',
    flow: 'contract-summary/contract-summary',
    edit: swap('temperature: 0', 'temperature: 0.0'),
  },
  { what: 'a default with a decimal point', flow: 'csv-clean/csv-clean', edit: swap('default: 40', 'default: 40.0') },
  {
    what: 'an ID of an edge',
    flow: 'nightly-check/nightly-check',
    edit: swap('{ from: report, to: save_report }', '{ id: last, from: report, to: save_report }'),
  },
  {
    what: 'a larger limit that is not reached',
    flow: 'translate-and-check/translate',
    edit: swap('maxIterations: 3', 'maxIterations: 5'),
  },
];

/** A node that is renamed as the window does it: with all references in the flow. */
function renamed(flow: string, id: string, to: string): HarmlessEdit {
  return {
    what: `${id} is now ${to}`,
    flow,
    edit(text) {
      const change = editFlow(text, { do: 'rename', id, to });
      if (!change.ok) throw new Error(change.error.message);
      return applyEdits(text, change.edits);
    },
  };
}

export const renamedNodes: readonly HarmlessEdit[] = [
  renamed('welcome-letter', 'read_it', 'check_letter'),
  renamed('health-check', 'call_somebody', 'alarm_someone'),
  renamed('feedback', 'apology', 'say_sorry'),
  renamed('support-replies/support-replies', 'each_email', 'per_mail'),
  renamed('code-review/code-review', 'approve', 'may_post'),
  renamed('watch-logs', 'look', 'search_log'),
];
