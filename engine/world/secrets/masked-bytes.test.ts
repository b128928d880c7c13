import { expect, test } from 'vitest';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { maskedBytes } from './masked-bytes.ts';
import { createMask } from './secret-mask.ts';

const value = 'sk-0123456789';
const mask = createMask([{ value, mark: '•••KEY•••' }]);
const secrets = { stream: (emit: (piece: string) => void) => mask.stream(emit) } as RunSecrets;

async function through(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const written: Uint8Array[] = [];
  const body = maskedBytes(secrets, async (piece) => void written.push(piece));
  for (const piece of pieces) await body.push(piece);
  await body.end();
  return Buffer.concat(written);
}

test('BB-13 masks a secret with non-ASCII characters', async () => {
  const sign = 'schlüssel-99';
  const own = createMask([{ value: sign, mark: '•••KEY•••' }]);
  const written: Uint8Array[] = [];
  const body = maskedBytes(
    { stream: (emit: (piece: string) => void) => own.stream(emit) } as RunSecrets,
    async (piece) => void written.push(piece),
  );
  await body.push(Buffer.from(`a ${sign} b`));
  await body.end();
  expect(Buffer.concat(written).toString()).toBe('a •••KEY••• b');
});

const all = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));

test('BB-13 a secret that a server sends back is not written to a file, however the response is split', async () => {
  const whole = Buffer.concat([all, Buffer.from(`a ${value} b`), all]);
  const expected = Buffer.concat([all, Buffer.from('a •••KEY••• b'), all]);
  for (const size of [1, 7, 1029, whole.length]) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
      whole.subarray(index * size, (index + 1) * size),
    );
    expect((await through(pieces)).equals(expected)).toBe(true);
  }
});

test('other bytes are unchanged', async () => {
  expect((await through([all, all.subarray(0, 3)])).equals(Buffer.concat([all, all.subarray(0, 3)]))).toBe(true);
  expect(await through([])).toHaveLength(0);
});
