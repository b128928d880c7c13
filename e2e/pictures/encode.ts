/**
 * Writes pictures as WebP files, with the programs of https://developers.google.com/speed/webp/docs/using.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { Frame } from './recording.ts';

const maxBytes = 1.5 * 1024 * 1024;

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-pictures-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function encode(png: Buffer, file: string, options: readonly string[]): Promise<void> {
  await withFolder(async (folder) => {
    const source = path.join(folder, 'picture.png');
    await writeFile(source, png);
    await promisify(execFile)('cwebp', ['-quiet', ...options, source, '-o', file]);
  });
}

/** Writes a PNG as a lossless WebP file, which is a third of its size. */
export async function encodePicture(png: Buffer, file: string): Promise<void> {
  await encode(png, file, ['-lossless', '-z', '9']);
}

/** Writes a PNG as a lossy WebP file that is 640 pixels wide. */
export async function encodeSmallPicture(png: Buffer, file: string): Promise<void> {
  await encode(png, file, ['-q', '80', '-m', '6', '-resize', '640', '0']);
}

/** Writes the frames as an animated WebP that repeats. Fails if the file would be too large for a page. */
export async function encodeAnimation(frames: readonly Frame[], file: string): Promise<void> {
  await withFolder(async (folder) => {
    const args = ['-loop', '0', '-min_size', '-lossy', '-q', '70', '-m', '6'];
    for (const [index, { png, duration }] of frames.entries()) {
      const frame = path.join(folder, `${index}.png`);
      await writeFile(frame, png);
      args.push('-d', String(duration), frame);
    }
    await promisify(execFile)('img2webp', [...args, '-o', file]);
    expect((await stat(file)).size).toBeLessThanOrEqual(maxBytes);
  });
}
