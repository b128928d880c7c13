/**
 * The section `[installed]`, which the installer adds to `pack.toml`.
 */
import type { InstalledRecord } from './pack-manifest.ts';

const header = /^\s*\[\s*installed\s*\]/;
const anyHeader = /^\s*\[/;

/** The manifest's text with this record instead of the one that it may have had; everything else stays as it was. */
export function withInstalledRecord(manifest: string, record: InstalledRecord): string {
  const fields = Object.entries(record).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  const kept = withoutInstalledRecord(manifest).trimEnd();
  return `${kept}\n\n[installed]\n${fields.join('')}`;
}

/** The manifest's text without the record, as its author wrote it. */
export function withoutInstalledRecord(manifest: string): string {
  let isInRecord = false;
  const kept = manifest.split('\n').filter((line) => {
    if (anyHeader.test(line)) isInRecord = header.test(line);
    return !isInRecord;
  });
  return kept.join('\n');
}

/** RFC 3339 in the time of the place, with seconds: `2026-08-05T10:00:00-07:00`. */
export function localTimestamp(now: number): string {
  const minutes = -new Date(now).getTimezoneOffset();
  const local = new Date(now + minutes * 60_000).toISOString().slice(0, 19);
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`;
}
