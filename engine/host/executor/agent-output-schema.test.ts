/** Tests agents with responses as values: `output_schema` below `# Options`. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { unpackDefinition } from '../../language/flow/stored-definition.ts';
import { cutBehind } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let world: TestExecutor;
let replies: string[];
beforeEach(async () => {
  replies = [];
  world = await createTestExecutor({
    reply: () => ({ text: replies.shift() ?? '{"n":1}', finishReason: 'stop' }),
  });
  world.texts.set('n.json', '{ "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } }');
});
afterEach(() => world.close());

const agent = (option: string): string => `# Options

\`\`\`toml
model = "fake::m"
${option}
\`\`\`

# User
How many?

${scriptSection('Output', 'return { n = ai_response.value and ai_response.value.n, text = ai_response.content }')}`;

const byPath = 'output_schema = "n.json"';
const inline = 'output_schema = { type = "object", required = ["n"], properties = { n = { type = "integer" } } }';

async function run(text: string) {
  world.texts.set('a.aip', text);
  const accepted = await world.executor.startAgent({ agent: 'a.aip' });
  if ('work' in accepted) throw new Error('Nothing is missing');
  const end = await accepted.ended;
  const events = world.store.readEvents(accepted.runId, -1, 1000).map(({ event }) => event);
  const last = events.at(-1);
  return { runId: accepted.runId, end, events, output: last?.type === 'run:end' ? last.output : undefined };
}

/** Returns the line and message of the error for a file. */
async function refusal(text: string): Promise<string> {
  world.texts.set('a.aip', text);
  const error: unknown = await world.executor.startAgent({ agent: 'a.aip' }).catch((thrown: unknown) => thrown);
  const { code, line, message } = toErrorRecord(error);
  expect({ code, runs: world.store.listRuns({ limit: 1 }) }).toEqual({ code: 'agent.invalid', runs: [] });
  return `${line}: ${message}`;
}

describe.each([
  ['a path', byPath],
  ['a table', inline],
])('BB-08 an agent with a schema as %s', (_how, option) => {
  test('passes the response to its Output script as a value', async () => {
    replies = ['Here:\n```json\n{"n": 7}\n```'];
    expect((await run(agent(option))).output).toMatchObject({ outputs: [{ n: 7 }] });
  });

  test('requests an invalid response once more, and fails after the second', async () => {
    replies = ['{"n":"x"}', '{"n":8}'];
    const { output, events } = await run(agent(option));
    expect(output).toMatchObject({ outputs: [{ n: 8, text: '{"n":8}' }] });
    expect(events.filter(({ type }) => type === 'model:request')).toHaveLength(2);
    replies = ['no', '{"n":"y"}'];
    expect((await run(agent(option))).end).toMatchObject({
      status: 'failed',
      error: { code: 'model.output-invalid', details: { problems: [{ pointer: '/n' }], text: '{"n":"y"}' } },
    });
  });
});

test('BB-08 without a schema nothing changes', async () => {
  replies = ['{"n":7}'];
  expect((await run(agent(''))).output).toMatchObject({ outputs: [{ text: '{"n":7}' }] });
});

test('BB-08 the schema file is stored with the run, and a resumed run uses it', async () => {
  const { runId } = await run(agent(byPath));
  const hash = world.store.getRun(runId)?.definitionHash ?? '';
  const kept = unpackDefinition(world.store.readDefinition(hash) ?? '');
  expect(kept.text).toBe(agent(byPath));
  expect([...kept.schemas.keys()]).toEqual(['n.json']);
  const log = world.store.readEvents(runId, -1, 1000);
  expect(log[0]?.event).toMatchObject({ definitionHash: hash });
  const cut = cutBehind(
    world,
    log.slice(
      0,
      log.findIndex(({ event }) => event.type === 'task:start'),
    ),
  );
  world.texts.set('n.json', 'no longer JSON');
  const resumed = await world.executor.resumeRun({ runId: cut });
  expect((await resumed.ended).status).toBe('completed');
});

test("BB-08 the schema of an agent called by a flow is stored with that run's log", async () => {
  world.texts.set('a.aip', agent(byPath));
  const { runId, ended } = await world.run(
    'flow: { name: F }\nnodes: [{ id: ask, type: agent, input: { agent: a.aip } }]\nedges: []',
  );
  expect((await ended).status).toBe('completed');
  const hashes = world.store
    .readEvents(runId, -1, 1000)
    .flatMap(({ event }) => (event.type === 'run:start' && event.kind === 'agent' ? [event.definitionHash] : []));
  expect(unpackDefinition(world.store.readDefinition(hashes[0] ?? '') ?? '').schemas.size).toBe(1);
});

describe('BB-08 an invalid schema is reported at its option before anything starts:', () => {
  test.each<[string, string]>([
    ['output_schema = 5', '5: The option "output_schema" must be the path of a JSON Schema file'],
    ['output_schema = ""', '5: The option "output_schema" must be the path'],
    ['output_schema = { type = "objekt" }', '5: The option "output_schema.type" is not valid: type must be one of'],
    ['output_schema = { default = 99999999999999999999999 }', '5: The option "output_schema" must be'],
    ['output_schema = "gone.json"', '5: gone.json is not a JSON Schema'],
    [
      '[output_schema]\nproperties = { a = { "$ref" = "http://a/b" } }',
      '6: The option "output_schema.properties.a.$ref"',
    ],
  ])('%s', async (option, words) => {
    const said = await refusal(agent(option));
    expect(said.replace(/a\.aip:\d: /, '')).toContain(words);
  });
});
