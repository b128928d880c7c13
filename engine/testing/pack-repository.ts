/**
 * A local pack repository, and a web server that misbehaves on request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { evilZip, manifestEntry } from './evil-zip.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface TestRepository {
  /** URL as `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  /** Publishes an archive of a pack as its newest version. */
  publish(identity: string, version: string, archive?: Buffer): void;
  /** Sets the response of a path: bytes, or a function that handles the request. */
  answer(path: string, what: string | Buffer | Answer): void;
  close(): Promise<void>;
}

/** Starts a repository without packs. */
export async function startPackRepository(): Promise<TestRepository> {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end('nothing here');
    else answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const set = (path: string, what: string | Buffer | Answer): void => {
    answers.set(path, typeof what === 'function' ? what : (response) => response.end(what));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: set,
    publish(identity, version, archive = evilZip([manifestEntry(version, identity)])) {
      const folder = `/pack/${identity.replace('@', '/')}/stable`;
      const file = `${version}/${identity}-v${version}.aipack`;
      set(`${folder}/latest.toml`, `[latest_stable]\nversion = "${version}"\nrel_path = "${file}"\n`);
      set(`${folder}/${encodeURI(file).replace('@', '%40')}`, archive);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
