/**
 * The built-in tools: workspace files, the web, JSON, and search.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { FilesCapability } from '../../runtime/kernel/capabilities/files-capability.ts';
import type { ToolDescription, ToolTags } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { WebCapability } from '../../runtime/kernel/capabilities/web-capability.ts';
import { gated } from './gated.ts';
import { failureOfStatus } from './http-status.ts';
import { type RunnableTool, ToolFailure, type ToolLimits, type ToolSource } from './tool-source.ts';

/** A match of a text search in the workspace. */
export interface WorkspaceTextMatch {
  /** Path relative to the workspace, with forward slashes. */
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  /** The line, or part of it. */
  readonly text: string;
}

export interface WorkspaceTextQuery {
  readonly text: string;
  readonly isRegExp: boolean;
  readonly isCaseSensitive: boolean;
  /** Comma-separated globs; `''` for all files. */
  readonly include: string;
}

/** Dependencies of the core tools. */
export interface CoreToolWorld {
  readonly files: FilesCapability;
  readonly web: WebCapability;
  /** Returns the sorted paths that match a glob, relative to the workspace. @throws EngineError `files.*` */
  readonly listFiles: (glob: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Searches the workspace's text. @throws EngineError `files.*` */
  readonly searchTexts: (
    search: WorkspaceTextQuery,
    signal: AbortSignal,
  ) => Promise<{ readonly matches: readonly WorkspaceTextMatch[]; readonly isCut: boolean }>;
}

const usualMs = 60_000;
const mostPaths = 2_000;
const mostMatches = 200;
const mostBytes = 5 * 1024 * 1024;

const nothing: ToolTags = {
  accessesPrivateData: false,
  receivesUntrustedInput: false,
  communicatesExternally: false,
};
const privateData: ToolTags = { ...nothing, accessesPrivateData: true };

/** Creates the source of the core tools. */
export function createCoreTools(world: CoreToolWorld): ToolSource {
  const tools = [fileRead(world), fileList(world), fileWrite(world), httpGet(world), jsonQuery(), textSearch(world)];
  const byName = new Map(tools.map((tool) => [tool.description.name, tool]));
  return { list: async () => tools, find: async (name) => byName.get(name) };
}

type CoreDescription = Pick<ToolDescription, 'name' | 'title' | 'description' | 'inputSchema' | 'tags'> & {
  readonly outputSchema: JsonMap;
  readonly risk?: ToolDescription['risk'];
};

function core(
  description: CoreDescription,
  run: RunnableTool['run'],
  more: { readonly onlyReads?: true; readonly limits?: ToolLimits } = {},
): RunnableTool {
  const name = `core.${description.name}`;
  return {
    description: {
      risk: 'low',
      effects: 'idempotent',
      requiresApproval: false,
      ...description,
      name,
      kind: 'core',
      source: 'core',
    },
    limits: { timeoutMs: usualMs },
    ...more,
    run,
  };
}

const text = (description: string): JsonMap => ({ type: 'string', description });

/** Returns the schema of an object with only these properties. */
function fields(properties: JsonMap, required: readonly string[]): JsonMap {
  return { type: 'object', properties, required, additionalProperties: false };
}

function fileRead({ files }: CoreToolWorld): RunnableTool {
  return core(
    {
      name: 'file_read',
      title: 'Read file',
      description: 'Reads a text file in the workspace.',
      inputSchema: fields({ path: text('Path of the file, relative to the workspace') }, ['path']),
      outputSchema: fields({ path: text('Path of the file'), text: text('Content of the file') }, ['path', 'text']),
      tags: privateData,
    },
    async ({ path }, context) => ({
      ...(await gated({ files }, context).files.readText(String(path), context.signal)),
    }),
    { onlyReads: true },
  );
}

function fileList({ listFiles }: CoreToolWorld): RunnableTool {
  return core(
    {
      name: 'file_list',
      title: 'List files',
      description: 'Lists workspace files that match a glob such as docs/**/*.md; ** matches nested folders.',
      inputSchema: fields({ glob: { ...text('Glob of the files; default: all workspace files'), default: '**' } }, []),
      outputSchema: fields(
        {
          paths: { type: 'array', items: { type: 'string' }, description: 'Paths relative to the workspace' },
          is_cut: { type: 'boolean', description: `Whether there are more than ${mostPaths} files` },
        },
        ['paths', 'is_cut'],
      ),
      tags: privateData,
    },
    async ({ glob = '**' }, { signal, gate }) => {
      await gate?.pass({ effect: 'read', target: String(glob) }, signal);
      const paths = await listFiles(String(glob), signal);
      return { paths: paths.slice(0, mostPaths), is_cut: paths.length > mostPaths };
    },
    { onlyReads: true },
  );
}

function fileWrite({ files }: CoreToolWorld): RunnableTool {
  return core(
    {
      name: 'file_write',
      title: 'Write file',
      description: 'Creates a text file in the workspace, or replaces its content.',
      inputSchema: fields(
        { path: text('Path of the file, relative to the workspace'), text: text('New content of the file') },
        ['path', 'text'],
      ),
      outputSchema: fields({ path: text('Path of the file'), size_bytes: { type: 'integer' } }, ['path', 'size_bytes']),
      risk: 'medium',
      tags: nothing,
    },
    async (params, context) => {
      const own = files.forRun?.(context.hub.rootRunId) ?? files;
      const { path, sizeBytes } = await gated({ files: own }, context).files.writeText(
        String(params['path']),
        String(params['text']),
        'overwrite',
      );
      return { path, size_bytes: sizeBytes };
    },
  );
}

function httpGet({ web }: CoreToolWorld): RunnableTool {
  return core(
    {
      name: 'http_get',
      title: 'Get web page',
      description: 'Sends a GET request to a web server and returns the response as text.',
      inputSchema: fields(
        {
          url: text('URL that begins with http:// or https://'),
          headers: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Headers to send, by name',
          },
        },
        ['url'],
      ),
      outputSchema: fields(
        {
          status: { type: 'integer' },
          url: text('URL of the response, after redirects'),
          body: text('Body of the response'),
        },
        ['status', 'url', 'body'],
      ),
      risk: 'medium',
      tags: { ...nothing, receivesUntrustedInput: true, communicatesExternally: true },
    },
    async (params, context) => {
      const { signal, secrets } = context;
      const url = String(params['url']);
      const headers = (params['headers'] ?? {}) as Readonly<Record<string, string>>;
      const own = secrets === undefined ? {} : { secrets };
      const request = { url, method: 'GET', headers, body: undefined, maxBytes: mostBytes, ...own };
      const answer = await gated({ web }, context).web.send(request, signal);
      const failed = failureOfStatus(answer);
      if (failed !== undefined) throw failed;
      return { status: answer.status, url: answer.url ?? url, body: answer.text };
    },
    { limits: { timeoutMs: usualMs, maxRetries: 1 } },
  );
}

