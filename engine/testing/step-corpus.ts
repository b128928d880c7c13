/**
 * Step flows of odd kinds, for tests: how people write them, and how programs do.
 */

const usual = `# A refund, decided and paid
id: refund_case
description: Decide and execute a refund   # the goal
autonomy_level: semi_auto

steps:
  # Gets the order
  - id: load
    type: tool
    tool: shop.order_lookup
    params: { order: "{{payload.order_id}}" }
    retry: { max_attempts: 3, backoff_seconds: 2 }   # it is slow

  - id: ask_reason
    type: user_input
    params:
      form_id: refund_reason
      title: "Why is the customer unhappy?"
      # more: to come
      schema: { type: object, properties: { reason: { type: string, enum: [late, broken, other] } } }
      required: [reason]

  - { id: find, type: tool, tool: shop.find, params: { order: "{{artifacts.step.load.output}}" } }   # short

  # --- what a person decides ---

  - id: ok
    type: human_approval
    message: >-
      Pay this
      refund?
    params:
      approval_context:
        reason: 'customer says {{artifacts.user_input.refund_reason.values.reason}}'
        decision_notes:
          - |
            Order {{ artifacts.step.load.output.id }}
              of {{artifacts.step.load.output}}, not {{artifacts.step.loaded.output}}.
metadata: { owner: kim }
`;

const json = `{
  "id": "refund_case",
  "steps": [
    {
      "id": "load",
      "type": "tool",
      "tool": "shop.order_lookup",
      "params": {
        "order": "{{payload.order_id}} \\"quoted\\""
      }
    },
    {
      "id": "note",
      "type": "agent",
      "agent": "shop.writer",
      "params": { "text": "{{artifacts.step.load.output.text}}", "tags": ["a", "b"] }
    },
    {
      "id": "ok",
      "type": "human_approval",
      "message": "Send it?",
      "retry": { "max_attempts": 2 }
    }
  ]
}
`;

/** Ids come from names and places; lists stand at the column of their key. */
const nameless = `name: nameless
steps:
- type: agent
  agent: p.first
- name: second
  type: tool
  tool: p.t
  params:
    from: "{{artifacts.step.step_0.output}} and {{artifacts.step.second.output}}"
- type: plan_proposal
  agent: p.planner
  retry:
    max_attempts: 2
    retry_on: [timeout]
`;

const tight = `{"id":"t","steps":[{"id":"a","type":"tool","tool":"p.t"},{"id":"b","type":"tool","tool":"p.t","params":{"x":"{{artifacts.step.a.output}}"}}]}`;

/** By what is odd in them. */
export const stepCorpus = {
  usual,
  json,
  nameless,
  tight,
  tabs: json.replace(/^( {2})+/gm, (blanks) => '\t'.repeat(blanks.length / 2)),
  windows: usual.replaceAll('\n', '\r\n'),
  mark: `\uFEFF${nameless}`,
  open: usual.trimEnd(),
} as const satisfies Readonly<Record<string, string>>;
