/** Tests conversation catalogs on the command line: validation and schema. */
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const catalogue = `intents: { Read: {} }
flows:
  - name: find_order
    intent: Read
    description: Finds an order.
    slots: { number: { type: exact, priority: required } }
    policy: { flow: find.flow.yaml }
`;

test('validate checks a catalog and prints the position of each problem', async () => {
  cli.write('desk.dialogue.yaml', catalogue);
  const right = await cli.call(['validate', 'desk.dialogue.yaml']);
  expect([right.code, right.stdout]).toEqual([0, 'desk.dialogue.yaml: valid\n']);
  cli.write('desk.dialogue.yaml', catalogue.replace('intent: Read', 'intent: Reed'));
  const wrong = await cli.call(['validate', 'desk.dialogue.yaml']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/^desk\.dialogue\.yaml:4:13 error dialogue\.[a-z-]+ .*"Reed"/);
});

test('schema dialogue prints the JSON Schema of catalogs', async () => {
  const { code, stdout } = await cli.call(['schema', 'dialogue', '--json']);
  const schema = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['intents', 'flows', 'slotTypes']));
});
