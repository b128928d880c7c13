/**
 * A web server that receives requests and withholds its responses until instructed, so that a test can keep a request
 * in progress.
 */
import { createServer, type ServerResponse } from 'node:http';

export interface SilentServer {
  readonly url: string;
  /** Requested paths, oldest first. */
  readonly requests: readonly string[];
  /** Responds to all requests from now on, with status 200. */
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
