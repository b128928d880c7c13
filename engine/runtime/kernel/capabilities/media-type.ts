/**
 * Determines a file's type from its name or first bytes.
 */

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
};

/** Returns a file name's media type; `application/octet-stream` for unknown extensions. */
export function mediaTypeOf(fileName: string): string {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return types[ending] ?? 'application/octet-stream';
}

/** Patterns for the start of a file in base64. */
const beginnings: readonly (readonly [pattern: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGODdh|^R0lGODlh/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
];

/**
 * Returns the media type of an image or PDF, based on its first bytes; undefined for anything else. @param base64 the
 * entire file's content
 */
export function pictureTypeOf(base64: string): string | undefined {
  const start = base64.slice(0, 32);
  return beginnings.find(([pattern]) => pattern.test(start))?.[1];
}
