/** Tests `millrace publish` and `millrace keys`. The base folder must not be in the workspace. */
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const text = 'flow: { name: Refund }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n';

async function call(...args: string[]) {
  return await cli.call([...args, '--workspace', 'ws', '--trust']);
}

test('publishes a flow, confirms it after a change, and removes its address', async () => {
  cli.write('ws/refund.flow.yaml', text);
  const unasked = await call('publish', 'refund.flow.yaml');
  expect(unasked).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('add --yes') });
  const published = await call('publish', 'refund.flow.yaml', '--yes', '--per-hour', '5', '--page', 'off');
  expect(published.stdout).toContain('/flows/refund  refund.flow.yaml is published  (2 at once, 5 per hour, page off)');
  cli.write('ws/refund.flow.yaml', text.replace('hi', 'bye'));
  expect((await call('publish')).stdout).toContain('has changed. To confirm it: millrace publish refund.flow.yaml');
  await call('publish', 'refund.flow.yaml', '--yes', '--name', 'money-back');
  const [listed = ''] = (await call('publish', '--json')).stdout.split('\n');
  expect(JSON.parse(listed)).toMatchObject({ name: 'money-back', state: 'on', limits: { perHour: 5 } });
  expect((await call('publish', 'refund.flow.yaml', '--off')).code).toBe(0);
  expect((await call('publish')).stderr).toContain('No published flows.');
  expect((await call('publish', '--off')).code).toBe(2);
});

test('prints a key once, lists it without its text, and revokes it', async () => {
  cli.write('ws/refund.flow.yaml', text);
  const create = ['keys', 'create', 'Shop', '--flow', 'refund'];
  expect(await call(...create, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('not published') });
  await call('publish', 'refund.flow.yaml', '--yes');
  expect((await call(...create)).code).toBe(4);
  const { stdout } = await call(...create, '--yes');
  expect(stdout).toMatch(/^mk_[\w-]{43}\n$/);
  const listed = await call('keys', '--json');
  const key = JSON.parse(listed.stdout) as { readonly id: string };
  expect(key).toMatchObject({ name: 'Shop', flows: ['refund'] });
  expect(listed.stdout).not.toContain(stdout.trim().slice(9));
  expect((await call('keys', 'revoke', key.id)).code).toBe(0);
  expect((await call('keys')).stdout).toContain('revoked');
  expect((await call('keys', 'revoke', 'constructor')).code).toBe(2);
});
