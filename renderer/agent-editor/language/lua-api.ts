/**
 * The `aip` API for editors. The engine's tests generate the data from the functions themselves.
 */
import data from './lua-api.json';

/** A parameter as written in signatures, for example `path: string` or `options?: table`. */
interface ApiParameter {
  readonly text: string;
  readonly name: string;
}

/** A function or a constant of a module. */
export interface LuaApiMember {
  /** Name with its module, for example `aip.file.load`. */
  readonly fullName: string;
  readonly name: string;
  /** Signature without the module, for example `load(path: string) -> FileRecord`. */
  readonly signature: string;
  readonly summary: string;
  /** Null for a constant. */
  readonly parameters: readonly ApiParameter[] | null;
  /** Return type, for example `FileRecord`. */
  readonly returns: string;
}

export interface LuaApiModule {
  readonly name: string;
  readonly summary: string;
  readonly members: ReadonlyMap<string, LuaApiMember>;
  /** Whether the module is a function itself, its only member. */
  readonly isFunction: boolean;
}

interface ApiModuleText {
  readonly summary: string;
  readonly isFunction?: boolean;
  readonly members: Readonly<Record<string, ApiText>>;
}

type ApiData = Readonly<Record<string, ApiModuleText>>;

interface ApiText {
  readonly signature: string;
  readonly summary: string;
}

/** All modules by name, in the order of the reference. */
export const apiModules: ReadonlyMap<string, LuaApiModule> = new Map(
  Object.entries(data as ApiData).map(([name, { summary, members, isFunction = false }]) => {
    const owner = isFunction ? 'aip' : `aip.${name}`;
    const all = new Map(Object.entries(members).map(([member, text]) => [member, memberOf(owner, member, text)]));
    return [name, { name, summary, isFunction, members: all }];
  }),
);

/** Returns the member for a chain of names such as `['aip', 'file', 'load']`; undefined if there is none. */
export function memberAt(chain: readonly string[]): LuaApiMember | undefined {
  const [root, name = '', member, ...further] = chain;
  if ((root !== 'aip' && root !== 'utils') || further.length > 0) return undefined;
  const module = apiModules.get(name);
  if (module?.isFunction === true) return member === undefined ? module.members.get(name) : undefined;
  return module?.members.get(member ?? '');
}

function memberOf(owner: string, name: string, { signature, summary }: ApiText): LuaApiMember {
  const fullName = `${owner}.${name}`;
  if (!signature.startsWith(`${name}(`)) {
    const returns = signature.slice(signature.indexOf(':') + 1).trim();
    return { fullName, name, signature, summary, parameters: null, returns };
  }
  const end = closingOf(signature, name.length);
  const returns = signature.slice(end + 1).replace(/^\s*->\s*/, '');
  return {
    fullName,
    name,
    signature,
    summary,
    parameters: parametersOf(signature.slice(name.length + 1, end)),
    returns,
  };
}

/** Returns the position that closes the parenthesis at `open`. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if ('({['.includes(text[at] ?? '')) depth += 1;
    if (')}]'.includes(text[at] ?? '')) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function parametersOf(text: string): ApiParameter[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if ('({['.includes(text[at] ?? ' ')) at = closingOf(text, at);
    else if (at === text.length || text[at] === ',') {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts
    .filter((part) => part !== '')
    .map((part) => ({ text: part, name: /^(?:\.\.\.)?\w*/.exec(part)?.[0] ?? part }));
}
