/**
 * Writes the command line's CommonJS files in the form that starts fastest. `engine/cli/code-cache.ts` loads them.
 */
import type { Plugin } from 'vite';

/** Modules of Node that take long to load and that most commands never use. */
const slowModules =
  'child_process dgram dns dns/promises http http2 https net perf_hooks readline readline/promises tls worker_threads zlib';

const slowNames: ReadonlySet<string> = new Set(slowModules.split(' ').map((name) => `node:${name}`));

/** What Node puts around a CommonJS file. In the file itself, it saves a copy of the text at each start. */
const head = '(function(exports,require,module,__filename,__dirname){';
const tail = '\n})';

/**
 * Escapes characters beyond ASCII, which are found only in strings, templates, patterns and comments. One of them would double the memory
 * that V8 needs for the whole text.
 */
export function toAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Makes slow modules of Node load when something of them is first used. */
export function requireLate(code: string): string {
  // The line that follows wraps a module if its default export is imported.
  const declaration = /\b(?:let|const|var) (\w+)\s*=\s*require\("(node:[\w/]+)"\);(\s*\1\s*=\s*[\w$.]+\(\1, 1\);)?/g;
  return code.replace(declaration, (whole, name: string, id: string, wrapping?: string) => {
    if (!slowNames.has(id)) return whole;
    const rest = code.replace(whole, '');
    const uses = [...rest.matchAll(new RegExp(`(?<![\\w$.])${name}\\b(?:\\.(\\w+))?`, 'g'))].map(
      ([, member]) => member,
    );
    // Anything that is not a member needs the module as a whole.
    if (uses.includes(undefined)) return whole;
    const isDefault = wrapping !== undefined;
    if (isDefault && uses.some((member) => member !== 'default')) return whole;
    const getters = [...new Set(uses)].map(
      (member) => `get ${member}(){return require("${id}")${isDefault ? '' : `.${member}`}}`,
    );
    // As many lines as before, so that source maps stay right.
    return `let ${name}={${getters.join(',')}};${wrapping === undefined ? '' : '\n'}`;
  });
}

/**
 * Makes chunks of the program load when something of them is first used.
 * @param names of those chunks
 */
export function loadLate(code: string, names: readonly string[]): string {
  return names.reduce((text, chunk) => {
    const name = `require_${chunk.replaceAll('-', '_')}`;
    // A chunk that only passes on what another one exports has nothing to load for itself.
    const passedOn = new RegExp(`^require\\("\\./(?:chunks/)?${chunk}-[^"/]+"\\);`, 'm');
    const own = text.replace(passedOn, '');
    const declaration = new RegExp(`\\bconst ${name}\\s*=\\s*(require\\("\\.[^"]+"\\));`);
    const [whole, load] = declaration.exec(own) ?? [];
    // Anything but a member needs the chunk as a whole.
    if (whole === undefined || new RegExp(`\\b${name}\\b(?!\\.|\\s*=)`).test(own)) return own;
    return own.replace(whole, `let ${name};`).replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `(${name}??=${load}).`);
  }, code);
}

/** Makes slow modules of Node load when something of them is first used, in each file. */
export function slowModulesLate(): Plugin {
  return { name: 'slow-modules-late', renderChunk: (code) => ({ code: requireLate(code), map: null }) };
}

/**
 * @param entry name of the file that Node loads itself
 * @param late names of chunks that load when something of them is first used
 */
export function quickStart(entry: string, late: readonly string[]): Plugin {
  return {
    name: 'quick-start',
    // Names are still those of the modules here; later, the minifier shortens them.
    renderChunk: (code) => ({ code: loadLate(requireLate(code), late), map: null }),
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const start = chunks.find(({ name, isEntry }) => isEntry && name === entry);
      for (const chunk of chunks) {
        const code = toAscii(chunk.code);
        const isOfNode = chunk === start || start?.imports.includes(chunk.fileName);
        chunk.code = isOfNode ? code : `${head}${code}${tail}`;
      }
    },
  };
}
