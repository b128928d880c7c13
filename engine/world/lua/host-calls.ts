/**
 * Types of the calls that scripts can make to the engine. The worker calls by name and blocks until the engine returns
 * a result. Values are passed by structured clone.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { ChangesInfo } from './formats/change-blocks.ts';
import type { DigestAlgorithm } from './formats/digest.ts';

/** A file as scripts see it. Times are in microseconds since 1970. */
export interface FileInfoValue {
  readonly _type: 'FileInfo';
  readonly path: string;
  readonly dir: string;
  readonly name: string;
  readonly stem: string;
  readonly ext: string;
  readonly ctime?: number;
  readonly mtime?: number;
  readonly size?: number;
  readonly is_likely_text: boolean;
}

/** Base folder of a relative path; absent for the workspace. May be a pack reference. */
interface PathParams {
  readonly path: string;
  readonly baseDir?: string;
}

interface GlobParams {
  readonly globs: readonly string[];
  readonly baseDir?: string;
  readonly absolute?: boolean;
  /** Folders such as `node_modules` are skipped unless a glob names them. */
  readonly hasDefaultExcludes: boolean;
}

interface DestinationParams {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
}

/** A web server's response. */
export interface WebAnswer {
  readonly status: number;
  /** Final URL after redirects. */
  readonly url: string;
  readonly text: string;
  /** Header names are lowercase. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Parameters and results by call name. */
export interface HostCalls {
  // File calls (effects `read`, `write`, `delete`).
  'path.resolve': { params: PathParams; result: { readonly path: string } };
  /** `kind` is null if the path does not exist or cannot be resolved. */
  'path.kind': { params: PathParams; result: { readonly kind: 'file' | 'folder' | null } };
  'file.info': { params: PathParams; result: { readonly info: FileInfoValue | null } };
  /** `info.path` is the path as the caller passed it. */
  'file.readText': { params: PathParams; result: { readonly text: string; readonly info: FileInfoValue } };
  'file.readBytes': { params: PathParams; result: { readonly bytes: Uint8Array } };
  /** Reads part of a text file by byte offsets. `end` is exclusive and may be past the end of the file. */
  'file.readSpan': {
    params: PathParams & { readonly start: number; readonly end: number };
    result: { readonly text: string };
  };
  /** Returns the digest of a file of any size. */
  'file.hash': { params: PathParams & { readonly algorithm: DigestAlgorithm }; result: { readonly bytes: Uint8Array } };
  'file.list': { params: GlobParams; result: { readonly files: readonly FileInfoValue[] } };
  'file.write': {
    params: {
      readonly path: string;
      readonly content: string;
      /** `ensure` writes only if the file is missing, or if it is blank and `whenBlank` is set. */
      readonly mode: 'overwrite' | 'append' | 'ensure';
      readonly whenBlank?: boolean;
      /** Adds a line to the log for people. */
      readonly announce?: true;
    };
    /** `info.path` is absolute. */
    result: { readonly info: FileInfoValue };
  };
  /** Applies SEARCH/REPLACE blocks to a file. Other writers are locked out of the file during this time. */
  'file.saveChanges': {
    params: PathParams & { readonly changes: string };
    result: { readonly info: FileInfoValue; readonly outcome: ChangesInfo };
  };
  'file.ensureDir': { params: PathParams; result: { readonly isNew: boolean } };
  'file.copy': { params: DestinationParams; result: { readonly info: FileInfoValue } };
  'file.move': { params: DestinationParams; result: { readonly info: FileInfoValue } };
  'file.delete': { params: PathParams; result: { readonly existed: boolean } };
  /** Converts DOCX to markdown. */
  'file.docxToMarkdown': { params: PathParams; result: { readonly markdown: string } };
  'pdf.pageCount': { params: PathParams; result: { readonly count: number } };
  'pdf.splitPages': {
    params: PathParams & { readonly destination?: string };
    result: { readonly files: readonly FileInfoValue[] };
  };
  'zip.create': {
    params: { readonly source: string; readonly destination?: string; readonly globs?: readonly string[] };
    result: { readonly info: FileInfoValue };
  };
  'zip.extract': {
    params: { readonly source: string; readonly destination?: string; readonly globs?: readonly string[] };
    result: { readonly files: readonly FileInfoValue[] };
  };
  'zip.readText': {
    params: { readonly source: string; readonly entry: string };
    result: { readonly text: string | null };
  };
  'zip.list': {
    params: { readonly source: string; readonly globs?: readonly string[] };
    result: { readonly names: readonly string[] };
  };
  // Calls with other effects (`command`, `web`, `editor`).
  'command.exec': {
    params: { readonly command: string; readonly args: readonly string[]; readonly cwd?: string };
    result: { readonly stdout: string; readonly stderr: string; readonly exit: number };
  };
  'git.restore': { params: PathParams; result: { readonly stdout: string } };
  'web.request': {
    params: {
      readonly method: 'GET' | 'POST';
      readonly url: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body?: string;
      readonly redirectLimit: number;
    };
    result: WebAnswer;
  };
  /** Returns a placeholder that represents a secret until a request is sent. */
  'secret.get': { params: { readonly name: string }; result: { readonly placeholder: string } };
  /** `editor` is null if none is known. */
  'editor.open': { params: PathParams; result: { readonly editor: string | null } };
  // Calls that concern the run itself.
  'agent.run': {
    params: {
      readonly name: string;
      readonly inputs: readonly JsonValue[] | null;
      readonly options?: JsonMap;
      readonly agentBaseDir?: string;
    };
    result: { readonly outputs: JsonValue; readonly afterAll: JsonValue; readonly redoRequested: boolean };
  };
  /** The scope `task` is refused outside a task. */
  pin: {
    params: {
      readonly scope: 'run' | 'task';
      readonly iden: string;
      readonly priority?: number;
      readonly label?: string;
      readonly content: string;
    };
    result: null;
  };
  label: { params: { readonly scope: 'run' | 'task'; readonly text: string }; result: null };
  /** `print` writes one or more lines from the script. */
  log: { params: { readonly level: 'print' | 'info' | 'warn'; readonly text: string }; result: null };
  /** Returns the source of a module for `require`; null if it does not exist. */
  'script.require': {
    params: { readonly module: string };
    result: { readonly source: string; readonly file: string } | null;
  };
}

export type HostCallName = keyof HostCalls;

/** The worker's side: makes a call and blocks until it returns. A refusal is thrown as an `Error` with its message. */
export type HostCaller = <Name extends HostCallName>(
  name: Name,
  params: HostCalls[Name]['params'],
) => HostCalls[Name]['result'];

/** The engine's side for one script. The signal aborts when the script is stopped. */
export type ScriptHost = {
  readonly [Name in HostCallName]: (
    params: HostCalls[Name]['params'],
    signal: AbortSignal,
  ) => Promise<HostCalls[Name]['result']>;
};
