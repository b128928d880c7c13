/**
 * Processes the text of files in a worker: checks it, and converts changes from the canvas and forms to text edits.
 * Typing never waits for either.
 */
import {
  applyEdits,
  type CatalogueChange,
  type DifferenceLines,
  diffFlows,
  EngineError,
  type ErrorRecord,
  type Extraction,
  editCatalogue,
  editFlow,
  extractedText,
  type FlowChange,
  type FlowDiff,
  type FlowEdit,
  type FlowTexts,
  type FlowVersions,
  locateDifferences,
  mergeVersions,
  takeDifferences,
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
import { text as words } from './text.ts';

/** The edit for a change, with the check of the resulting text, or why the change cannot be made. */
export type ChangedDocument =
  | (Extract<FlowEdit, { ok: true }> & { readonly check: DocumentCheck })
  | Extract<FlowEdit, { ok: false }>;

/** A text of a flow, or why it cannot be created. */
export type ExtractedDocument =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: ErrorRecord };

/** What differs between two texts of a flow, or why they cannot be compared. */
export type ComparedDocuments =
  | ({ readonly ok: true } & FlowDiff)
  | { readonly ok: false; readonly error: ErrorRecord };

/** The lines of the differences between two texts of a flow, or why they cannot be compared. */
type LocatedDifferences =
  | { readonly ok: true; readonly lines: readonly DifferenceLines[] }
  | { readonly ok: false; readonly error: ErrorRecord };

/** A merge of two versions of a flow, or why they cannot be merged. */
export type MergedDocuments =
  | {
      readonly ok: true;
      /** With my version of each conflict. */
      readonly text: string;
      /** With their version of each conflict. */
      readonly theirs: string;
      readonly conflicts: number;
    }
  | { readonly ok: false; readonly error: ErrorRecord };

export interface DocumentService {
  check(kind: DocumentKind, text: string): Promise<DocumentCheck>;
  /** Returns the edit of the text for a change of a flow. */
  change(text: string, change: FlowChange): Promise<ChangedDocument>;
  /** Returns the edit of the text for a change of a catalog. */
  changeCatalogue(text: string, change: CatalogueChange): Promise<ChangedDocument>;
  /** Returns the text of the flow into which nodes would be extracted, or why they cannot be. */
  extract(text: string, extraction: Extraction): Promise<ExtractedDocument>;
  /** Compares two texts of a flow. */
  compare(texts: FlowTexts): Promise<ComparedDocuments>;
  /** Returns the lines of the differences between two texts of a flow. */
  locate(texts: FlowTexts): Promise<LocatedDifferences>;
  /** Returns the first text with differences taken over from the second one, or why that is not possible. */
  merge(texts: FlowTexts, keys: readonly string[]): Promise<ExtractedDocument>;
  /** Merges two versions of a flow change by change. Where both changed the same, the text is mine. */
  mergeVersions(versions: FlowVersions): Promise<MergedDocuments>;
  /** Sets the agents that later checks accept as node types. */
  takeTypes(types: AgentTypesArgument): void;
}

type AgentTypesArgument = Parameters<typeof setAgentTypes>[0];

function withItsCheck(kind: DocumentKind, text: string, edit: FlowEdit): ChangedDocument {
  return edit.ok ? { ...edit, check: checkDocument(kind, applyEdits(text, edit.edits)) } : edit;
}

function changeDocument(request: Extract<DocumentRequest, { do: 'change' | 'change-catalogue' }>): ChangedDocument {
  const { text } = request;
  return request.do === 'change'
    ? withItsCheck('flow', text, editFlow(text, request.change))
    : withItsCheck('dialogue', text, editCatalogue(text, request.change));
}

type ResultRequest = Extract<DocumentRequest, { do: 'extract' | 'compare' | 'locate' | 'merge' | 'merge-versions' }>;

function resultOf(request: ResultRequest): DocumentResult {
  try {
    if (request.do === 'extract') return { ok: true, text: extractedText(request.text, request.extraction) };
    if (request.do === 'merge-versions') {
      const { text, conflicts } = mergeVersions(request.versions);
      const keys = new Set(conflicts.map(({ key }) => key));
      const theirs = keys.size === 0 ? text : mergeVersions(request.versions, keys).text;
      return { ok: true, text, theirs, conflicts: keys.size };
    }
    const { texts } = request;
    if (request.do === 'merge')
      return { ok: true, text: applyEdits(texts.before, [...takeDifferences(texts, request.keys)]) };
    return request.do === 'locate' ? { ok: true, lines: locateDifferences(texts) } : { ok: true, ...diffFlows(texts) };
  } catch (error) {
    if (EngineError.is(error)) return { ok: false, error: toErrorRecord(error) };
    throw error;
  }
}

function hasResult(request: DocumentRequest): request is ResultRequest & { readonly id: number } {
  return ['extract', 'compare', 'locate', 'merge', 'merge-versions'].includes(request.do);
}

/**
 * Creates the request handler of the service's worker. Responses contain the differences from its last check. A request
 * that sets types has no response.
 */
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
    if (hasResult(request)) return { id, result: resultOf(request) };
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

