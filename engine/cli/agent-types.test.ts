import { describe, expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const agent = (node: string): string =>
  `# Options\n\n\`\`\`toml\n${node}\n\`\`\`\n\n# Output\n\n\`\`\`lua\nreturn { loud = input.text:upper() }\n\`\`\`\n`;
const shout = '[node.input]\nrequired = ["text"]\nproperties.text = { type = "string" }';
const flow = (input: string): string =>
  `flow: { name: Loud }\nnodes:\n  - { id: loud, type: ./shout.aip, input: ${input} }\nedges: []\n`;

describe('BB-40 on the command line', () => {
  test('a flow with an agent as a node type is valid, runs, and is rejected like any other if invalid', async () => {
    cli.write('shout.aip', agent(shout));
    cli.write('a.flow.yaml', flow('{ text: hi }'));
    expect(await cli.call(['validate', 'a.flow.yaml'])).toMatchObject({ code: 0, stdout: 'a.flow.yaml: valid\n' });
    const { code, stdout } = await cli.call(['run', 'a.flow.yaml', '--json']);
    expect(code).toBe(0);
    expect(eventsOf(stdout).at(-1)?.event).toMatchObject({ type: 'run:end', output: { loud: { loud: 'HI' } } });
    cli.write('a.flow.yaml', flow('{}'));
    const refused = await cli.call(['validate', 'a.flow.yaml']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('a.flow.yaml:3:5 error node.missing-input The node needs "input.text".');
  });

  test('the schema of flow files contains the types of agents', async () => {
    cli.write('shout.aip', agent(shout));
    const { stdout } = await cli.call(['schema', 'flow']);
    expect(stdout).toContain('"const": "./shout.aip"');
  });
});

describe('BB-43 on the command line', () => {
  test('a contradictory schema is rejected at its position in the agent file, and so is a flow that uses it', async () => {
    cli.write('shout.aip', agent('[node]\ntitle = "Shout"\n[node.input]\nproperties.text = { type = "strng" }'));
    cli.write('a.flow.yaml', flow('{ text: hi }'));
    const found = await cli.call(['validate', 'shout.aip', 'a.flow.yaml']);
    expect(found.code).toBe(2);
    expect(found.stderr).toContain('shout.aip:7:1 error agent.bad-option The option "node.input.properties.text.type"');
    expect(found.stderr).toMatch(
      /a\.flow\.yaml:3:\d+ error node\.unknown-type Agent shout\.aip has an error in line 7: /,
    );
    expect(await cli.call(['run', 'a.flow.yaml'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('a missing agent is rejected with a suggestion, exit code 2', async () => {
    cli.write('a.flow.yaml', flow('{}'));
    const { code, stderr } = await cli.call(['run', 'a.flow.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('Agent ./shout.aip does not exist. The path is relative to the workspace folder');
  });
});
