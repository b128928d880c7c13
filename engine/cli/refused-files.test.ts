/**
 * Tests the messages about files that cannot run, and flows with missing values: what is wrong, where, and how to fix
 * it.
 */
import { describe, expect, test } from 'vitest';
import { explainWhen } from '../isomorphic.ts';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

/** Returns the output of `validate` for a file, which must equal that of `run`. */
async function refusal(name: string, text: string): Promise<string> {
  cli.write(name, text);
  const validated = await cli.call(['validate', name]);
  const run = await cli.call(['run', name]);
  expect([validated.code, run.code, run.stdout]).toEqual([2, 2, '']);
  expect(run.stderr).toBe(validated.stderr);
  return run.stderr;
}

describe('files with other content', () => {
  test.each([
    ['blank', ' \n\n', '1:1 error yaml.empty The file is empty. Start a flow with a line flow: { name: My flow }'],
    ['comments only', '# to do\n# later\n', '1:1 error yaml.empty The file contains only comments. Start a flow'],
    ['a document mark only', '---\n# later\n', '1:1 error yaml.empty The file contains only comments'],
    [
      'an incomplete step flow',
      'flow: { name: a }\nsteps: [{ type: tool, tool: p.t }]\nid: a\n',
      '1:1 error flow.unknown-key',
    ],
    [
      'a list of other values',
      'id: refund\nsteps: []\n',
      '2:8 error flow.bad-value "steps" must have at least 1 entries.',
    ],
    ['a step flow without steps', '{"name":"refund","autonomy_level":"semi_auto"}', 'The key "steps" is missing.'],
    [
      'an agent',
      '# Options\n\n```toml\nmodel = "x"\n```\n',
      '1:1 error flow.other-format This looks like an agent file',
    ],
    ['an agent that is a comment as YAML', '# Data\n', 'Rename the file so that its name ends in .aip.'],
    ['an agent that is text as YAML', '# Instruction\n\nSay hello.\n', 'flow.other-format'],
  ])('%s: prints one line that explains it', async (_, text, expected) => {
    const said = await refusal('odd.flow.yaml', text);
    expect(said).toContain(expected);
    expect(said.trimEnd().split('\n')).toHaveLength(1);
  });

  test('reports a flow with the file name of an agent', async () => {
    expect(await refusal('odd.aip', 'flow: { name: a }\nnodes: []\nedges: []\n')).toContain(
      '1:1 error agent.other-format This looks like a flow, not an agent. An agent consists of sections such as "# Instruction". Rename the file so that its name ends in .flow.yaml.',
    );
  });

  test('reports a key of the flow outside of the key flow', async () => {
    expect(await refusal('odd.flow.yaml', 'name: x\nnodes: []\nedges: []\n')).toContain(
      '1:1 error flow.older-form Settings of the whole flow belong under the key flow. Write flow: and indent these keys below it: name.',
    );
  });
});

describe('invalid conditions', () => {
  const flow = (when: string) => `
flow: { name: a }
nodes:
  - { id: a, type: control.noop, input: {} }
  - { id: b, type: control.noop, input: {}, when: ${when} }
edges: []`;
  const keys = 'a map with exactly one of the keys equals, exists, lt, lte, gt, gte, contains, in, not, and, or';
  const empty = `is an empty condition: write ${keys}, for example { equals: { var: node.field, value: 1 } }, or remove it`;

  test.each([
    ['{}', `"when" ${empty}`],
    ['', `"when" ${empty}`],
    ['{ not: {} }', `"not" ${empty}`],
    ['{ not: { not: {} } }', `"not" ${empty}`],
    ['{ and: [{ exists: a }, {}] }', `Entry 2 of "and" ${empty}`],
    ['{ or: [{ and: [{}] }] }', `Entry 1 of "and" ${empty}`],
    ['[]', `"when" must be ${keys}, for example`],
    ['a.b', `"when" must be ${keys}, for example`],
    ['{ equal: { var: a, value: 1 } }', `"when" must be ${keys}, not "equal" (did you mean "equals"?)`],
    ['{ var: a.b, value: 1 }', `"when" must be ${keys}: "var" belongs below it, for example`],
    ['{ exists: a, equals: { var: a, value: 1 } }', 'not both "exists" and "equals": combine conditions with { and:'],
    ['{ exists: a, equals: {} }', 'A condition has one key, so "equals" and "exists" cannot be combined.'],
    ['{ equals: {} }', 'The key "var" is missing.'],
  ])('rejects when: %s', async (when, expected) => {
    const said = await refusal('odd.flow.yaml', flow(when));
    expect(said).toContain('error when.bad-shape');
    expect(said).toContain(expected);
    expect(said).not.toContain('"not" is missing');
  });

  test('on an edge, and in the config of a node', async () => {
    const onEdge =
      'flow: { name: a }\nnodes: [{ id: a, type: control.noop, input: {} }, { id: b, type: control.noop, input: {} }]\nedges: [{ from: a, to: b, when: {} }]';
    expect(await refusal('edge.flow.yaml', onEdge)).toContain(`"when" ${empty}`);
    const inConfig =
      'flow: { name: a }\nnodes: [{ id: a, type: list.filter, input: { items: [1] }, config: { when: {} } }]\nedges: []';
    expect(await refusal('config.flow.yaml', inConfig)).toContain(`"config.when" ${empty}`);
  });
});

