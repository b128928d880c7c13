/**
 * A local span collector with responses set by a test.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the collector. */
export interface HeardSpans {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names of the spans, in order. */
  readonly names: readonly string[];
  readonly body: string;
}

export interface SpanCollector {
  readonly heard: readonly HeardSpans[];
  /** Its URL without a path. */
  readonly address: string;
  /** Responds to requests from now on; accepts everything by default. */
  answer: (response: ServerResponse, count: number) => void;
  close(): Promise<void>;
}

function namesIn(body: string): string[] {
  const { resourceSpans } = JSON.parse(body);
  return resourceSpans[0].scopeSpans[0].spans.map(({ name }: { readonly name: string }) => name);
}

/** Accepts everything. */
export function takeAll(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

/** Starts a collector, which the caller must close. */
export async function startCollector(): Promise<SpanCollector> {
  const heard: HeardSpans[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      heard.push({ url: request.url ?? '', headers: request.headers, names: namesIn(body), body });
      collector.answer(response, heard.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const collector: SpanCollector = {
    heard,
    address: `http://127.0.0.1:${port}`,
    answer: takeAll,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}
