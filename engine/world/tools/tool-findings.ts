/**
 * Finds problems with the tools that a flow names: unknown names, invalid manifests, and literal parameters that do not
 * match. Nothing is started, so MCP tools may be unknown.
 */
import { holdsBinding } from '../../language/bindings/bindings.ts';
import type { Diagnostic, DiagnosticCode } from '../../language/findings/diagnostic.ts';
import { validateFlow } from '../../language/findings/validate-flow.ts';
import { isTypeProblem } from '../../language/flow/check-flow.ts';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import { noSchemaFiles } from '../../language/flow/schema-files.ts';
import { isJsonList, type JsonMap } from '../../language/json/json-value.ts';
import type { ValuePath } from '../../language/schema/schema-problems.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import type { AnswersCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import { type ToolDescription, wholeToolNames } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { FoundManifest } from './manifest-tools.ts';
import { misfitText, schemaCheckOf } from './schema-check.ts';
import { type RunnableTool, unknownTool } from './tool-source.ts';
import { callsFlow } from './tools-of-products.ts';

/** The tools known without starting anything. */
export interface KnownTools {
  readonly core: () => Promise<readonly RunnableTool[]>;
  /** Returns workspace and pack tools. @param pack only this pack's tools; `''` for only the workspace's */
  readonly manifests: (pack?: string) => Promise<readonly FoundManifest[]>;
  readonly serverNames: () => Promise<readonly string[]>;
  readonly answers: AnswersCapability;
  readonly catalog: NodeTypeCatalog;
}

/** A tool that a node names. */
interface NamedTool {
  readonly nodeId: string;
  readonly name: string;
  readonly path: ValuePath;
  /** The call's literal parameters, and the path to them. */
  readonly params?: JsonMap;
  readonly paramsPath?: ValuePath;
}

const never = new AbortController().signal;

/** Returns the tools that a flow's nodes name literally. */
function toolsNamedIn({ nodes }: FlowDoc): readonly NamedTool[] {
  return nodes.flatMap(({ id: nodeId, type, config = {}, input }, index): readonly NamedTool[] => {
    const { tool, tools = [] } = config;
    const path: ValuePath = ['nodes', index, 'config'];
    if (type === 'tool' && typeof tool === 'string' && tool !== '') {
      const fixed = holdsBinding(input) ? {} : { params: input, paramsPath: ['nodes', index, 'input'] };
      return [{ nodeId, name: tool, path: [...path, 'tool'], ...fixed }];
    }
    if (type !== 'prompt' || !isJsonList(tools)) return [];
    return tools.flatMap((name, at) =>
      typeof name === 'string' ? [{ nodeId, name, path: [...path, 'tools', at] }] : [],
    );
  });
}

/**
 * Returns the problems of a flow's tools in node order. @param flow `path` is relative to the workspace with forward
 * slashes
 */
export async function findToolProblems(
  { doc, text, path }: { readonly doc: FlowDoc | null; readonly text: string; readonly path: string },
  known: KnownTools,
): Promise<readonly Diagnostic[]> {
  const named = doc === null ? [] : toolsNamedIn(doc);
  const caller = { product: productOfPath(path), hasSteps: doc?.steps !== undefined };
  const problems = await Promise.all(named.map((one) => problemOf(one, caller, known)));
  if (problems.every((problem) => problem === undefined)) {
    return caller.hasSteps ? [] : await findTypeProblems(text, named, known);
  }
  const parsed = parseFlow(text);
  return problems.flatMap((problem, index): Diagnostic[] => {
    const { nodeId } = named[index] ?? {};
    if (problem === undefined || nodeId === undefined) return [];
    const { code, message, path } = problem;
    return [{ code, severity: 'error', message, range: parsed.problemRange(path), nodeId }];
  });
}

