import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../base/text-edit.ts';
import { anyChange, rootOf } from '../../../testing/flow-changes.ts';
import { testRounds } from '../../../testing/test-rounds.ts';
import { corpus } from '../../../testing/yaml-corpus.ts';
import { type JsonMap, jsonEquals } from '../../json/json-value.ts';
import { editFlow } from '../edit-flow.ts';
import { diffFlows, locateDifferences, takeDifferences } from './diff-flows.ts';
import { withNeeds } from './flow-difference.ts';

const files = Object.entries(corpus).map(([name, text]) => {
  const root = rootOf(text);
  const ids = (root['nodes'] as readonly JsonMap[]).map((node) => String(node['id']));
  const edges = (root['edges'] as readonly JsonMap[]).map(({ id, from, to }) => String(id ?? `${from}->${to}`));
  return { name, text, ids, edges };
});

/** A file of the corpus, and the same file after up to five changes. */
const changedFile = fc.constantFrom(...files).chain(({ name, text, ids, edges }) =>
  fc.array(anyChange(ids, edges), { minLength: 1, maxLength: 5 }).map((changes) => ({
    name,
    before: text,
    after: changes.reduce((now, change) => {
      const edit = editFlow(now, change);
      return edit.ok ? applyEdits(now, edit.edits) : now;
    }, text),
  })),
);

/** Two different files. */
const twoFiles = fc
  .tuple(fc.constantFrom(...files), fc.constantFrom(...files))
  .map(([one, other]) => ({ name: `${one.name} to ${other.name}`, before: one.text, after: other.text }));

function hasParallelEdges(text: string): boolean {
  const ends = ((rootOf(text)['edges'] ?? []) as readonly JsonMap[]).map(({ from, to }) => `${from} ${to}`);
  return new Set(ends).size < ends.length;
}

const pairs = fc.oneof({ arbitrary: changedFile, weight: 4 }, { arbitrary: twoFiles, weight: 1 });
const options = { numRuns: testRounds(20) };

describe('any two texts of a flow', () => {
  test('taking all differences gives the second text, and taking none leaves the first one', {
    timeout: 120_000,
  }, () => {
    const holds = fc.property(pairs, (texts) => {
      const { differences } = diffFlows(texts);
      const all = differences.map(({ key }) => key);
      expect(new Set(all).size).toBe(all.length);
      expect(applyEdits(texts.before, [...takeDifferences(texts, all)])).toBe(texts.after);
      expect(takeDifferences(texts, [])).toEqual([]);
      expect(differences.length > 0).toBe(texts.before !== texts.after);
    });
    fc.assert(holds, options);
  });

  test('taking all but comments and formatting gives a flow with the same meaning and order', {
    timeout: 120_000,
  }, () => {
    const holds = fc.property(pairs, (texts) => {
      const keys = diffFlows(texts).differences.flatMap(({ key }) => (key === 'text-changed' ? [] : [key]));
      const merged = rootOf(applyEdits(texts.before, [...takeDifferences(texts, keys)]));
      expect(jsonEquals(merged, rootOf(texts.after))).toBe(true);
    });
    fc.assert(holds, options);
  });

  test('taking some of them, one by one in any order, gives the same flow as together', { timeout: 120_000 }, () => {
    const holds = fc.property(pairs, fc.array(fc.nat(1000), { maxLength: 12 }), (texts, choices) => {
      // Names of parallel edges depend on how many there are.
      fc.pre(![texts.before, texts.after].some(hasParallelEdges));
      const diff = diffFlows(texts);
      const usual = diff.differences.filter(({ key }) => key !== 'text-changed');
      const chosen =
        usual.length === 0 ? [] : [...new Set(choices.map((choice) => usual[choice % usual.length]?.key ?? ''))];
      const together = rootOf(applyEdits(texts.before, [...takeDifferences(texts, chosen)]));
      const reversed = rootOf(applyEdits(texts.before, [...takeDifferences(texts, chosen.toReversed())]));
      expect(reversed).toEqual(together);
      // What is still different afterwards is what was not taken.
      let text = texts.before;
      for (const key of chosen)
        text = applyEdits(text, [...takeDifferences({ before: text, after: texts.after }, [key])]);
      expect(jsonEquals(rootOf(text), together)).toBe(true);
      expect(withNeeds(diff, chosen).size).toBeGreaterThanOrEqual(new Set(chosen).size);
    });
    fc.assert(holds, options);
  });
});

