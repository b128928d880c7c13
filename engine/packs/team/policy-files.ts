/**
 * Reads the policies in effect from the team file, the user's own file, the workspace and its products.
 */
import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { explainSystemError } from '../../base/system-trouble.ts';
import { productsFolder } from '../../language/flow/product-path.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import { maxPolicyLength, parsePolicy } from '../../runtime/governance/parse-policy.ts';
import {
  ineffectiveKeys,
  layersOfProducts,
  type PolicyLayer,
  type PolicyProblem,
  type PolicyScope,
  withoutPermissions,
} from '../../runtime/governance/policy-layer.ts';
import { isMissing } from '../../world/files/file-error.ts';
import type { Team, TeamSource } from './find-team.ts';

/** A policy for display. */
export interface PolicyFile {
  readonly scope: PolicyScope;
  /** Absolute path. */
  readonly path: string;
  readonly exists: boolean;
  /** Absent if the file does not exist or cannot be read, or if the policy belongs to the team. */
  readonly text?: string;
  readonly problems: readonly PolicyProblem[];
  /** Keys that have no effect, such as permissions in an untrusted workspace. */
  readonly warnings: readonly PolicyProblem[];
  /** For the scope `product`, the product whose runs the policy applies to. */
  readonly product?: string;
}

interface PolicyPlaces {
  /** Absolute path. */
  readonly workspace: string;
  /** Absolute path. */
  readonly baseFolder: string;
  readonly team: TeamSource;
  /** Returns whether policies in the workspace may grant permissions; otherwise they can only restrict. */
  readonly isTrusted: () => boolean;
  /** Texts written by runs that no person has seen. */
  readonly written: HeldTexts;
}

/** Finds policies that a run has written and no person has seen. */
interface HeldTexts {
  /** Returns the text to use in place of the current content; undefined for no policy. */
  held(path: string, text: string): string | undefined;
  /** Returns a value that changes when `held` may return a different result. */
  markOf(path: string): string;
}

/** The file in the root folder of a workspace. */
export const workspacePolicyName = 'millrace.policy.yaml';

export interface WorkspacePolicies {
  /** Returns the policies in effect; files are read again when they have changed. */
  readonly current: PolicySource;
  /** Absolute path of the user's own policy, whether or not it exists. */
  readonly personalPath: string;
  /** Returns all policies, including those of all products. */
  list(): readonly PolicyFile[];
}

/** Creates the reader for a workspace's policies. */
export function createPolicies({ workspace, baseFolder, team, isTrusted, written }: PolicyPlaces): WorkspacePolicies {
  const path = join(baseFolder, 'policy.yaml');
  const personal = createReader({ scope: 'personal', path, shown: 'policy.yaml', written });
  const ownPath = join(workspace, workspacePolicyName);
  const own = createReader({ scope: 'workspace', path: ownPath, shown: workspacePolicyName, written, isTrusted });
  const ofProduct = createProductReaders({ workspace, written, isTrusted });
  return {
    personalPath: path,
    current(products = []) {
      const layers = [
        teamLayer(team()),
        personal.layer(),
        own.layer(),
        ...products.map((one) => ofProduct(one).layer()),
      ];
      return layersOfProducts(
        layers.filter((layer) => layer !== undefined),
        products,
      );
    },
    list() {
      const current = team();
      const teams = current === undefined ? [] : [teamFile(current)];
      const products = foldersIn(join(workspace, productsFolder)).map((product) => ({
        ...ofProduct(product).file(),
        product,
      }));
      return [...teams, personal.file(), own.file(), ...products.filter(({ exists }) => exists)];
    },
  };
}

type PolicyReader = ReturnType<typeof createReader>;