describe('a missing value', () => {
  /** Returns the error of `b` about the missing value of `a`. */
  async function said(a: string, b: string): Promise<string> {
    cli.write(
      'x.flow.yaml',
      `
flow: { name: x, policy: { failFast: false } }
nodes:
  - { id: s, type: json.parse, input: { text: '{"text": "x"}' } }
  - { id: a, type: echo, ${a} }
  - ${b}
edges: [{ from: s, to: a, when: { exists: flow.input.go } }, { from: s, to: b }, { from: a, to: b }]`,
    );
    const { stdout } = await cli.call(['run', 'x.flow.yaml', '--json', '--input', 'go=true']);
    const failed = eventsOf(stdout).findLast(({ event }) => event.type === 'task:failed');
    return failed?.event.type === 'task:failed' ? failed.event.error.message : 'nothing';
  }
  const echo = '{ id: b, type: echo, input: { text: "{{a.text}}" } }';
  const start = 'The path "a.text" has no value because ';
  const end = ' Write {{?a.text}} or a default if it may be missing.';

  test.each([
    [
      'skipped',
      'when: { exists: s.value.no }, input: { text: x }',
      '"a" was skipped: its condition was false (s.value.no is missing).',
    ],
    ['disabled', 'disabled: true, input: { text: x }', '"a" was skipped: it is disabled.'],
    [
      'failed',
      'input: { text: "{{s.value.no}}" }',
      '"a" failed with binding.missing: The path "s.value.no" has no value because "s.value" ',
    ],
  ])('reports that its node was %s', async (_, a, why) => {
    const message = await said(a, echo);
    expect(message).toContain(start + why);
    expect(message.endsWith(end)).toBe(true);
  });

  test('reports that no edge to its node was taken', async () => {
    cli.write(
      'x.flow.yaml',
      `
flow: { name: x }
nodes:
  - { id: s, type: control.noop, input: {} }
  - { id: a, type: echo, input: { text: x } }
  - ${echo}
edges: [{ from: s, to: a, when: { exists: s.no } }, { from: a, to: b }]`,
    );
    expect((await cli.call(['run', 'x.flow.yaml'])).stderr + (await cli.call(['run', 'x.flow.yaml'])).stdout).toContain(
      `${start}"a" was skipped: no edge to it was taken (s.no is missing).${end}`,
    );
  });

  test.each([
    [
      'for each item',
      '{ id: b, type: control.foreach, input: { items: ["{{a.text}}"], body: [c] } }\n  - { id: c, type: control.noop, input: {} }',
    ],
    ['in a default text', '{ id: b, type: echo, input: { text: "x {{a.text}} y" } }'],
    ['deep in a value', '{ id: b, type: constant, input: { value: [{ k: ["{{a.text}}"] }] } }'],
    [
      'in a body of a loop',
      '{ id: b, type: control.foreach, input: { items: [1], body: [c] } }\n  - { id: c, type: echo, input: { text: "{{a.text}}" } }',
    ],
  ])('%s', async (_, b) => {
    expect(await said('disabled: true, input: { text: x }', b)).toContain(
      `${start}"a" was skipped: it is disabled.${end}`,
    );
  });

  test('suggests one of the existing names', async () => {
    const typo = '{ id: b, type: echo, input: { text: "{{s.value.txt}}" } }';
    expect(await said('input: { text: x }', typo)).toBe(
      'The path "s.value.txt" has no value because "s.value" has no "txt"; it has "text". Correct the path, or write {{?s.value.txt}} or a default if it may be missing.',
    );
    const nobody = '{ id: b, type: echo, input: { text: "{{nobody.x}}" } }';
    expect(await said('input: { text: x }', nobody)).toContain(
      'because no node "nobody" produced an output before this node ran; an edge must lead from it to this node.',
    );
  });

  test.each([
    ['var', 'equals: { var: a.text, value: x }'],
    ['exists', 'exists: a.text'],
  ])('is explained in a condition that reads it by %s', async (_, condition) => {
    cli.write(
      'x.flow.yaml',
      `
flow: { name: x }
nodes:
  - { id: a, type: echo, disabled: true, input: { text: x } }
  - { id: b, type: echo, when: { ${condition} }, input: { text: x } }
edges: [{ from: a, to: b }]`,
    );
    const { stdout } = await cli.call(['run', 'x.flow.yaml', '--json']);
    const skipped = eventsOf(stdout).findLast(({ event }) => event.type === 'node:skipped');
    const detail = skipped?.event.type === 'node:skipped' ? skipped.event.detail : undefined;
    expect(detail).toMatchObject({ absent: { at: 'a', is: 'skipped', reason: 'disabled' } });
    expect(detail && explainWhen(detail)).toContain('a.text is missing ("a" was skipped: it is disabled)');
  });
});

test('BB-05 an invalid schema file is reported where the flow names it', async () => {
  cli.write('flows/person.json', '{ "type": "persn" }');
  const text = `flow: { name: A }
nodes:
  - { id: a, type: json.parse, input: { text: "{}" }, config: { schemaFile: NAME } }
edges: []
`;
  expect(await refusal('flows/a.flow.yaml', text.replace('NAME', 'person.json'))).toMatch(
    /^flows\/a\.flow\.yaml:3:77 error node\.bad-schema-file person\.json is not a valid JSON Schema at type: type must be one of/,
  );
  expect(await refusal('flows/a.flow.yaml', text.replace('NAME', '../gone.json'))).toContain(
    'File "../gone.json" does not exist',
  );
  cli.write('person.json', 'true');
  expect((await cli.call(['validate', 'flows/a.flow.yaml'])).code).toBe(2);
  cli.write('flows/a.flow.yaml', text.replace('NAME', '../person.json'));
  cli.write('.millrace/mark', '');
  expect(await cli.call(['validate', 'flows/a.flow.yaml'])).toMatchObject({ code: 0, stderr: '' });
  expect((await cli.call(['run', 'flows/a.flow.yaml'])).code).toBe(0);
});