/** A request to the worker. The response has the same number. */
export type DocumentRequest = { readonly id: number } & (
  | { readonly do: 'check'; readonly kind: DocumentKind; readonly text: string }
  | { readonly do: 'change'; readonly text: string; readonly change: FlowChange }
  | { readonly do: 'change-catalogue'; readonly text: string; readonly change: CatalogueChange }
  | { readonly do: 'extract'; readonly text: string; readonly extraction: Extraction }
  | { readonly do: 'compare' | 'locate'; readonly texts: FlowTexts }
  | { readonly do: 'merge'; readonly texts: FlowTexts; readonly keys: readonly string[] }
  | { readonly do: 'merge-versions'; readonly versions: FlowVersions }
  | { readonly do: 'take-types'; readonly types: AgentTypesArgument }
);

type DocumentResult = ExtractedDocument | ComparedDocuments | LocatedDifferences | MergedDocuments;

/**
 * A check; an edit with the check of the resulting text; why an edit is not possible; a new text or a comparison; or the message of a
 * thrown error.
 */
type DocumentAnswer = { readonly id: number } & (
  | { readonly check: CheckChanges; readonly edit?: Extract<FlowEdit, { ok: true }> }
  | { readonly result: Extract<FlowEdit, { ok: false }> | DocumentResult }
  | { readonly thrown: string }
);

/** The part of the worker API that is used. */
export interface WorkerPort {
  postMessage(message: DocumentRequest): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<DocumentAnswer>) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: (event: Event) => void): void;
  terminate(): void;
}

interface PendingTextRequest {
  resolve(result: never): void;
  reject(error: Error): void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Maximum duration of a request. One that takes longer is assumed never to end. */
const patienceMs = 20_000;

type AskWorker = <Result>(request: (id: number) => DocumentRequest) => Promise<Result>;

/** Returns the calls of the service that send one request to the worker. */
function requestsOf(ask: AskWorker): Omit<DocumentService, 'takeTypes'> {
  return {
    check: (kind, text) => ask((id) => ({ id, do: 'check', kind, text })),
    change: (text, change) => ask((id) => ({ id, do: 'change', text, change })),
    changeCatalogue: (text, change) => ask((id) => ({ id, do: 'change-catalogue', text, change })),
    extract: (text, extraction) => ask((id) => ({ id, do: 'extract', text, extraction })),
    compare: (texts) => ask((id) => ({ id, do: 'compare', texts })),
    locate: (texts) => ask((id) => ({ id, do: 'locate', texts })),
    merge: (texts, keys) => ask((id) => ({ id, do: 'merge', texts, keys })),
    mergeVersions: (versions) => ask((id) => ({ id, do: 'merge-versions', versions })),
  };
}

/**
 * Creates the service in a worker that runs `worker.ts`. A call fails if the work throws, which is a defect, or if the
 * worker dies or does not respond within `patienceMs`. The next call then starts another worker, so that nothing waits
 * forever, especially not a save.
 */
export function createDocumentService(startWorker: () => WorkerPort): DocumentService {
  const waiting = new Map<number, PendingTextRequest>();
  let worker: WorkerPort | null = null;
  /** The last check of the worker. */
  let last = emptyCheck;
  let lastId = 0;
  let types: AgentTypesArgument = [];

  const settle = (id: number): PendingTextRequest | undefined => {
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
      // Ignores a discarded worker: its changes are relative to an earlier check.
      if (port !== worker) return;
      const call = settle(data.id);
      if ('thrown' in data) call?.reject(new Error(data.thrown));
      else if ('result' in data) call?.resolve(data.result as never);
      else {
        last = withChanges(last, data.check);
        call?.resolve((data.edit === undefined ? last : { ...data.edit, check: last }) as never);
      }
    });
    const fail = (): void => giveUp(port, words.worker.stopped);
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
      const timer = setTimeout(() => giveUp(port, words.worker.tookTooLong), patienceMs);
      waiting.set(id, { resolve, reject, timer });
      port.postMessage(request(id));
    });
  return {
    ...requestsOf(ask),
    takeTypes(now) {
      types = now;
      // A worker that is started later receives them at its start.
      worker?.postMessage({ id: 0, do: 'take-types', types });
    },
  };
}

/** Number of characters that the page checks faster than a worker starts, without a noticeable pause. */
const shortText = 32_000;

/**
 * Wraps the service for a window that draws its first file. Until that is painted, short texts are checked on the page,
 * because starting a worker at the same time would slow the page down. Then the worker starts, before the user types.
 */
export function withFirstChecksOnPage(service: DocumentService, whenPainted: Promise<void>): DocumentService {
  let isPainted = false;
  void whenPainted.then(() => {
    isPainted = true;
    // Any request starts the worker. If it cannot start, the next request reports that.
    service.check('file', '').catch(() => undefined);
  });
  return {
    ...service,
    async check(kind, text) {
      return isPainted || text.length > shortText ? service.check(kind, text) : checkDocument(kind, text);
    },
  };
}
