/**
 * Builds zip archives byte by byte, including ones that no packing program creates. Format: PKWARE's APPNOTE.TXT.
 */
import { crc32, deflateRawSync } from 'node:zlib';

export interface EvilEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Unix mode bits with the file type; defaults to a plain file. */
  readonly mode?: number;
  /** 0 for stored, 8 for deflated (default); other values are only declared. */
  readonly method?: number;
  /** Bits of the general purpose flag, for example 1 for encrypted. */
  readonly flags?: number;
  /** False values for the directory. */
  readonly claims?: { readonly bytes?: number; readonly packedBytes?: number; readonly crc?: number };
}

const utf8Flag = 0x800;

/** Returns the bytes of an archive with these entries, in this order. */
export function evilZip(entries: readonly EvilEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const record = recordOf(entry);
    const file = Buffer.concat([localHeader(record), record.name, record.data]);
    directory.push(Buffer.concat([centralHeader(record, offset), record.name]));
    files.push(file);
    offset += file.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...files, central, endRecord(entries.length, central.length, offset)]);
}

interface ZipRecord {
  readonly name: Buffer;
  readonly data: Buffer;
  readonly mode: number;
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly bytes: number;
  readonly packedBytes: number;
}

function recordOf({ name, content = '', mode, method = 8, flags = 0, claims = {} }: EvilEntry): ZipRecord {
  const raw = Buffer.from(content);
  const data = method === 8 ? deflateRawSync(raw) : raw;
  const named = Buffer.from(name);
  return {
    name: named,
    data,
    mode: mode ?? (named.at(-1) === 0x2f ? 0o040755 : 0o100644),
    method,
    flags: flags | utf8Flag,
    crc: claims.crc ?? crc32(raw),
    bytes: claims.bytes ?? raw.length,
    packedBytes: claims.packedBytes ?? data.length,
  };
}

/** The common fields of both headers, 26 bytes. */
function commonFields({ flags, method, crc, packedBytes, bytes, name }: ZipRecord): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packedBytes, 14);
  fields.writeUInt32LE(bytes, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function localHeader(record: ZipRecord): Buffer {
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), commonFields(record)]);
}

function centralHeader(record: ZipRecord, offset: number): Buffer {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(record.mode * 0x10000, 6);
  tail.writeUInt32LE(offset, 10);
  // "Made by" 3 is Unix, which determines the meaning of the mode bits.
  return Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), commonFields(record), tail]);
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** Returns a valid manifest entry, so that the archive is a pack except for the tested fault. */
export function manifestEntry(version = '1.0.0', identity = 'acme@tools'): EvilEntry {
  const [namespace = '', name = ''] = identity.split('@');
  return { name: 'pack.toml', content: manifestText(namespace, name, version) };
}

function manifestText(namespace: string, name: string, version: string): string {
  return `[pack]\nnamespace = "${namespace}"\nname = "${name}"\nversion = "${version}"\n`;
}
