/** Rules about what nodes may do and say. */
import { expect } from 'vitest';
import { scriptSection } from '../run-agent-file.ts';
import { echo, edge, flow, type HostRule, tolerant } from './host-rule.ts';

const deciding = ['millrace.policy.yaml', '.mcp.json', 'tools/new.tool.yaml', 'products/p/manifest.yaml'];

export function effectRules(): readonly HostRule[] {
  return [
    {
      rule: '13.1 no node, script or agent writes a file that decides',
      flow: flow(
        [
          ...deciding.map((file, index) => `{ id: w${index}, type: file.write, input: { path: ${file}, text: x } }`),
          `{ id: script, type: script.lua, config: { code: 'aip.file.save("triggers.yaml", "x")' }, input: {} }`,
          '{ id: agent, type: agent, input: { agent: deciding.aip, inputs: [1] } }',
          '{ id: plain, type: file.write, input: { path: written.txt, text: x } }',
        ],
        [],
        tolerant,
      ),
      files: { 'deciding.aip': scriptSection('Output', 'aip.file.delete("millrace.policy.yaml")') },
      check(run) {
        const names = [...deciding.map((_, index) => `w${index}`), 'script', 'agent'];
        expect(run.of('task:failed').map(({ nodeId }) => nodeId)).toEqual(names);
        for (const { error } of run.of('task:failed')) {
          const denied = { code: 'effect.denied', details: { rule: 'deciding-file' } };
          expect(error.code === 'lua.error' ? error.details : { cause: error }).toMatchObject({ cause: denied });
        }
        expect(run.status('plain')).toBe('completed');
      },
    },
    {
      rule: '13.2 an address that looks like another host is not called',
      flow: flow(
        [
          '{ id: a, type: http.request, input: { url: "http://kim:secret@localhost:9/" } }',
          '{ id: b, type: http.request, input: { url: "http://localhost:9\\\\@example.test/" } }',
        ],
        [],
        tolerant,
      ),
      check: (run) =>
        expect(run.of('task:failed').map(({ nodeId, error }) => [nodeId, error.code])).toEqual([
          ['a', 'web.bad-address'],
          ['b', 'web.bad-address'],
        ]),
    },
    {
      rule: '13.4 thinking has its own events and is not part of the text',
      flow: flow([`{ id: p, type: prompt, input: { prompt: Think }, config: { model: "scripted::thinking.yaml" } }`]),
      files: { 'thinking.yaml': 'replies: [{ match: "", reply: "<think>A plan.</think>\\n\\nHello Ada" }]\n' },
      check(run) {
        const thoughts = run.of('agent:thinking').map(({ content }) => content);
        const said = run.of('agent:text').map(({ content }) => content);
        expect([thoughts.join(''), said.join('')]).toEqual(['A plan.', 'Hello Ada']);
        expect(run.of('model:response')).toMatchObject([{ text: 'Hello Ada', reasoning: 'A plan.' }]);
        expect(run.output('p')).toMatchObject({ text: 'Hello Ada' });
      },
    },
    {
      rule: '13.16 after a suggestion, missing paths are the suggestion, and conditions on them are false',
      flow: flow(
        [
          '{ id: a, type: tool, config: { tool: act }, input: { n: 20 } }',
          '{ id: b, type: constant, input: { value: "{{a.other}}" } }',
          echo('c', '{{a.other}}'),
          '{ id: d, type: echo, input: { text: x }, when: { exists: a.other } }',
          '{ id: e, type: list.sort, input: { items: "{{a.other}}" } }',
        ],
        ['b', 'c', 'd', 'e'].map((id) => edge('a', id)),
        ', policy: { autonomy: suggest_only }',
      ),
      check(run) {
        const suggestion = { suggested: true, params: { n: 20 } };
        expect(run.state.nodes.get('b')?.output).toMatchObject({ value: suggestion });
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed', failedNodes: [] });
        expect(run.of('node:skipped').map(({ nodeId, reason }) => [nodeId, reason])).toEqual([
          ['a', 'autonomy'],
          ['d', 'suggested'],
          ['e', 'suggested'],
        ]);
        expect(run.state.nodes.get('a')?.suggestions).toHaveLength(1);
      },
    },
  ];
}
