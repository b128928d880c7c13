/**
 * Scripts of agents: Lua, with the engine as their host.
 */
import { basename } from 'node:path';
import { isJsonMap } from '../flowspec/json-value.ts';
import type { ScriptScope, ScriptsCapability } from '../kernel/capabilities.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import type { LuaRuntime } from '../lua/lua-runtime.ts';

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
};

/** The media type of a file of that name; `application/octet-stream` for an unknown ending. */
function mediaTypeOf(fileName: string): string {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return types[ending] ?? 'application/octet-stream';
}

/**
 * Makes the ability to run scripts.
 * @param hostOf what a script may ask of the engine, in its own name
 */
export function createScripts(
  lua: Pick<LuaRuntime, 'run'>,
  hostOf: (scope: ScriptScope) => ScriptHost,
): ScriptsCapability {
  return {
    async run({ code, globals, timeoutMs }, scope, signal) {
      const { CTX: scriptContext, ...variables } = globals;
      const script = {
        code,
        chunkName: scope.place.shownPath,
        globals: variables,
        scriptContext: isJsonMap(scriptContext) ? scriptContext : {},
      };
      return await lua.run(script, hostOf(scope), { signal, timeoutMs });
    },
    async readAttachment(path, scope, signal) {
      const { bytes } = await hostOf(scope)['file.readBytes']({ path }, signal);
      const fileName = basename(path);
      return { fileName, mediaType: mediaTypeOf(fileName), base64: Buffer.from(bytes).toString('base64') };
    },
  };
}
