/**
 * Saves a response to a workspace file as it arrives.
 */
import type { Clock } from '../../base/clock.ts';
import type { FilesCapability } from '../kernel/capabilities/files-capability.ts';
import type { BodySink, WebResponse } from '../kernel/capabilities/web-capability.ts';
import type { Hub } from '../kernel/hub/hub.ts';

interface Download {
  /** Path relative to the workspace. */
  readonly path: string;
  readonly files: FilesCapability;
  readonly hub: Hub;
  readonly clock: Clock;
}

interface Downloaded {
  readonly response: WebResponse;
  /** Absent if the status was not a success; the file is then unchanged. */
  readonly saved?: { readonly path: string; readonly sizeBytes: number; readonly mediaType?: string };
}

/** Thrown to leave the file unchanged. */
class NotSaved extends Error {
  readonly response: WebResponse;

  constructor(response: WebResponse) {
    super('The response does not have a success status');
    this.response = response;
  }
}

/**
 * Saves a response if its status is 200 to 299, and reports progress. The file is replaced atomically once the
 * response is complete.
 * @param send sends the request
 * @throws EngineError `files.*`; errors from `send`; the file is then unchanged
 */
export async function download(
  { path, files, hub, clock }: Download,
  send: (sink: BodySink) => Promise<WebResponse>,
): Promise<Downloaded> {
  try {
    return await files.save(path, async (write) => {
      const progress = new Progress(path, hub, clock);
      const response = await send({
        takes: ({ status, headers }) => {
          progress.begin(Number(headers['content-encoding'] === undefined ? headers['content-length'] : undefined));
          return status >= 200 && status < 300;
        },
        async write(piece) {
          await write(piece);
          progress.add(piece.byteLength);
        },
      });
      if (response.status < 200 || response.status >= 300) throw new NotSaved(response);
      progress.end();
      const mediaType = response.headers['content-type']?.replace(/;.*$/s, '').trim();
      const type = mediaType === undefined || mediaType === '' ? {} : { mediaType };
      return { response, saved: { path, sizeBytes: progress.bytes, ...type } };
    });
  } catch (thrown) {
    if (thrown instanceof NotSaved) return { response: thrown.response };
    throw thrown;
  }
}

/** Milliseconds between two progress lines in the log. */
const tellEveryMs = 1000;

class Progress {
  bytes = 0;
  readonly #path: string;
  readonly #hub: Hub;
  readonly #clock: Clock;
  #total = Number.NaN;
  #reportedAt: number;

  constructor(path: string, hub: Hub, clock: Clock) {
    this.#path = path;
    this.#hub = hub;
    this.#clock = clock;
    this.#reportedAt = clock.now();
  }

  /** @param total announced number of bytes; NaN if unknown */
  begin(total: number): void {
    this.#total = total;
  }

  add(bytes: number): void {
    this.bytes += bytes;
    if (this.#clock.now() - this.#reportedAt < tellEveryMs) return;
    this.#reportedAt = this.#clock.now();
    const part = Number.isNaN(this.#total) ? '' : ` of ${sizeText(this.#total)}`;
    this.#tell(`${sizeText(this.bytes)}${part} of the response received`);
  }

  end(): void {
    this.#tell(`${sizeText(this.bytes)} saved to ${this.#path}`);
  }

  #tell(text: string): void {
    this.#hub.emit({ type: 'log', level: 'info', text });
  }
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
