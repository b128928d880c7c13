/**
 * What is done with the text of a file in a worker: checking it, and turning changes of the canvas and the forms into edits of
 * it. Typing never waits for either.
 */
import {
  applyEdits,
  type CatalogueChange,
  EngineError,
  type ErrorRecord,
  type Extraction,
  editCatalogue,
  editFlow,
  extractedText,
  type FlowChange,
  type FlowEdit,
  toErrorRecord,
} from '../../../engine/isomorphic.ts';
import { setAgentTypes } from '../flow/node-types.ts';
import {
  type CheckChanges,
  changesSince,
  checkDocument,
  type DocumentCheck,
  type DocumentKind,
  emptyCheck,
  withChanges,
} from './check.ts';

/** An edit that a change asks for, with the check of the text that it leads to; or why it cannot be made. */
export type ChangedDocument =
  | (Extract<FlowEdit, { ok: true }> & { readonly check: DocumentCheck })
  | Extract<FlowEdit, { ok: false }>;

/** The text of a new flow, or why there is none. */
export type ExtractedDocument =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: ErrorRecord };

export interface DocumentService {
  check(kind: DocumentKind, text: string): Promise<DocumentCheck>;
  /** What a change of a flow does to its text. */
  change(text: string, change: FlowChange): Promise<ChangedDocument>;
  /** What a change of a catalogue does to its text. */
  changeCatalogue(text: string, change: CatalogueChange): Promise<ChangedDocument>;
  /** The text of the flow that some of the nodes of a flow would become, or why they cannot be one. */
  extract(text: string, extraction: Extraction): Promise<ExtractedDocument>;
  /** From now on flows are checked with these agents as types of nodes. */
  takeTypes(types: AgentTypes): void;
}

type AgentTypes = Parameters<typeof setAgentTypes>[0];

function withItsCheck(kind: DocumentKind, text: string, edit: FlowEdit): ChangedDocument {
  return edit.ok ? { ...edit, check: checkDocument(kind, applyEdits(text, edit.edits)) } : edit;
}

function changeDocument(request: Extract<DocumentRequest, { do: 'change' | 'change-catalogue' }>): ChangedDocument {
  const { text } = request;
  return request.do === 'change'
    ? withItsCheck('flow', text, editFlow(text, request.change))
    : withItsCheck('dialogue', text, editCatalogue(text, request.change));
}

function extractDocument(text: string, extraction: Extraction): ExtractedDocument {
  try {
    return { ok: true, text: extractedText(text, extraction) };
  } catch (error) {
    if (EngineError.is(error)) return { ok: false, error: toErrorRecord(error) };
    throw error;
  }
}

