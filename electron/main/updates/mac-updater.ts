/**
 * Uses the updater of macOS (Squirrel.Mac, in Electron). It downloads an archive of the program from a local server,
 * checks that it is signed by the same developer, and replaces the program when it exits.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { autoUpdater } from 'electron';
import { EngineError } from '../../ipc/engine-base.ts';

/**
 * Passes an archive to the updater.
 * @param file absolute path of a zip of the program
 * @throws EngineError `update.not-installed` with the updater's message
 */
export async function installOnMac(file: string): Promise<void> {
  // Makes the URL unguessable for other users of the machine.
  const secret = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    if (request.url === `/${secret}/program.zip`) createReadStream(file).pipe(response);
    else if (request.url === `/${secret}/feed.json`)
      response.end(JSON.stringify({ url: `${base(server)}/program.zip` }));
    else response.writeHead(404).end();
  });
  const base = (of: Server): string => `http://127.0.0.1:${(of.address() as AddressInfo).port}/${secret}`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    autoUpdater.setFeedURL({ url: `${base(server)}/feed.json` });
    const taken = once(autoUpdater, 'update-downloaded');
    autoUpdater.checkForUpdates();
    await taken;
  } catch (error) {
    const message = `macOS did not take the new version: ${error instanceof Error ? error.message : error}`;
    throw new EngineError({ code: 'update.not-installed', message });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
