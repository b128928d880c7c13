import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeMcpProgram } from '../../testing/mcp-program.ts';
import { TestServers } from './test-servers.ts';

let world: TestServers;
beforeEach(() => {
  world = new TestServers({ env: { WHO: 'ann' } });
});
afterEach(() => world.close());

test('secrets in arguments are masked, and an unset secret has its default', async () => {
  world.secrets.set('API_TOKEN', 'a-very-secret-token');
  const { command, args } = writeMcpProgram(world.folder, { stderr: 'started with a-very-secret-token\n' });
  const env = { TOKEN: `\${API_TOKEN:-none}`, KEY: `\${API_KEY:-none}`, WHO: `\${WHO:-nobody}` };
  world.write({ 'my test': { command, args: [...args, `--token=\${API_TOKEN}`], env } });
  expect(await world.call('my-test.env', { name: 'TOKEN' })).toBe('•••API_TOKEN•••');
  expect(await world.call('my-test.env', { name: 'KEY' })).toBe('none');
  expect(await world.call('my-test.env', { name: 'WHO' })).toBe('ann');
  const [state] = await world.servers.states();
  expect(state).toMatchObject({ name: 'my-test', title: 'my test', state: 'running' });
  expect(JSON.stringify(state)).not.toContain('a-very-secret');
});

test('a secret without a value and without a default stops only its server, with its name', async () => {
  const { command, args } = writeMcpProgram(world.folder);
  world.write({ a: { command, args: [...args, `\${API_KEY}`] }, b: { command, args } });
  await expect(world.call('a.echo')).rejects.toMatchObject({ code: 'secret.missing' });
  expect(await world.call('b.env', { name: 'WHO' })).toBe('undefined');
});
