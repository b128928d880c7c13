/** Tests packs from the web, with a local pack repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpBuiltCli();

let server: Server;
let address: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function run(...args: readonly string[]): Promise<CliResult> {
  const env = { MILLRACE_HOME: path.join(cli.folder, 'no-home'), MILLRACE_PACK_REPOSITORY: address };
  return cli.call(args, { env });
}

/** Serves the pack acme@tools like a repository. */
async function servePack(): Promise<void> {
  cli.write('src/pack.toml', '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "1.0.0"\n');
  cli.write('src/main.aip', '# Output\n```lua\nreturn "from afar"\n```\n');
  await run('pack', 'src');
  const archive = readFileSync(path.join(cli.folder, 'acme@tools-v1.0.0.aipack'));
  answer = ({ url }, response) => {
    if (url === '/pack/acme/tools/stable/latest.toml') {
      response.end('[latest_stable]\nversion = "1.0.0"\nrel_path = "1.0.0/tools.aipack"\n');
    } else if (url === '/pack/acme/tools/stable/1.0.0/tools.aipack') response.end(archive);
    else response.writeHead(404).end();
  };
}

describe('a missing pack', () => {
  test('is installed by run --yes, and then runs', async () => {
    await servePack();
    expect((await run('run', 'acme@tools')).code).toBe(4);
    const { code, stdout } = await run('run', 'acme@tools', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('from afar');
    expect((await run('list', 'acme@tools')).stdout).toContain(`installed from ${address}`);
  });

  test('that the repository does not have is reported by install, which exits with 1', async () => {
    await servePack();
    const { code, stdout, stderr } = await run('install', 'acme@other');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('acme@other');
  });
});

describe('Ctrl-C', () => {
  test('stops a download, exits with 130 and leaves nothing behind', async () => {
    const asked = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.writeHead(200, { 'content-length': '1000000' });
        response.write('PK');
        resolve();
      };
    });
    const started = cli.start(['install', `${address}/tools.aipack`]);
    await asked;
    started.child.kill('SIGINT');
    const { code, stdout } = await started.result;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const downloads = path.join(cli.folder, 'no-home', 'pack', '.download');
    expect(existsSync(downloads) ? readdirSync(downloads) : []).toEqual([]);
  });
});
