/**
 * A local proxy, and a TLS server with its own certificate authority.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A proxy that forwards tunnels and plain requests. */
export interface TestProxy {
  readonly port: number;
  /** Requests as `CONNECT host:port` and `GET http://…`, in order. */
  readonly asked: readonly string[];
  /** The `proxy-authorization` header of each request. */
  readonly authorizations: readonly (string | undefined)[];
  /** Status that it returns instead of forwarding; 0 to forward. */
  refusal: number;
  close(): Promise<void>;
}

export async function startTestProxy(): Promise<TestProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    note(incoming);
    if (proxy.refusal !== 0) return void response.writeHead(proxy.refusal).end();
    const { method, headers } = incoming;
    const sent = request(incoming.url ?? '', { method: method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(sent);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    note(incoming);
    sockets.add(socket.on('error', () => undefined));
    if (proxy.refusal !== 0) return void socket.end(`HTTP/1.1 ${proxy.refusal} No\r\n\r\n`);
    const port = Number(incoming.url?.split(':').at(-1));
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    sockets.add(target.on('error', () => socket.destroy()));
  });
  const proxy: TestProxy = {
    port: await listening(server),
    asked,
    authorizations,
    refusal: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export interface TestCertificates {
  /** Path of the authority's certificate in PEM format. */
  readonly authorityFile: string;
  readonly key: string;
  readonly cert: string;
  remove(): void;
}

/** Creates an authority and a certificate for a name and this machine; undefined if openssl is not installed. */
export function makeCertificates(name: string): TestCertificates | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-ca-'));
  const file = (one: string): string => path.join(folder, one);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA', '-days', '36500');
    openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'csr.pem', '-subj', `/CN=${name}`);
    writeFileSync(file('names'), `subjectAltName=DNS:${name},IP:127.0.0.1\n`);
    openssl(
      ...['x509', '-req', '-in', 'csr.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-out', 'cert.pem', '-days', '36500', '-extfile', 'names'],
    );
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  return {
    authorityFile: file('ca.pem'),
    key: readFileSync(file('key.pem'), 'utf8'),
    cert: readFileSync(file('cert.pem'), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
