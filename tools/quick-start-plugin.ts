/**
 * Writes the command line's CommonJS files in the format that starts fastest. `engine/cli/code-cache.ts` loads them.
 */
import type { Plugin } from 'vite';

/** Modules of Node that take long to load and that most commands never use. */
const slowModules =
  'child_process dgram dns dns/promises http http2 https net perf_hooks readline readline/promises tls worker_threads zlib';

const slowNames: ReadonlySet<string> = new Set(slowModules.split(' ').map((name) => `node:${name}`));

/**
 * The wrapper that Node puts around a CommonJS file. Including it in the file avoids a copy of the text at each start.
 */
const head = '(function(exports,require,module,__filename,__dirname){';
const tail = '\n})';

/**
 * Escapes non-ASCII characters, which occur only in strings, templates, regular expressions and comments. A single one
 * would double the memory that V8 needs for the whole text.
 */
export function toAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Makes slow modules of Node load when one of their members is first used. */
export function requireLate(code: string): string {
  // The next line wraps a module if its default export is imported.
  const declaration = /\b(?:let|const|var) (\w+)\s*=\s*require\("(node:[\w/]+)"\);(\s*\1\s*=\s*[\w$.]+\(\1, 1\);)?/g;
  return code.replace(declaration, (whole, name: string, id: string, wrapping?: string) => {
    if (!slowNames.has(id)) return whole;
    const rest = code.replace(whole, '');
    const uses = [...rest.matchAll(new RegExp(`(?<![\\w$.])${name}\\b(?:\\.(\\w+))?`, 'g'))].map(
      ([, member]) => member,
    );
    // Any use other than a member access needs the whole module.
    if (uses.includes(undefined)) return whole;
    const isDefault = wrapping !== undefined;
    if (isDefault && uses.some((member) => member !== 'default')) return whole;
    const getters = [...new Set(uses)].map(
      (member) => `get ${member}(){return require("${id}")${isDefault ? '' : `.${member}`}}`,
    );
    // Keeps the number of lines, so that source maps stay correct.
    return `let ${name}={${getters.join(',')}};${wrapping === undefined ? '' : '\n'}`;
  });
}

/**
 * Makes chunks of the program load when one of their members is first used.
 * @param names names of those chunks
 */
export function loadLate(code: string, names: readonly string[]): string {
  return names.reduce((text, chunk) => {
    const name = `require_${chunk.replaceAll('-', '_')}`;
    // A chunk that only re-exports another one need not load it itself.
    const passedOn = new RegExp(`^require\\("\\./(?:chunks/)?${chunk}-[^"/]+"\\);`, 'm');
    const own = text.replace(passedOn, '');
    const declaration = new RegExp(`\\bconst ${name}\\s*=\\s*(require\\("\\.[^"]+"\\));`);
    const [whole, load] = declaration.exec(own) ?? [];
    // Any use other than a member access needs the whole chunk.
    if (whole === undefined || new RegExp(`\\b${name}\\b(?!\\.|\\s*=)`).test(own)) return own;
    return own.replace(whole, `let ${name};`).replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `(${name}??=${load}).`);
  }, code);
}

/** Makes slow modules of Node load in each file when one of their members is first used. */
export function slowModulesLate(): Plugin {
  return { name: 'slow-modules-late', renderChunk: (code) => ({ code: requireLate(code), map: null }) };
}

/**
 * @param entry name of the file that Node loads itself
 * @param late names of chunks that load when one of their members is first used
 */
export function quickStart(entry: string, late: readonly string[]): Plugin {
  return {
    name: 'quick-start',
    // At this stage names are still derived from the modules. Later, the minifier shortens them.
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
