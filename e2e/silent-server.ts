/**
 * A web server that hears requests and keeps its answer to itself until told to speak: what asks it is in the middle of
 * its work for as long as a test likes.
 */
import { createServer, type ServerResponse } from 'node:http';

export interface SilentServer {
  readonly url: string;
  /** Paths that were asked for, oldest first. */
  readonly requests: readonly string[];
  /** Answers from now on, with 200. */
  speak(): void;
  close(): Promise<void>;
}

export async function startSilentServer(): Promise<SilentServer> {
  const requests: string[] = [];
  let isSilent = true;
  const answer = (response: ServerResponse): void => void (isSilent || response.end('{"ok":true}'));
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    speak() {
      isSilent = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
