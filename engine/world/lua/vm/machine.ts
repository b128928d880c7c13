/**
 * Runs scripts one after the other, each in a new Lua interpreter. One instance per thread. The interpreter is created
 * once and saved as a memory image from which each script starts.
 */
import { toErrorRecord } from '../../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { ScriptOutcome } from '../../workers/worker-protocol.ts';
import { type ApiModule, LuaResults, type LuaValue } from '../api-module.ts';
import type { HostCaller } from '../host-calls.ts';
import { createErrorValues, type ErrorValues } from './error-values.ts';
import { createLibrary, describeKey, type Library } from './library.ts';
import { createLuaCore, type LuaCore } from './lua-core.ts';
import { type LuaMemoryImage, takeMemoryImage } from './lua-wasm.ts';
import { createNatives, type Native, type Natives } from './natives.ts';
import {
  createFrameReader,
  type FrameReader,
  type RaisedError,
  recordBadResult,
  recordRaised,
  type StackFrame,
} from './script-failure.ts';
import { LuaValueError } from './values.ts';
import { type LuaState, luaStatus, registryIndex } from './wasm-exports.ts';

function notFound(module: string): string {
  const file = module.replaceAll('.', '/');
  const folders = 'next to the agent file or in its pack';
  return `module '${module}' not found:\n\tno file 'lua/${file}.lua' ${folders}\n\tno file 'lua/${file}/init.lua' ${folders}`;
}

/** @param onSource receives the text of each module that a script loads, and its file */
function createInternals(
  { text }: LuaCore,
  errors: ErrorValues,
  onSource: (file: string, source: string) => void,
): Readonly<Record<string, Native>> {
  return {
    log: {
      name: 'print',
      call: ([line], { host }) => {
        host('log', { level: 'print', text: String(line ?? '') });
        return undefined;
      },
    },
    require_source: {
      name: 'require',
      call: ([name], { host }) => {
        const module = String(name);
        const found = host('script.require', { module });
        if (found === null) return new LuaResults(undefined, notFound(module));
        onSource(found.file, found.source);
        return new LuaResults(found.source, found.file);
      },
    },
    /** Processor time is not available on a thread; the time since its start serves the same purpose. */
    clock: { name: 'os.clock', call: () => performance.now() / 1000 },
    error_message: {
      name: 'tostring',
      onStack: (L) => {
        text.push(L, errors.read(L, 1)?.message ?? 'error');
        return 1;
      },
    },
  };
}

export interface MachineScript {
  readonly code: string;
  /** The file's name, for messages. */
  readonly chunkName: string;
  /** The script's variables; `null` becomes nil. */
  readonly globals: JsonMap;
  /** Value of `CTX`. */
  readonly scriptContext: JsonMap;
  /** Set for agents with the pure contract: no function in `aip` accesses anything outside the script. */
  readonly isPure?: true;
  readonly memoryBytes: number;
}

export interface LuaInterpreter {
  /** Runs a script. @throws unknown if the interpreter is broken and must not be used again */
  run(script: MachineScript, host: HostCaller): ScriptOutcome;
  /** Returns Lua's memory usage in bytes. It never shrinks. */
  memorySize(): number;
}

/** State of the running script. */
interface LuaJob {
  readonly script: MachineScript;
  readonly sources: Map<string, string>;
  frames: StackFrame[];
  outcome?: ScriptOutcome;
}

/**
 * Whether a script may have objects with finalizers, which run when the state is closed. Otherwise closing is skipped:
 * it only frees objects that the image overwrites before the next script, and takes more than a third of a short
 * script's run time.
 */
function mayFinalize({ sources }: LuaJob): boolean {
  for (const source of sources.values()) if (source.includes('__gc')) return true;
  return false;
}

/** Size of the module's memory before any script runs. */
const baseMemory = 16 * 2 ** 20;

const kinds: Readonly<Record<number, RaisedError['kind']>> = {
  [luaStatus.syntax]: 'syntax',
  [luaStatus.memory]: 'memory',
};

class LuaMachine implements LuaInterpreter {
  readonly #core: LuaCore;
  readonly #errors: ErrorValues;
  readonly #natives: Natives;
  readonly #library: Library;
  readonly #readFrames: FrameReader;
  readonly #body: number;
  readonly #handler: number;
  readonly #state: LuaState;
  readonly #image: LuaMemoryImage;
  #job: LuaJob | undefined;

  constructor(module: WebAssembly.Module, modules: readonly ApiModule[]) {
    const core = createLuaCore(module);
    this.#core = core;
    this.#errors = createErrorValues(core);
    this.#natives = createNatives(core, this.#errors);
    const internals = createInternals(core, this.#errors, (file, source) => this.#job?.sources.set(`@${file}`, source));
    const { wasm } = core;
    this.#library = createLibrary({ core, natives: this.#natives, errors: this.#errors, modules, internals });
    this.#readFrames = createFrameReader(core);
    this.#body = wasm.addFunction((L) => this.#runBody(L));
    this.#handler = wasm.addFunction((L) => {
      if (this.#job !== undefined) this.#job.frames = this.#readFrames(L);
      return 1;
    });
    this.#state = this.#createState();
    this.#image = takeMemoryImage(wasm);
  }

