/**
 * Determines the type of a file from its name or its first bytes.
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

/** Returns the media type of a file name; `application/octet-stream` for an unknown extension. */
export function mediaTypeOf(fileName: string): string {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return types[ending] ?? 'application/octet-stream';
}

/** Patterns for the start of a file as base64 text. */
const beginnings: readonly (readonly [pattern: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGODdh|^R0lGODlh/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
];

/**
 * Returns the media type of an image or PDF, based on its first bytes; undefined for anything else. @param base64
 * content of the whole file
 */
export function pictureTypeOf(base64: string): string | undefined {
  const start = base64.slice(0, 32);
  return beginnings.find(([pattern]) => pattern.test(start))?.[1];
}