function jsonQuery(): RunnableTool {
  return core(
    {
      name: 'json_query',
      title: 'Query JSON',
      description: 'Selects values from a list or a map with a JSONPath query (RFC 9535) such as $.items[*].name.',
      inputSchema: fields({ value: { description: 'List or map to query' }, path: text('JSONPath query') }, [
        'value',
        'path',
      ]),
      outputSchema: fields(
        { value: { description: 'All matches as a list; for a path to a single value, that value or null' } },
        ['value'],
      ),
      tags: nothing,
    },
    async (params, { clock, signal }) => {
      const [{ pathProblem }, { queryInTurns }] = await loadQueries();
      const path = String(params['path']);
      const problem = pathProblem(path);
      if (problem !== undefined) throw new ToolFailure('validation_error', `path: ${JSON.stringify(path)} ${problem}.`);
      return { value: await queryInTurns(path, params['value'] ?? null, { clock, signal }) };
    },
    { onlyReads: true },
  );
}

type Queries = [
  typeof import('../../language/json/json-path/json-path.ts'),
  typeof import('../../language/json/json-path/query-in-turns.ts'),
];
let queries: Promise<Queries> | undefined;

/**
 * Loaded once, when first needed: most runs have no query, and loading modules for each call takes longer than the
 * query.
 */
function loadQueries(): Promise<Queries> {
  queries ??= Promise.all([
    import('../../language/json/json-path/json-path.ts'),
    import('../../language/json/json-path/query-in-turns.ts'),
  ]);
  return queries;
}

function textSearch({ searchTexts }: CoreToolWorld): RunnableTool {
  const match = fields(
    { path: text('Path of the file'), line: { type: 'integer' }, text: text('Content of the line') },
    [...['path', 'line', 'text']],
  );
  return core(
    {
      name: 'text_search',
      title: 'Search texts',
      description: "Finds lines in the workspace's text files.",
      inputSchema: fields(
        {
          text: { ...text('Text to find within single lines'), minLength: 1 },
          glob: text('Glob of the files, for example *.md; default: all files'),
          is_regexp: { type: 'boolean', description: 'Whether the text is a regular expression' },
          is_case_sensitive: { type: 'boolean', description: 'Whether matching is case-sensitive' },
        },
        ['text'],
      ),
      outputSchema: fields(
        {
          matches: { type: 'array', items: match },
          is_cut: { type: 'boolean', description: 'Whether there may be more matches' },
        },
        ['matches', 'is_cut'],
      ),
      tags: privateData,
    },
    async (params, { signal, gate }) => {
      await gate?.pass({ effect: 'read', target: String(params['glob'] ?? '**') }, signal);
      const search = {
        text: String(params['text']),
        isRegExp: params['is_regexp'] === true,
        isCaseSensitive: params['is_case_sensitive'] === true,
        include: String(params['glob'] ?? ''),
      };
      const { matches, isCut } = await searchTexts(search, signal);
      const shown = matches.slice(0, mostMatches).map((one): JsonValue => ({ ...one }));
      return { matches: shown, is_cut: isCut || matches.length > mostMatches };
    },
    { onlyReads: true },
  );
}
