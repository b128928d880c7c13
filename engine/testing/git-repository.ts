/**
 * A local server of Git repositories, which uses Git's own program and its simplest protocol.
 */
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface GitServer {
  /** URL as `git://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the repository of one folder under any path.
 * @param folder absolute; its `.git` is served
 */
export async function startGitServer(folder: string): Promise<GitServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    void skipRequest(socket).then((rest) => {
      const service = spawn('git', ['upload-pack', folder], { stdio: ['pipe', 'pipe', 'ignore'] });
      // The service may end before it has read all input, while its output is still in transit.
      service.stdin.on('error', () => undefined);
      service.stdin.write(rest);
      socket.pipe(service.stdin);
      service.stdout.pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `git://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Reads the first packet, which names the service and the path and is preceded by its length in four hexadecimal
 * digits. It may arrive in pieces.
 * @returns the data after it
 */
function skipRequest(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const length = received.length < 4 ? Number.NaN : Number.parseInt(received.subarray(0, 4).toString(), 16);
      if (!(received.length >= length)) return;
      socket.pause().off('data', read);
      resolve(received.subarray(length));
    };
    socket.on('data', read);
  });
}
