/**
 * Writes a Debian package (`deb(5)`) without Debian's tools. It consists of two tar archives in an `ar` archive. Equal
 * content results in identical bytes.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type TarEntry, tarOf } from './tar.ts';

interface DebContent {
  /** Fields of `control`, in this order. A line end in a value must be followed by a space. */
  readonly control: Readonly<Record<string, string>>;
  /** Files by path below `/`, without a leading slash. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Files that the administrator may edit and that are kept when the package is removed but not purged. */
  readonly configuration: readonly string[];
}

/** Returns the bytes of the package. */
export function debOf({ control, files, configuration }: DebContent): Buffer {
  const kilobytes = [...files.values()].reduce((sum, content) => sum + Math.ceil(content.byteLength / 1024), 0);
  const fields = { ...control, 'Installed-Size': String(Math.max(1, kilobytes)) };
  const texts = {
    control: Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`),
    conffiles: configuration.map((path) => `/${path}\n`),
    md5sums: [...files]
      .filter(([path]) => !configuration.includes(path))
      .map(([path, content]) => `${createHash('md5').update(content).digest('hex')}  ${path}\n`),
  };
  const controlFiles = Object.entries(texts).map(([name, lines]) => ({
    path: `./${name}`,
    content: Buffer.from(lines.join('')),
  }));
  return arOf([
    ['debian-binary', Buffer.from('2.0\n')],
    ['control.tar.gz', zipped(tarOf([folder('./'), ...controlFiles]))],
    ['data.tar.gz', zipped(tarOf(treeOf(files)))],
  ]);
}

function folder(path: string): TarEntry {
  return { path, content: Buffer.alloc(0) };
}

/** Returns the entries with each folder before its contents. */
function treeOf(files: ReadonlyMap<string, Uint8Array>): readonly TarEntry[] {
  const entries = new Map<string, TarEntry>([['./', folder('./')]]);
  for (const [path, content] of [...files].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const above = `./${parts.slice(0, depth).join('/')}/`;
      if (!entries.has(above)) entries.set(above, folder(above));
    }
    entries.set(`./${path}`, { path: `./${path}`, content });
  }
  return [...entries.values()];
}

/**
 * Compresses content with gzip. Its header contains the operating system, which is removed because it is not part of
 * the content.
 */
function zipped(content: Buffer): Buffer {
  const packed = gzipSync(content, { level: 9 });
  packed[9] = 255;
  return packed;
}

function arOf(members: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const parts = members.flatMap(([name, content]) => {
    const header = [name.padEnd(16), '0'.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)].join('');
    const size = String(content.length).padEnd(10);
    return [Buffer.from(`${header}${size}\`\n`), content, Buffer.from(content.length % 2 === 0 ? '' : '\n')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
