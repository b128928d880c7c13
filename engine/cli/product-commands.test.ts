import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf, helloFlow, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

describe('list', () => {
  test('shows each product with the command that runs its flows, and its problems', async () => {
    cli.write('products/shop/flows/refund.yaml', helloFlow);
    cli.write('products/shop/flows/report.flow.yaml', helloFlow);
    cli.write('products/shop/agents/planner.aip', '');
    cli.write('products/shop/manifest.yaml', 'version: "2"\ndefault_flow: refund\nextra: 1\n');
    cli.write('products/Bar/flows/a.yaml', helloFlow);
    cli.write('products/bar/flows/a.yaml', helloFlow);
    const { code, stdout } = await cli.call(['list']);
    expect(code).toBe(0);
    const twin = (one: string, other: string): string =>
      `${one}  product\n  products/${one}:1: The name differs from the product ${other} only in case. Rename one of the folders.\n`;
    expect(stdout).toContain(`${twin('Bar', 'bar')}${twin('bar', 'Bar')}`);
    expect(stdout).toContain(
      `shop 2  product · 2 flows · 1 agent
  shop/refund (default)
  shop/report
  products/shop/manifest.yaml:3: extra is unknown and has no effect.
`,
    );
  });

  test('filters products by a part of their names, and prints JSON', async () => {
    for (const name of ['shop', 'bar']) cli.write(`products/${name}/flows/refund.yaml`, helloFlow);
    const { stdout } = await cli.call(['list', 'sho', '--json']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        ...{ product: 'shop', path: 'products/shop', folder: path.join(cli.folder, 'products/shop') },
        ...{ flows: [{ name: 'refund', path: 'products/shop/flows/refund.yaml' }], agents: [], problems: [] },
      },
    ]);
  });
});

describe('run', () => {
  test('MF-022 the caller selects one of two flows in a product by name', async () => {
    for (const name of ['one', 'two']) {
      cli.write(`products/shop/flows/${name}.yaml`, helloFlow.replace('name: Hello', `name: ${name}`));
    }
    const nameOf = async (target: string): Promise<unknown> => {
      const { stdout } = await cli.call(['run', target, '--json']);
      const start = eventsOf(stdout)[0]?.event;
      return start?.type === 'run:start' ? start.name : undefined;
    };
    expect(await nameOf('shop/one')).toBe('one');
    expect(await nameOf('shop/two')).toBe('two');
    const { code, stderr } = await cli.call(['run', 'shop']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'millrace: shop is a product. Choose one of its flows. It has shop/one, shop/two.\n',
    });
    cli.write('products/shop/manifest.yaml', 'default_flow: two');
    expect(await nameOf('shop')).toBe('two');
  });

  test.each([
    ['shop/gone', 'millrace: Product shop has no flow "gone". It has shop/refund.\n'],
    ['odd', /^millrace: Product odd cannot be used: products\/odd\/manifest\.yaml:1: The manifest has the name "even"/],
    ['odd/refund', /^millrace: Product odd cannot be used: /],
    [
      'none/refund',
      /^millrace: Neither a file none\/refund nor a product none exists\. .*Available products: odd, shop\.\n$/,
    ],
    ['none/refund.yaml', /^millrace: File none\/refund\.yaml does not exist\. Specify the path/],
  ])('%s is rejected with a list of what exists', async (target, expected) => {
    for (const name of ['shop', 'odd']) cli.write(`products/${name}/flows/refund.yaml`, helloFlow);
    cli.write('products/odd/manifest.yaml', 'name: even');
    mkdirSync(path.join(cli.folder, '.millrace'));
    const { code, stdout, stderr } = await cli.call(['run', target]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    if (typeof expected === 'string') expect(stderr).toBe(expected);
    else expect(stderr).toMatch(expected);
  });
});

