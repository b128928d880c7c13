/**
 * Faults that a person could make in the examples, and the tests that should notice them.
 */

/** Text of a file that is replaced. Each `from` occurs exactly once. */
export interface PlantedEdit {
  /** What is changed. */
  readonly what: string;
  /** Relative to the workspace of the examples. */
  readonly file: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** The test files that run, relative to the workspace. */
  readonly tests: readonly string[];
}

const inRoot = (name: string): Pick<PlantedEdit, 'file' | 'tests'> => ({
  file: `${name}.flow.yaml`,
  tests: [`tests/${name}.test.yaml`],
});

/** @param place folder and name of a flow in the gallery */
const inGallery = (place: string): Pick<PlantedEdit, 'file' | 'tests'> => ({
  file: `${place}.flow.yaml`,
  tests: [`${place}.test.yaml`],
});

const orders: Pick<PlantedEdit, 'file' | 'tests'> = { file: 'orders.flow.yaml', tests: ['tests/orders.test.yaml'] };

export const plantedFaults: readonly PlantedEdit[] = [
  { what: 'another word in a prompt', ...inRoot('welcome-letter'), edits: [['Mention three', 'Mention four']] },
  {
    what: 'swapped branches',
    ...inRoot('welcome-letter'),
    edits: [
      ['value: team } }, route: team', 'value: team } }, route: single'],
      ['value: single } }, route: single', 'value: single } }, route: team'],
    ],
  },
  { what: 'another default', ...inRoot('welcome-letter'), edits: [['default: team', 'default: single']] },
  {
    what: 'a lost field',
    ...inRoot('triage'),
    edits: [['"{{ask.value.summary}}", people: "{{ask.value.people}}"', '"{{ask.value.summary}}"']],
  },
  {
    what: 'a dropped retry',
    ...inRoot('health-check'),
    edits: [['      retry: { maxAttempts: 3, backoffMs: 700 }\n', '']],
  },
  {
    what: 'a dropped timeout',
    ...inRoot('health-check'),
    edits: [['      timeoutMs: 60000\n', '']],
  },
  {
    what: 'another operator in a condition',
    ...inRoot('feedback'),
    edits: [['lte: { var: value.stars', 'lt: { var: value.stars']],
  },
  {
    what: 'another column',
    ...inGallery('lead-scoring/lead-scoring'),
    edits: [['{{lead.employees}} employees', '{{lead.country}} employees']],
  },
  {
    what: 'a loop over another list',
    ...inGallery('survey-report/survey-report'),
    edits: [['items: "{{count.frequent}}"', 'items: "{{count.topics}}"']],
  },
  {
    what: 'a missing edge',
    ...inGallery('triage-inbox/triage'),
    edits: [['  - { from: ask, to: later, when: { equals: { var: ask.route, value: rejected } } }\n', '']],
  },
  {
    what: 'another model',
    ...inGallery('quote-builder/quote-builder'),
    edits: [['scripted::quote-builder/model.yaml', 'scripted::weekly-digest/model.yaml']],
  },
  {
    what: 'a removed approval',
    ...inGallery('code-review/code-review'),
    edits: [
      [
        '{ from: approve, to: save_review, when: { equals: { var: approve.route, value: approved } } }',
        '{ from: write_review, to: save_review }',
      ],
    ],
  },
  { what: 'another HTTP method', ...orders, edits: [['method: POST', 'method: PUT']] },
  { what: 'another HTTP address', ...orders, edits: [['/orders/{{flow.input.number}}', '/orders']] },
  {
    what: 'another HTTP body',
    ...orders,
    edits: [['{ total: "{{flow.input.total}}" }', '{ sum: "{{flow.input.total}}" }']],
  },
  { what: 'a lost HTTP header', ...orders, edits: [[', x-shop: north', '']] },
  {
    what: 'another path of a file',
    ...inGallery('support-replies/support-replies'),
    edits: [['path: support-replies/out/report.md', 'path: support-replies/out/reports.md']],
  },
  {
    what: 'another system prompt',
    ...inGallery('fact-check/fact-check'),
    edits: [['and quote them word for word', 'and quote them']],
  },
  {
    what: 'another template',
    ...inGallery('nightly-check/nightly-check'),
    edits: [['**{{name}}:** {{problem}}', '{{name}}: {{problem}}']],
  },
  {
    what: 'a failure that is no longer tolerated',
    ...inRoot('plan-b'),
    edits: [['    policy: { continueOnError: true }\n', '']],
  },
  {
    what: 'another type in a schema file',
    file: 'contract-summary/terms.schema.json',
    tests: ['contract-summary/contract-summary.test.yaml'],
    edits: [['"noticeMonths": { "type": ["integer", "null"]', '"noticeMonths": { "type": ["string", "null"]']],
  },
  {
    what: 'the route of another answer',
    ...inGallery('quote-builder/quote-builder'),
    edits: [
      [
        'to: price, when: { equals: { var: approve_discount.route, value: approved',
        'to: price, when: { equals: { var: approve_discount.route, value: rejected',
      ],
      [
        'to: limit_discount, when: { equals: { var: approve_discount.route, value: rejected',
        'to: limit_discount, when: { equals: { var: approve_discount.route, value: approved',
      ],
    ],
  },
  {
    what: 'another temperature',
    ...inRoot('release-notes'),
    edits: [['temperature: 0.7', 'temperature: 0.9']],
  },
  {
    what: 'a tool that the model may no longer call',
    ...inRoot('look-up'),
    edits: [['tools: [core.file_list, core.file_read]', 'tools: [core.file_list]']],
  },
  { what: 'fewer iterations of a loop', ...inRoot('invitation'), edits: [['maxIterations: 4', 'maxIterations: 2']] },
  {
    what: 'another input of a called flow',
    ...inRoot('watch-logs'),
    edits: [['input: { file: "{{item}}" }', 'input: { file: checks/web.log }']],
  },
  {
    what: 'another prompt in an agent',
    file: 'note-titles.aip',
    tests: ['tests/note-titles.test.yaml'],
    edits: [['Write a title for this note:', 'Write a title for this note.']],
  },
  {
    what: 'another formula in JavaScript',
    ...inGallery('quote-builder/quote-builder'),
    edits: [['round(((list - volume) * extraPercent) / 100)', 'round((list * extraPercent) / 100)']],
  },
  {
    what: 'another limit',
    ...inGallery('refund-assistant/refund'),
    edits: [['lte: { var: value.amount, value: 50 }', 'lte: { var: value.amount, value: 500 }']],
  },
  {
    what: 'another question in a conversation',
    file: 'refund-assistant/assistant.dialogue.yaml',
    tests: ['refund-assistant/assistant.test.yaml'],
    edits: [['What went wrong: did', 'Did']],
  },
  {
    what: 'another rule in the tool of a product',
    file: 'products/returns/tools/amount_due.tool.yaml',
    tests: ['products/returns/tests/refund.test.yaml'],
    edits: [['late: 0.5', 'late: 0.6']],
  },
  {
    what: 'another order',
    ...inGallery('csv-clean/csv-clean'),
    edits: [['config: { by: item.name }', 'config: { by: item.country }']],
  },
  {
    what: 'a removed reminder of an approval',
    ...inGallery('incident-runbook/incident-runbook'),
    edits: [['    config: { deadlineMs: 600000, onDeadline: remind }\n', '']],
  },
];