/** What the worker of a service does with a request. It answers with what differs from its last check; to types, not at all. */
export function createDocumentWork(): (request: DocumentRequest) => DocumentAnswer | undefined {
  let last = emptyCheck;
  const changesTo = (check: DocumentCheck): CheckChanges => {
    const changes = changesSince(last, check);
    last = check;
    return changes;
  };
  const answer = (request: DocumentRequest): DocumentAnswer | undefined => {
    const { id } = request;
    if (request.do === 'take-types') {
      setAgentTypes(request.types);
      return undefined;
    }
    if (request.do === 'check') return { id, check: changesTo(checkDocument(request.kind, request.text)) };
    if (request.do === 'extract') return { id, result: extractDocument(request.text, request.extraction) };
    const changed = changeDocument(request);
    if (!changed.ok) return { id, result: changed };
    const { check, ...edit } = changed;
    return { id, edit, check: changesTo(check) };
  };
  return (request) => {
    try {
      return answer(request);
    } catch (error) {
      return { id: request.id, thrown: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** What a worker is asked; it answers with the same number. */
export type DocumentRequest = { readonly id: number } & (
  | { readonly do: 'check'; readonly kind: DocumentKind; readonly text: string }
  | { readonly do: 'change'; readonly text: string; readonly change: FlowChange }
  | { readonly do: 'change-catalogue'; readonly text: string; readonly change: CatalogueChange }
  | { readonly do: 'extract'; readonly text: string; readonly extraction: Extraction }
  | { readonly do: 'take-types'; readonly types: AgentTypes }
);

/** A check, that of a text after an edit with the edit; why there is no edit, or a new flow; or the words of what was thrown. */
type DocumentAnswer = { readonly id: number } & (
  | { readonly check: CheckChanges; readonly edit?: Extract<FlowEdit, { ok: true }> }
  | { readonly result: Extract<FlowEdit, { ok: false }> | ExtractedDocument }
  | { readonly thrown: string }
);

/** The part of a worker that is used. */
export interface WorkerPort {
  postMessage(message: DocumentRequest): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<DocumentAnswer>) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: (event: Event) => void): void;
  terminate(): void;
}

interface Waiting {
  resolve(result: never): void;
  reject(error: Error): void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Nothing that is asked takes so long; what does has no end. */
const patienceMs = 20_000;

const stopped = 'The part of the program that reads flows stopped, and starts anew. The text is as it was; try again.';
const tookTooLong = 'Reading the text took too long, so it was given up. The text is as it was; make it smaller.';

/**
 * The service in a worker that runs `worker.ts`. Calls fail when the work itself throws, which is a defect, and when
 * the worker dies or does not answer for `patienceMs`; another worker is then started with the next call. So nothing
 * waits for ever, least of all saving.
 */
export function createDocumentService(startWorker: () => WorkerPort): DocumentService {
  const waiting = new Map<number, Waiting>();
  let worker: WorkerPort | null = null;
  /** What the worker found last. */
  let last = emptyCheck;
  let lastId = 0;
  let types: AgentTypes = [];

  const settle = (id: number): Waiting | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    clearTimeout(call?.timer);
    return call;
  };
  const giveUp = (port: WorkerPort, reason: string): void => {
    if (worker !== port) return;
    worker = null;
    last = emptyCheck;
    port.terminate();
    const error = new EngineError({ code: 'document.stopped', message: reason, recoverable: true });
    for (const id of [...waiting.keys()]) settle(id)?.reject(error);
  };
  const start = (): WorkerPort => {
    const port = startWorker();
    port.addEventListener('message', ({ data }) => {
      // Nothing of one that was given up: it sends changes of what a former one found.
      if (port !== worker) return;
      const call = settle(data.id);
      if ('thrown' in data) call?.reject(new Error(data.thrown));
      else if ('result' in data) call?.resolve(data.result as never);
      else {
        last = withChanges(last, data.check);
        call?.resolve((data.edit === undefined ? last : { ...data.edit, check: last }) as never);
      }
    });
    const fail = (): void => giveUp(port, stopped);
    port.addEventListener('error', fail);
    port.addEventListener('messageerror', fail);
    if (types.length > 0) port.postMessage({ id: 0, do: 'take-types', types });
    return port;
  };
  const ask = <Result>(request: (id: number) => DocumentRequest): Promise<Result> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      worker ??= start();
      const port = worker;
      const timer = setTimeout(() => giveUp(port, tookTooLong), patienceMs);
      waiting.set(id, { resolve, reject, timer });
      port.postMessage(request(id));
    });
  return {
    check: (kind, text) => ask((id) => ({ id, do: 'check', kind, text })),
    change: (text, change) => ask((id) => ({ id, do: 'change', text, change })),
    changeCatalogue: (text, change) => ask((id) => ({ id, do: 'change-catalogue', text, change })),
    extract: (text, extraction) => ask((id) => ({ id, do: 'extract', text, extraction })),
    takeTypes(now) {
      types = now;
      // One that is started later begins with them.
      worker?.postMessage({ id: 0, do: 'take-types', types });
    },
  };
}

/** Characters. A page checks such a text sooner than a worker starts, and without a pause that anyone sees. */
const shortText = 32_000;

/**
 * The same service for a window that draws its first file. Until that is painted, short texts are checked on the page: a
 * worker that starts at the same time would slow the page down. Then the worker starts, before anyone types.
 */
export function withFirstChecksOnPage(service: DocumentService, whenPainted: Promise<void>): DocumentService {
  let isPainted = false;
  void whenPainted.then(() => {
    isPainted = true;
    // Any request starts the worker. One that cannot start reports that with the next request.
    service.check('file', '').catch(() => undefined);
  });
  return {
    ...service,
    async check(kind, text) {
      return isPainted || text.length > shortText ? service.check(kind, text) : checkDocument(kind, text);
    },
  };
}

interface CheckedFile {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly text: string;
}

/** Checks texts right behind the person who types them: one check of a file at a time, the newest text last. */
interface DocumentChecks {
  /** Asks for a check of a text; resolves when it, or that of a newer text of the file, was done or has failed. */
  request(file: CheckedFile): Promise<void>;
}

/**
 * @param onCheck called with each check and the text that it belongs to
 * @param onFailure called when a text could not be checked; the former check stays until there is one again
 */
export function createDocumentChecks(
  documents: DocumentService,
  onCheck: (path: string, text: string, check: DocumentCheck) => void,
  onFailure: (path: string, error: unknown) => void,
): DocumentChecks {
  const wanted = new Map<string, CheckedFile>();
  const underWay = new Map<string, Promise<void>>();

  const work = async (path: string): Promise<void> => {
    for (let file = wanted.get(path); file !== undefined; file = wanted.get(path)) {
      wanted.delete(path);
      try {
        onCheck(path, file.text, await documents.check(file.kind, file.text));
      } catch (error) {
        onFailure(path, error);
      }
    }
  };

  return {
    request(file) {
      const { path } = file;
      wanted.set(path, file);
      const current = underWay.get(path) ?? work(path).finally(() => underWay.delete(path));
      underWay.set(path, current);
      return current;
    },
  };
}
