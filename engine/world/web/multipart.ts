/**
 * Encodes forms with text and files as a request body (`multipart/form-data`), piece by piece, so that no file is held
 * in memory as a whole.
 */
import { randomUUID } from 'node:crypto';
import { EngineError } from '../../base/engine-error.ts';
import type { FormPart } from '../../runtime/kernel/capabilities/web-capability.ts';

/** A body that can be sent again after a redirect. */
export interface StreamedBody {
  readonly contentType: string;
  readonly sizeBytes: number;
  open(): ReadableStream<Uint8Array>;
}

/** Returns a form's body. @throws EngineError `web.bad-request` for a file type that is invalid in headers */
export function multipartBody(parts: readonly FormPart[], boundary = `millrace-${randomUUID()}`): StreamedBody {
  const heads = parts.map((part) => Buffer.from(headOf(part, boundary)));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const sizes = parts.map((part, index) => (heads[index]?.byteLength ?? 0) + sizeOf(part) + lineEnd.byteLength);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const [index, part] of parts.entries()) {
      yield heads[index] ?? lineEnd;
      if ('text' in part) yield Buffer.from(part.text);
      else yield* checkedPieces(part);
      yield lineEnd;
    }
    yield end;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: sizes.reduce((sum, size) => sum + size, end.byteLength),
    open: () => streamOf(pieces()),
  };
}

const lineEnd = Buffer.from('\r\n');

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

function headOf(part: FormPart, boundary: string): string {
  const name = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"`;
  if ('text' in part) return `${name}\r\n\r\n`;
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(part.mediaType)) {
    const message = `${JSON.stringify(part.mediaType)} is not a media type. Use one such as image/png.`;
    throw new EngineError({ code: 'web.bad-request', message });
  }
  return `${name}; filename="${quoted(part.fileName)}"\r\nContent-Type: ${part.mediaType}\r\n\r\n`;
}

/** Escapes names like browsers: characters that would end the name or the line. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function sizeOf(part: FormPart): number {
  return 'text' in part ? Buffer.byteLength(part.text) : part.sizeBytes;
}

/** The length was announced, so a file whose size changes in the meantime would break the request. */
async function* checkedPieces(part: Extract<FormPart, { readonly fileName: string }>): AsyncGenerator<Uint8Array> {
  let left = part.sizeBytes;
  for await (const piece of part.open()) {
    if (piece.byteLength > left) throw changed(part.fileName);
    left -= piece.byteLength;
    yield piece;
  }
  if (left > 0) throw changed(part.fileName);
}

function changed(fileName: string): EngineError {
  const message = `"${fileName}" changed while it was being sent. Run again when no program is writing to it.`;
  return new EngineError({ code: 'web.bad-request', message });
}
