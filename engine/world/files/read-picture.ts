/**
 * Reads small workspace images for display in a window.
 */
import { EngineError } from '../../base/engine-error.ts';
import { readStart } from './read-text.ts';
import { resolveInWorkspace } from './workspace-path.ts';

const maxPictureBytes = 2 * 1024 * 1024;

/** Signatures at the start of image files, as Latin-1. */
const beginnings: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n[\s\S]\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['image/avif', /^[\s\S]{4}ftypavi[fs]/],
  ['image/svg+xml', /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<svg[\s>]/],
];

/**
 * Reads an image. Its type is determined by its content, not its name.
 * @param root absolute path of the workspace folder
 * @returns its `data:` URL
 * @throws EngineError `files.outside` | `files.not-found` | `files.too-large` (over 2 MiB) | `files.not-picture` |
 * `files.not-readable`
 */
export async function readPicture(root: string, path: string): Promise<{ readonly address: string }> {
  const { real, shown } = await resolveInWorkspace(root, path);
  const bytes = await readStart(real, { maxBytes: maxPictureBytes + 1, shownPath: shown });
  if (bytes.byteLength > maxPictureBytes) {
    const message = `${shown} is larger than ${maxPictureBytes / 1024 / 1024} MiB, the limit for a preview.`;
    throw new EngineError({ code: 'files.too-large', message, details: { maxBytes: maxPictureBytes } });
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.toString('latin1', 0, 1024);
  const type = beginnings.find(([, beginning]) => beginning.test(start))?.[0];
  if (type === undefined) {
    throw new EngineError({
      code: 'files.not-picture',
      message: `${shown} is not a supported picture. Supported formats: PNG, JPEG, GIF, WebP, AVIF and SVG.`,
    });
  }
  return { address: `data:${type};base64,${buffer.toString('base64')}` };
}