const mail = `# Answers mail
flow: { name: Mail, outputs: { sent: "{{send.status}}" } }
nodes:
  - id: read   # the mail
    type: file.read
    input: { path: mail.txt }
  - id: draft
    type: prompt
    input:
      prompt: Answer {{read.text}} in a friendly tone.
    config: { temperature: 0.7 }
  - { id: send, type: http.request, input: { url: https://x.example, body: "{{draft.text}}" } }
  - { id: log, type: file.write, input: { path: log.txt, text: "{{read.text}}" } }
edges:
  - { from: read, to: draft }
  - { from: draft, to: send }
  - { from: read, to: log }
layout: { nodes: { read: { x: 0, y: 0 }, send: { x: 600, y: 0 } } }
`;

/** Applies plain replacements, each of which must find its text. */
function changed(text: string, ...changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`The text does not contain ${from}`);
    return now.replace(from, to);
  }, text);
}

const textsOf = (before: string, after: string): readonly string[] =>
  diffFlows({ before, after }).differences.map(({ line, text }) => `${line} ${text}`);

const withApproval = changed(
  mail,
  [
    '  - { id: send,',
    '  - { id: ok, type: human_approval, input: { title: "Send {{draft.text}}?" } }\n  - { id: send,',
  ],
  ['  - { from: draft, to: send }', '  - { from: draft, to: ok }\n  - { from: ok, to: send }'],
);

describe('differences', () => {
  test('are told in sentences, in the order of the file', () => {
    const after = changed(
      mail,
      ['name: Mail', 'name: Mails'],
      ['in a friendly tone', 'in at most 120 words'],
      ['temperature: 0.7', 'temperature: 0.2'],
      ['body: "{{draft.text}}" }', 'body: "{{draft.text}}" }, policy: { retry: { maxAttempts: 3 } }'],
      ['  - { id: log, type: file.write, input: { path: log.txt, text: "{{read.text}}" } }\n', ''],
      ['  - { from: read, to: log }\n', ''],
      ['send: { x: 600', 'send: { x: 700'],
    );
    expect(textsOf(mail, after)).toEqual([
      '2 Changes name of the flow from "Mail" to "Mails"',
      '10 Changes prompt of draft',
      '11 Changes temperature of draft from 0.7 to 0.2',
      '12 Adds retries to send: 3 attempts',
      '13 Removes log (file.write)',
      '16 Moves send on the canvas',
    ]);
  });

  test('show invisible characters', () => {
    expect(textsOf(mail, mail.replace('name: Mail', 'name: "\u202EMa\u200Bil"'))).toEqual([
      '2 Changes name of the flow from "Mail" to "[U+202E]Ma[U+200B]il"',
    ]);
  });

  test('a new node with the edges around it, and the edge it replaces, is one', () => {
    const { differences } = diffFlows({ before: mail, after: withApproval });
    expect(differences.map(({ text }) => text)).toEqual(['Adds ok (human_approval) between draft and send']);
    expect(differences[0]?.parts.map(({ what }) => what)).toEqual([
      'node-added',
      'edge-removed',
      'edge-added',
      'edge-added',
    ]);
  });

  test('a renamed node is one, however often it is used', () => {
    const after = mail.replaceAll('draft', 'answer');
    expect(textsOf(mail, after)).toEqual(['7 Renames draft to answer']);
    const both = changed(after, ['0.7', '0.1']);
    const texts = { before: mail, after: both };
    expect(diffFlows(texts).differences.map(({ key }) => key)).toEqual([
      'node-renamed answer',
      'node-changed answer ["config","temperature"]',
    ]);
    const taken = takeDifferences(texts, ['node-changed answer ["config","temperature"]']);
    expect(applyEdits(mail, [...taken])).toBe(changed(mail, ['0.7', '0.1']));
  });

  test('what refers to a new node needs it, and removing a node needs that nothing refers to it', () => {
    const after = changed(withApproval, ['body: "{{draft.text}}"', 'body: "{{ok.comment}}"']);
    const needs = (before: string, later: string) =>
      Object.fromEntries(diffFlows({ before, after: later }).differences.map((one) => [one.key, one.needs]));
    expect(needs(mail, after)).toEqual({
      'node-added ok': [],
      'node-changed send ["input","body"]': ['node-added ok'],
    });
    expect(needs(after, mail)).toEqual({
      'node-removed ok': ['node-changed send ["input","body"]'],
      'node-changed send ["input","body"]': [],
    });
    const diff = diffFlows({ before: mail, after });
    expect([...withNeeds(diff, ['node-changed send ["input","body"]'])]).toHaveLength(2);
  });

  test('taking one leaves every other byte of the text', () => {
    const after = changed(withApproval, ['0.7', '0.2'], ['# Answers mail', '# Answers all mail']);
    const texts = { before: mail, after };
    expect(diffFlows(texts).differences.map(({ key }) => key)).toEqual([
      'node-changed draft ["config","temperature"]',
      'node-added ok',
      'text-changed',
    ]);
    const taken = applyEdits(mail, [...takeDifferences(texts, ['node-changed draft ["config","temperature"]'])]);
    expect(taken).toBe(changed(mail, ['0.7', '0.2']));
    expect(takeDifferences(texts, ['unknown'])).toEqual([]);
  });

  test('steps are compared like nodes', () => {
    const before = 'id: s\nsteps:\n  - { type: agent, agent: a.aip }\n  - { id: ask, type: approval, title: Go? }\n';
    const after = changed(before, ['Go?', 'Go on?'], ['agent: a.aip', 'agent: b.aip']);
    expect(textsOf(before, after)).toEqual([
      '3 Changes agent of agent 1 from "a.aip" to "b.aip"',
      '4 Changes title of ask from "Go?" to "Go on?"',
    ]);
  });

  test('texts that are not flows are refused, and odd ones compared as a whole', () => {
    expect(() => diffFlows({ before: mail, after: 'flow: [' })).toThrow('not valid YAML');
    expect(() => diffFlows({ before: mail, after: '- 1' })).toThrow('The file is not a flow');
    expect(() => diffFlows({ before: mail, after: 'id: s\nsteps: []\n' })).toThrow('Convert one of them first');
    const odd = changed(mail, ['id: log', 'id: send']);
    const texts = { before: mail, after: odd };
    expect(diffFlows(texts).differences.map(({ key }) => key)).toContain('file-changed ["nodes"]');
    const keys = diffFlows(texts).differences.map(({ key }) => key);
    expect(applyEdits(mail, [...takeDifferences(texts, keys)])).toBe(odd);
    // Taking something else leaves the positions of the nodes, although those cannot be compared.
    const renamed = { before: mail, after: changed(odd, ['name: Mail', 'name: Mails']) };
    const taken = applyEdits(mail, [...takeDifferences(renamed, ['flow-changed ["flow","name"]'])]);
    expect(taken).toBe(changed(mail, ['name: Mail', 'name: Mails']));
  });
});

