import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { displayProblem, xServerAddresses } from './display.mjs';

test('finds the address of the X server of a display', () => {
  const local = [{ path: '/tmp/.X11-unix/X1' }, { path: '\0/tmp/.X11-unix/X1' }];
  for (const name of [':1', ':1.0', 'unix:1']) expect(xServerAddresses(name)).toEqual(local);
  expect(xServerAddresses('localhost:10.0')).toEqual([{ host: 'localhost', port: 6010 }]);
  expect(xServerAddresses('nonsense')).toEqual([]);
});

describe.runIf(process.platform === 'linux')('the display of a session', () => {
  test('is missing if none is set, and if no server responds at the one that is', async () => {
    expect(await displayProblem({})).toBe('neither DISPLAY nor WAYLAND_DISPLAY is set');
    expect(await displayProblem({ DISPLAY: 'nonsense' })).toBe('no server responds at DISPLAY=nonsense');
    const gone = { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: path.join(tmpdir(), 'no-such-session') };
    expect(await displayProblem(gone)).toBe('no server responds at WAYLAND_DISPLAY=wayland-0');
  });

  test('is available if its server responds', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'millrace-display-'));
    const server = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(path.join(folder, 'wayland-7'), resolve));
    expect(await displayProblem({ WAYLAND_DISPLAY: 'wayland-7', XDG_RUNTIME_DIR: folder })).toBeUndefined();
    server.close();
    await rm(folder, { recursive: true });
  });
});
