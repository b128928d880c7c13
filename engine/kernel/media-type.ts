/**
 * What kind of file a name or its first bytes tell.
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

/** The media type of a file of that name; `application/octet-stream` for an unknown ending. */
export function mediaTypeOf(fileName: string): string {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return types[ending] ?? 'application/octet-stream';
}

/** How the base64 text of a file begins. */
const beginnings: readonly (readonly [pattern: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGODdh|^R0lGODlh/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
];

/** The media type of a picture or PDF, by its first bytes; undefined for anything else. @param base64 of the whole file */
export function pictureTypeOf(base64: string): string | undefined {
  const start = base64.slice(0, 32);
  return beginnings.find(([pattern]) => pattern.test(start))?.[1];
}