  run(script: MachineScript, host: HostCaller): ScriptOutcome {
    const { api, wasm } = this.#core;
    this.#image.restore();
    const L = this.#state;
    const job: LuaJob = { script, sources: new Map([[`@${script.chunkName}`, script.code]]), frames: [] };
    this.#job = job;
    this.#natives.setContext({ host, scriptContext: script.scriptContext });
    wasm.limitMemory(baseMemory + script.memoryBytes);
    api.lua_pushcclosure(L, this.#body, 0);
    const status = api.lua_pcallk(L, 0, 0, 0, 0, 0);
    // Errors that the body could not report itself, mainly insufficient memory at the start.
    if (status !== luaStatus.ok) job.outcome = this.#raised(this.#describe(L, status), job);
    if (mayFinalize(job)) api.lua_close(L);
    this.#job = undefined;
    if (job.outcome === undefined) throw new Error('The script produced no outcome');
    return job.outcome;
  }

  memorySize(): number {
    return this.#core.wasm.memorySize();
  }

  #createState(): LuaState {
    const { api, wasm, text } = this.#core;
    const L = api.luaL_newstate();
    const open = wasm.addFunction((state) => {
      this.#library.open(state);
      return 0;
    });
    api.lua_pushcclosure(L, open, 0);
    const isOpen = api.lua_pcallk(L, 0, 0, 0, 0, 0) === luaStatus.ok;
    if (!isOpen) throw new Error(`The built-in library is invalid: ${text.readLossy(L, -1)}`);
    return L;
  }

  /** Must not throw JavaScript errors, because they would unwind the frames of Lua's protected calls. */
  #runBody(L: LuaState): number {
    const job = this.#job;
    if (job === undefined) return 0;
    try {
      this.#library.seed(L);
      if (job.script.isPure === true) this.#library.withhold(L);
      job.outcome = this.#runScript(L, job);
    } catch (thrown) {
      if (typeof thrown === 'number') throw thrown;
      job.outcome = this.#raised({ kind: 'runtime', ...toErrorRecord(thrown), frames: [] }, job);
    }
    return 0;
  }

  #runScript(L: LuaState, job: LuaJob): ScriptOutcome {
    const { api } = this.#core;
    this.#setGlobals(L, job.script);
    api.lua_pushcclosure(L, this.#handler, 0);
    const { code, chunkName } = job.script;
    const loaded = this.#core.load(L, code, `@${chunkName}`);
    if (loaded !== luaStatus.ok) return this.#raised(this.#describe(L, loaded), job);
    api.lua_pushvalue(L, 1);
    api.lua_setupvalue(L, -2, 1);
    const status = api.lua_pcallk(L, 0, 1, 2, 0, 0);
    if (status !== luaStatus.ok) return this.#raised({ ...this.#describe(L, status), frames: job.frames }, job);
    return this.#readResult(L, job);
  }

  /** Leaves the script's environment as the only value on the stack. */
  #setGlobals(L: LuaState, { globals, scriptContext }: MachineScript): void {
    const { api, push, text } = this.#core;
    const set = (name: string, value: LuaValue): void => {
      text.push(L, name);
      push(L, value);
      api.lua_rawset(L, -3);
    };
    api.lua_createtable(L, 0, 8);
    for (const [name, value] of Object.entries(globals)) if (name !== 'CTX') set(name, value ?? undefined);
    api.lua_createtable(L, 0, 1);
    text.push(L, '__index');
    this.#library.pushGlobals(L);
    set('CTX', scriptContext);
    api.lua_rawset(L, -3);
    api.lua_setmetatable(L, 1);
  }

  #readResult(L: LuaState, job: LuaJob): ScriptOutcome {
    const returned = this.#errors.read(L, -1);
    if (returned !== undefined) return this.#raised({ kind: 'runtime', ...returned, frames: [] }, job);
    try {
      const value = this.#core.read(L, -1, { root: 'result', emptyTable: 'object', numbers: 'json' });
      return { isOk: true, value: (value ?? null) as JsonValue };
    } catch (thrown) {
      if (!(thrown instanceof LuaValueError)) throw thrown;
      return { isOk: false, error: recordBadResult(thrown) };
    }
  }

  /** Describes the raised error, which is on top of the stack. */
  #describe(L: LuaState, status: number): RaisedError {
    const { api, text } = this.#core;
    const kind = kinds[status] ?? 'runtime';
    const ours = this.#errors.read(L, -1);
    if (ours !== undefined) return { kind, ...ours, frames: [] };
    api.lua_rawgetp(L, registryIndex, describeKey);
    api.lua_pushvalue(L, -2);
    const isShown = api.lua_pcallk(L, 1, 1, 0, 0, 0) === luaStatus.ok;
    const message = isShown ? text.readLossy(L, -1) : 'An error that cannot be converted to text was raised';
    return { kind, message, code: undefined, frames: [] };
  }

  #raised(raised: RaisedError, job: LuaJob): ScriptOutcome {
    const { chunkName: file, memoryBytes } = job.script;
    return { isOk: false, error: recordRaised(raised, { file, sources: job.sources, memoryBytes }) };
  }
}

/**
 * @param module the compiled WebAssembly module of Lua
 * @param modules members of `aip`
 */
export function createMachine(module: WebAssembly.Module, modules: readonly ApiModule[]): LuaInterpreter {
  return new LuaMachine(module, modules);
}
