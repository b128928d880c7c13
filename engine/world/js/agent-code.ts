/**
 * Sandbox code for agents written as classes, in addition to the code for scripts: the module `millrace` and the driver
 * of a run. It is JavaScript as text, like the prelude, and is loaded only into interpreters that run an agent.
 */

/** The name under which agents import their base class. */
export const libraryName = 'millrace';

/** The module of that name. `engine/runtime/agent/pure/base-agent.ts` is its counterpart for a host program's agents. */
export const libraryCode = `
export class BaseAgent {
  kind = 'other';
}
export const AgentResult = Object.freeze({
  ok(data = null, meta = {}) { return { ok: true, data, error: null, meta }; },
  failed({ code, message, recoverable = false, details = {} }, meta = {}) {
    return { ok: false, data: null, error: { code, message, recoverable, details }, meta };
  },
});
`;

/**
 * An expression: a function of \`trace(name, text of JSON)\` that captures the built-ins it needs. It returns a
 * function of the exports of an agent's module, those of the library, and the name of the requested agent (empty: none,
 * only list the agents). That function returns \`run(step)\`; \`take()\`, which returns the pending model requests as
 * JSON, empty if there are none; and \`give(answers)\`, which answers them in order.
 */
export const agentDriverCode = `(function (trace) {
'use strict';
const { freeze, keys } = Object;
const { parse, stringify } = JSON;
const Text = String;
const Later = Promise;
const isClass = (value) => typeof value === 'function' && /^class\\b/.test(Function.prototype.toString.call(value));
return function (exported, { BaseAgent }, wanted) {
  const describe = (Class, name) => {
    const at = { export: name, name: '', kind: 'other', problem: '' };
    if (!(Class.prototype instanceof BaseAgent)) return { ...at, problem: 'does not extend BaseAgent' };
    let sample;
    try { sample = new Class(); } catch (error) { return { ...at, problem: 'cannot be created: ' + Text(error) }; }
    if (typeof sample.name !== 'string' || sample.name === '') return { ...at, problem: 'has no name: set name = "product.agent"' };
    if (typeof sample.run !== 'function') return { ...at, name: sample.name, problem: 'has no method run(step)' };
    return { ...at, name: sample.name, kind: Text(sample.kind) };
  };
  const seen = new Set([BaseAgent]);
  const classes = [];
  for (const name of keys(exported)) {
    const value = exported[name];
    if (!isClass(value) || seen.has(value)) continue;
    seen.add(value);
    classes.push({ Class: value, about: describe(value, name) });
  }
  let waiting = [];
  let asked = [];
  const reasoner = freeze({
    ask(request) {
      return new Later((resolve) => { waiting.push({ text: stringify(request === undefined ? null : request), resolve }); });
    },
  });
  const tell = (name, data = null) => { trace(Text(name), stringify(data) ?? 'null'); };
  return {
    async run(step) {
      if (wanted === '') return classes.map(({ about }) => about);
      const found = classes.find(({ about }) => about.name === wanted && about.problem === '');
      if (found === undefined) throw new ReferenceError('the module no longer has an agent named ' + wanted);
      const result = await new found.Class().run(freeze({ ...step, reasoner, trace: tell }));
      return result === undefined ? { gave: 'nothing' } : { result };
    },
    take() {
      if (waiting.length === 0) return '';
      asked = waiting;
      waiting = [];
      return '[' + asked.map(({ text }) => text).join(',') + ']';
    },
    give(answers) {
      const given = parse(answers);
      asked.forEach(({ resolve }, at) => resolve(freeze(given[at])));
    },
  };
};
})`;
