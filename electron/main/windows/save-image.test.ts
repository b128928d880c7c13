import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SaveDialogOptions } from 'electron';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mainContract, maxImageSize } from '../../ipc/contracts/main-contract.ts';
import type { RpcReply } from '../../ipc/rpc.ts';
import { createDispatcher } from '../../ipc/rpc-server.ts';
import { type ShowSaveDialog, saveImage } from './save-image.ts';

let folder: string;
let shown: SaveDialogOptions[];
let chosen: string | null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'picture-'));
  [shown, chosen] = [[], null];
});

afterEach(() => rmSync(folder, { recursive: true }));

function save(params: Partial<Record<'suggestedName' | 'format' | 'data', unknown>> = {}): Promise<RpcReply> {
  const show: ShowSaveDialog = async (options) => {
    shown.push(options);
    return { canceled: chosen === null, filePath: chosen ?? '' };
  };
  const contract = { 'image.save': mainContract['image.save'] };
  const handlers = { 'image.save': (picture: Parameters<typeof saveImage>[0]) => saveImage(picture, show) };
  const usual = { suggestedName: 'a.png', format: 'png', data: new Uint8Array([1, 2, 3]) };
  return createDispatcher(contract, handlers)('image.save', [{ ...usual, ...params }]);
}

test('writes the bytes to the chosen file and returns its path', async () => {
  chosen = path.join(folder, 'mine.png');
  expect(await save()).toEqual({ ok: true, result: { path: chosen } });
  expect([...readFileSync(chosen)]).toEqual([1, 2, 3]);
  expect(shown[0]).toMatchObject({ defaultPath: 'a.png', filters: [{ extensions: ['png'] }] });
});

test('writes nothing if the dialog was closed', async () => {
  expect(await save()).toEqual({ ok: true, result: { path: null } });
});

test('reports why the file could not be written', async () => {
  chosen = path.join(folder, 'gone', 'mine.png');
  expect(await save()).toMatchObject({
    ok: false,
    error: { code: 'image.not-writable', message: expect.stringContaining('ENOENT') },
  });
});

test.each([
  ['a name with a folder', { suggestedName: '../a.png' }],
  ['another format', { format: 'exe' }],
  ['no bytes', { data: 'text' }],
  ['too many bytes', { data: new Uint8Array(maxImageSize + 1) }],
])('rejects %s before it asks', async (_, params) => {
  expect(await save(params)).toMatchObject({ ok: false });
  expect(shown).toEqual([]);
});