test('the lines of a difference include all its parts, under the names of each text', () => {
  const before = `flow: { name: Mail }
nodes:
  - id: read
    type: echo
    input: { text: mail }
  - id: draft
    type: prompt
    input:
      prompt: |
        Answer in a
        friendly tone
  - { id: log, type: echo, input: { text: hi } }
edges:
  - { from: read, to: draft }
  - { from: read, to: log }
`;
  const after = before
    .replaceAll('read', 'fetch')
    .replace('friendly', 'plain')
    .replace('  - { id: log, type: echo, input: { text: hi } }\n', '')
    .replace('  - { from: fetch, to: log }\n', '')
    .replace(
      'edges:',
      '  - { id: send, type: human_approval, input: { message: Send? } }\nedges:\n  - { from: draft, to: send }',
    );
  const lines = locateDifferences({ before, after });
  expect(lines.map(({ key }) => key)).toEqual(diffFlows({ before, after }).differences.map(({ key }) => key));
  const spans = (side: 'before' | 'after') =>
    lines.map((one) => one[side].map(({ first, last }) => `${first}-${last}`).join(' '));
  expect(lines.map(({ key }) => key.split(' ').slice(0, 2).join(' '))).toEqual([
    'node-renamed fetch',
    'node-changed draft',
    'node-removed log',
    'node-added send',
  ]);
  expect(spans('before')).toEqual(['3-3', '9-11', '12-12 15-15', '']);
  expect(spans('after')).toEqual(['3-3', '9-11', '', '12-12 14-14']);
});