/** Readers for products are created on first use. */
function createProductReaders({
  workspace,
  ...reading
}: Pick<PolicyPlaces, 'workspace' | 'isTrusted' | 'written'>): (product: string) => PolicyReader {
  const readers = new Map<string, PolicyReader>();
  return (product) => {
    let reader = readers.get(product);
    if (reader === undefined) {
      const shown = `${productsFolder}/${product}/policy.yaml`;
      reader = createReader({ scope: 'product', path: join(workspace, shown), shown, ...reading });
      readers.set(product, reader);
    }
    return reader;
  };
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

/** Cache duration in milliseconds. */
const keptMs = 100;

/**
 * Caches the result of `read` for a tenth of a second, because reading files before each effect would take longer than
 * many effects. Rules that apply at the start of a run are read again for each run.
 */
export function withShortCache<Value>(read: (of?: readonly string[]) => Value): (of?: readonly string[]) => Value {
  const kept = new Map<string, { readonly value: Value; readonly until: number }>();
  return (of) => {
    const key = of?.join('/') ?? '';
    const now = performance.now();
    const known = kept.get(key);
    if (known !== undefined && now < known.until) return known.value;
    const value = read(of);
    kept.set(key, { value, until: now + keptMs });
    return value;
  };
}

function teamLayer(team: Team | undefined): PolicyLayer | undefined {
  return team?.policy === undefined ? undefined : { scope: 'team', file: team.file, policy: team.policy };
}

function teamFile({ file, diagnostics }: Team): PolicyFile {
  const problems = diagnostics.map(({ range: { line, column }, message }) => ({ line, column, message }));
  return { scope: 'team', path: file, exists: true, problems, warnings: [] };
}

interface ParsedPolicyFile {
  readonly text?: string;
  readonly layer: PolicyLayer | undefined;
  readonly problems: readonly PolicyProblem[];
}

interface PolicyFileLocation {
  readonly scope: PolicyScope;
  /** Absolute path. */
  readonly path: string;
  /** Name for locations in messages. */
  readonly shown: string;
  readonly written: HeldTexts;
  /** Absent for policies outside the workspace. */
  readonly isTrusted?: () => boolean;
}

function createReader({ isTrusted = () => true, ...place }: PolicyFileLocation) {
  const { scope, path, written } = place;
  let last: { readonly mark: string; readonly read: ParsedPolicyFile } | undefined;
  const read = (): ParsedPolicyFile => {
    const trusted = isTrusted();
    const mark = `${trusted} ${markOf(path)} ${written.markOf(path)}`;
    if (last?.mark !== mark) {
      const found = readPolicy(place);
      last = { mark, read: trusted ? found : restricting(found) };
    }
    return last.read;
  };
  return {
    layer: () => read().layer,
    file(): PolicyFile {
      const { text, layer, problems } = read();
      const warnings = layer?.policy === undefined ? [] : ineffectiveKeys(layer.policy);
      return { scope, path, exists: layer !== undefined, ...(text === undefined ? {} : { text }), problems, warnings };
    },
  };
}

function restricting(read: ParsedPolicyFile): ParsedPolicyFile {
  const { layer } = read;
  if (layer?.policy === undefined) return read;
  return { ...read, layer: { ...layer, policy: withoutPermissions(layer.policy) } };
}

function markOf(path: string): string {
  try {
    const state = stateOf(path);
    return state === undefined ? 'none' : [state.ino, state.size, state.mtimeMs, state.ctimeMs].join(' ');
  } catch {
    return 'unreadable';
  }
}

/**
 * Returns the stats of a symbolic link's target, or of the link itself if it is broken, because a policy was intended
 * there.
 */
function stateOf(path: string): Stats | undefined {
  const quiet = { throwIfNoEntry: false };
  return statSync(path, quiet) ?? lstatSync(path, quiet);
}

function readPolicy({ scope, path, shown: file, written }: Omit<PolicyFileLocation, 'isTrusted'>): ParsedPolicyFile {
  const closed = (problems: readonly PolicyProblem[], text?: string): ParsedPolicyFile => ({
    ...(text === undefined ? {} : { text }),
    layer: { scope, file, policy: undefined, ...(problems[0] === undefined ? {} : { problem: problems[0] }) },
    problems,
  });
  try {
    const state = stateOf(path);
    if (state === undefined) return { layer: undefined, problems: [] };
    if (state.isSymbolicLink()) return closed([atStart('The target of the link does not exist.')]);
    if (!state.isFile()) return closed([atStart('This is not a regular file.')]);
    if (state.size > maxPolicyLength) return closed([atStart('The file is larger than 1 MiB.')]);
    const text = written.held(path, readFileSync(path, 'utf8'));
    if (text === undefined) return { layer: undefined, problems: [] };
    const { policy, problems } = parsePolicy(text, scope);
    return policy === undefined ? closed(problems, text) : { text, layer: { scope, file, policy }, problems };
  } catch (error) {
    if (isMissing(error)) return { layer: undefined, problems: [] };
    return closed([atStart(`The file cannot be read. ${explainSystemError(error) ?? String(error)}`)]);
  }
}

function atStart(message: string): PolicyProblem {
  return { line: 1, column: 1, message };
}