/** Returns type errors about the output that tools declare in their manifests. */
async function findTypeProblems(
  text: string,
  named: readonly NamedTool[],
  known: KnownTools,
): Promise<readonly Diagnostic[]> {
  const names = new Set(named.map(({ name }) => name));
  const manifests = await Promise.all([...names].map((name) => known.manifests(groupOf(name))));
  const all = [...(await known.core()), ...manifests.flat().flatMap(({ tool }) => tool ?? [])];
  const tools = new Map(
    all.flatMap(({ description: { name, outputSchema } }) =>
      names.has(name) && outputSchema !== undefined ? [[name, outputSchema] as const] : [],
    ),
  );
  if (tools.size === 0) return [];
  const parsed = parseFlow(text);
  const errors = (outputs: { readonly tools?: typeof tools }): readonly Diagnostic[] =>
    validateFlow(parsed, known.catalog, noSchemaFiles, outputs).filter(
      (one) => one.severity === 'error' && isTypeProblem(one),
    );
  const others = new Set(errors({}).map((one) => JSON.stringify(one)));
  return errors({ tools }).filter((one) => !others.has(JSON.stringify(one)));
}

interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly path: ValuePath;
  /** The tool does not exist, not even as an unusable tool. */
  readonly isUnknown?: true;
}

/** The flow that names tools. */
interface ToolFindingContext {
  readonly product: string | undefined;
  readonly hasSteps: boolean;
}

/** A step with an unknown tool fails only when it starts. */
async function problemOf(
  named: NamedTool,
  caller: ToolFindingContext,
  known: KnownTools,
): Promise<Problem | undefined> {
  const { product, hasSteps } = caller;
  if (!hasSteps) return await problemOfName(named, product, known);
  for (const name of wholeToolNames(named.name, product)) {
    const found = await problemOfName({ ...named, name }, product, known);
    if (found?.isUnknown !== true) return found;
  }
  return undefined;
}

async function problemOfName(
  named: NamedTool,
  product: string | undefined,
  known: KnownTools,
): Promise<Problem | undefined> {
  const { name, path } = named;
  const group = groupOf(name);
  if ((await known.serverNames()).includes(group)) return undefined;
  const [core, manifests] = await Promise.all([known.core(), known.manifests(group)]);
  const own = manifests.flatMap(({ tool }) => tool ?? []);
  const all = [...core, ...own].map(({ description }) => description);
  if (name.endsWith('.*')) {
    if (all.some((one) => one.name.startsWith(`${group}.`))) return undefined;
  } else {
    const found = all.find((one) => one.name === name);
    if (found?.kind === 'flow' && product !== undefined)
      return { code: 'product.calls-flow', message: callsFlow(name), path };
    if (found !== undefined) return await misfit(named, found, known);
    const broken = manifests.find((one) => one.name === name);
    if (broken !== undefined) return { code: 'node.unknown-tool', message: brokenText(broken), path };
  }
  const others = [...core, ...(await known.manifests()).flatMap(({ tool }) => tool ?? [])];
  const names = others.map(({ description }) => description.name);
  return { code: 'node.unknown-tool', message: unknownTool(name, names).message, path, isUnknown: true };
}

/** Returns a tool's pack or server; empty for a workspace tool. */
function groupOf(name: string): string {
  return name.includes('.') ? (name.split('.')[0] ?? '') : '';
}

function brokenText({ name, path, diagnostics }: FoundManifest): string {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  return `The tool "${name}" cannot be used: ${path}:${first?.range.line ?? 1}: ${first?.message ?? ''}`;
}

async function misfit(
  { params, paramsPath }: NamedTool,
  { name, inputSchema }: ToolDescription,
  { answers }: KnownTools,
): Promise<Problem | undefined> {
  if (params === undefined || paramsPath === undefined) return undefined;
  // A schema that takes too long is checked again when the tool is called.
  const problems = await schemaCheckOf(inputSchema, answers)(params, never).catch(() => []);
  const [first] = problems;
  if (first === undefined) return undefined;
  const inside = first.pointer.split('/').slice(1);
  const message = `The parameters of ${name} do not match its schema: ${misfitText(problems)}.`;
  return { code: 'node.tool-params', message, path: [...paramsPath, ...inside] };
}
