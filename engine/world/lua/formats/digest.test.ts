import { describe, expect, test } from 'vitest';
import { digest, encodeBytes } from './digest.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('digests', () => {
  test('digests match the values in their standards', () => {
    expect(digest(bytes('abc'), 'sha256', 'hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(digest(bytes('abc'), 'sha512', 'hex').slice(0, 32)).toBe('ddaf35a193617abacc417349ae204131');
    expect(digest(bytes(''), 'blake3', 'hex')).toBe('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262');
    expect(digest(bytes('abc'), 'blake3', 'hex')).toBe(
      '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85',
    );
  });

  test('digests are the same bytes in every encoding', () => {
    const hex = digest(bytes('x'), 'sha256', 'hex');
    const b64 = digest(bytes('x'), 'sha256', 'b64');
    expect(Buffer.from(b64, 'base64').toString('hex')).toBe(hex);
    expect(b64.endsWith('=')).toBe(true);
    expect(Buffer.from(digest(bytes('x'), 'sha256', 'b64u'), 'base64url').toString('hex')).toBe(hex);
    expect(digest(bytes('x'), 'sha256', 'b64u')).not.toContain('=');
    expect(digest(bytes('x'), 'sha256', 'b58')).toBe(encodeBytes(Buffer.from(hex, 'hex'), 'b58'));
  });

  test('digests cover only the given part of a larger buffer', () => {
    const part = bytes('xabcx').subarray(1, 4);
    expect(digest(part, 'sha256', 'b64')).toBe(digest(bytes('abc'), 'sha256', 'b64'));
    expect(encodeBytes(part, 'hex')).toBe('616263');
  });
});

describe('Base58', () => {
  test('Base58 matches known values', () => {
    expect(encodeBytes(bytes('Hello World!'), 'b58')).toBe('2NEpo7TZRRrLZSi2U');
    expect(encodeBytes(bytes('The quick brown fox jumps over the lazy dog.'), 'b58')).toBe(
      'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
    );
  });

  test('Base58 keeps leading zero bytes', () => {
    expect(encodeBytes(Uint8Array.of(0, 0, 40, 127, 180, 205), 'b58')).toBe('11233QC4');
    expect(encodeBytes(new Uint8Array(3), 'b58')).toBe('111');
    expect(encodeBytes(new Uint8Array(0), 'b58')).toBe('');
  });
});