describe('validate', () => {
  test('X-08 reports an agent of a step that is not pure, with suggestions', async () => {
    cli.write('products/shop/agents/actor.aip', '# User\nHi\n');
    cli.write('products/shop/agents/classes.mjs', 'export {};');
    cli.write(
      'products/shop/flows/f.yaml',
      'id: f\nsteps:\n  - { id: a, type: agent, agent: shop.actor }\n  - { id: b, type: agent, agent: shop.of_classes }\n',
    );
    const { code, stderr } = await cli.call(['validate', 'products/shop/flows/f.yaml', '--workspace', '.']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'f.yaml:3:34 error step.agent-not-pure "products/shop/agents/actor.aip" is an autonomous agent',
    );
    expect(stderr).toContain('run: { agent: ../agents/actor.aip }');
    // The agents of a module are only known after running it.
    expect(stderr).not.toContain('of_classes');
  });

  test('MF-160 MF-161 reports at its line what belongs to other products', async () => {
    const tool = 'tool_id: pay\ndescription: pays\nrun: { js: "return 1" }\n';
    cli.write('products/other/tools/pay.tool.yaml', tool);
    const steps = '  - { id: a, type: agent, agent: other.planner }\n  - { id: b, type: tool, tool: other.pay }\n';
    cli.write('products/shop/flows/f.yaml', `id: f\nautonomy_level: suggest_only\nsteps:\n${steps}`);
    const { code, stderr } = await cli.call(['validate', 'products/shop/flows/f.yaml', '--workspace', '.']);
    expect(code).toBe(2);
    expect(stderr.split('\n').map((line) => line.slice(0, 90))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^products\/shop\/flows\/f\.yaml:4:\d+ error product\.isolated Agent "other\.planner"/),
        expect.stringMatching(/^products\/shop\/flows\/f\.yaml:5:\d+ error product\.isolated The tool "other\.pay"/),
      ]),
    );
    expect((await cli.call(['run', 'shop/f'])).code).toBe(2);
  });

  test('warns about two flows with the same id in one product, but not in two products', async () => {
    const flow = 'id: same\nsteps: [{ id: a, type: human_approval, message: Go on? }]\n';
    cli.write('products/shop/flows/a.yaml', flow);
    cli.write('products/bar/flows/a.yaml', flow);
    const validate = () => cli.call(['validate', 'products/shop/flows/a.yaml', '--workspace', '.']);
    expect(await validate()).toMatchObject({ code: 0, stderr: '' });
    cli.write(
      'products/shop/flows/b.json',
      '{ "id": "same", "steps": [{ "id": "a", "type": "human_approval", "message": "x" }] }',
    );
    const { code, stderr } = await validate();
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^products\/shop\/flows\/a\.yaml:1:5 warning product\.duplicate Flow products\/shop\/flows\/b\.json of product shop has the same id "same"\./,
      ),
    });
  });

  test('checks the manifest of a product', async () => {
    cli.write('products/shop/manifest.yaml', 'name: shop\nflows: [gone]\nextra: 1\n');
    const { code, stderr } = await cli.call(['validate', 'products/shop/manifest.yaml', '--workspace', '.']);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'products/shop/manifest.yaml:3:1 warning product.unknown-key extra is unknown and has no effect.',
      'products/shop/manifest.yaml:2:9 error product.missing-flow flows: the flows folder of the product has no file for "gone".',
    ]);
  });
});

describe('triggers.yaml', () => {
  const hourly = 'schedule: { every: 1h }';

  test('13.8 names flows by path or by product, and one bad trigger leaves the others', async () => {
    cli.write('products/shop/flows/refund.yaml', 'id: refund\nsteps: [{ id: a, type: human_approval, message: x }]\n');
    cli.write('products/shop/flows/report.flow.yaml', helloFlow);
    cli.write('products/shop/manifest.yaml', 'default_flow: refund\n');
    cli.write('hello.flow.yaml', helloFlow);
    const names = ['hello.flow.yaml', 'products/shop/flows/report.flow.yaml', 'shop', 'shop/refund', 'gone'];
    cli.write('triggers.yaml', names.map((flow, index) => `- { flow: ${flow}, id: t${index}, ${hourly} }\n`).join(''));
    cli.write('products/shop/triggers.yaml', `- { flow: report, id: own, ${hourly} }\n- { flow: report, id: x }\n`);
    const { stdout, stderr } = await cli.call(['triggers', '--workspace', '.', '--json', '--trust']);
    const listed = stdout.trimEnd().split('\n');
    expect(
      listed.map((line) => {
        const { flow, trigger, problem } = JSON.parse(line) as Record<string, string>;
        return [flow, trigger, problem];
      }),
    ).toEqual([
      ['hello.flow.yaml', 't0', undefined],
      ['products/shop/flows/refund.yaml', 't2', undefined],
      ['products/shop/flows/refund.yaml', 't3', undefined],
      ['products/shop/flows/report.flow.yaml', 't1', undefined],
      ['products/shop/flows/report.flow.yaml', 'own', undefined],
    ]);
    const gone = /^triggers\.yaml:5:11 error trigger\.invalid There is no flow "gone" in the workspace/m;
    const empty = /^products\/shop\/triggers\.yaml:2:3 error trigger\.invalid A trigger needs one of/m;
    expect(stderr).toMatch(gone);
    expect(stderr).toMatch(empty);
    const own = await cli.call(['validate', 'products/shop/triggers.yaml', '--workspace', '.']);
    expect(own).toMatchObject({ code: 2, stderr: expect.stringMatching(empty) });
    expect(own.stderr).not.toMatch(gone);
  });
});
