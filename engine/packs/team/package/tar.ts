/**
 * Writes a tar archive in the format used by GNU tar and dpkg. Equal entries result in identical bytes.
 */

/** A file, or a folder if the path ends with `/`. */
export interface TarEntry {
  /** Relative path with forward slashes. */
  readonly path: string;
  readonly content: Uint8Array;
}

const block = 512;
const nameBytes = 100;
/** GNU tar's name for an entry that contains the name of the next one. */
const longName = '././@LongLink';

/**
 * Returns an archive of the entries in order. All of them belong to root and have the modification time `seconds`
 * (since 1970).
 */
export function tarOf(entries: readonly TarEntry[], seconds = 0): Buffer {
  const parts = entries.flatMap(({ path, content }) => {
    const name = Buffer.from(path);
    const isFolder = path.endsWith('/');
    const long =
      name.length < nameBytes
        ? []
        : entryOf({ name: Buffer.from(longName), type: 'L', mode: 0o644, seconds }, nulEnded(name));
    return [
      ...long,
      ...entryOf({ name, type: isFolder ? '5' : '0', mode: isFolder ? 0o755 : 0o644, seconds }, content),
    ];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

interface Header {
  readonly name: Buffer;
  readonly type: '0' | '5' | 'L';
  readonly mode: number;
  readonly seconds: number;
}

function entryOf(header: Header, content: Uint8Array): readonly Uint8Array[] {
  const padding = (block - (content.byteLength % block)) % block;
  return [headerOf(header, content.byteLength), content, Buffer.alloc(padding)];
}

function headerOf({ name, type, mode, seconds }: Header, bytes: number): Buffer {
  const header = Buffer.alloc(block);
  name.subarray(0, nameBytes - 1).copy(header, 0);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(bytes, 11), 124);
  header.write(octal(seconds, 11), 136);
  header.write(type, 156);
  header.write('ustar  \0', 257, 'latin1');
  header.write('root', 265);
  header.write('root', 297);
  // The checksum counts its own field as spaces.
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function nulEnded(name: Buffer): Buffer {
  return Buffer.concat([name, Buffer.alloc(1)]);
}
