/**
 * What `npm run prices` takes from its source, and the aliases that the source lacks. These lists are written by hand;
 * `engine/world/model/model-data.ts` is generated from them.
 */

/**
 * @typedef {object} PricedHost
 * @property {string} provider name of the provider in the source
 * @property {RegExp} models models that the provider still offers, by name
 */

/**
 * Prices by API host. DeepSeek is missing because its prices depend on the time of day.
 * @type {Readonly<Record<string, PricedHost>>}
 */
export const pricedHosts = {
  'api.anthropic.com': { provider: 'anthropic', models: /^claude-(3-[57]|[a-z]+-[4-9])/ },
  'api.cohere.ai': { provider: 'cohere', models: /^command/ },
  'api.fireworks.ai': { provider: 'fireworks', models: /^accounts\/fireworks\// },
  'generativelanguage.googleapis.com': { provider: 'google', models: /^gemini-[2-9]/ },
  'api.groq.com': {
    provider: 'groq',
    models: /^(llama-3\.1-8b|llama-3\.3-70b-versatile|llama-[4-9]|meta-llama\/llama-[4-9]|openai\/|qwen\/)/,
  },
  'api.minimax.io': { provider: 'minimax', models: /^minimax-m[2-9]/i },
  'api.moonshot.ai': { provider: 'moonshotai', models: /^kimi-/ },
  'api.openai.com': { provider: 'openai', models: /^(gpt-4(\.1|o)|gpt-[5-9](?!-\d)|o1(-pro)?$|o[3-9])/ },
  'api.x.ai': { provider: 'x-ai', models: /^grok-([3-9]|code)/ },
  'api.z.ai': { provider: 'zai', models: /^glm-/ },
};

/**
 * Names of models that cost more than their tokens of text or can't respond with text, and names that providers don't
 * accept.
 */
export const otherKinds =
  /audio|image|live|omni|realtime|research|search|transcribe|tts|guard|vision|-text-|beta|ft-|-high$|-us$|:/;

/**
 * Names that the source spells differently, by host.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const otherSpellings = { 'api.minimax.io': { 'MiniMax-M3': 'minimax-m3' } };

/**
 * Aliases for the newest model of a family. The groups of the pattern are the version: `5p2`, `5-2` and `5.2` mean 5.2.
 * `prefix` is the provider, if the name doesn't determine it. It replaces the path of the model.
 * @type {Readonly<Record<string, { host: string, model: RegExp, prefix?: string }>>}
 */
export const familyAliases = {
  fable: { host: 'api.anthropic.com', model: /^claude-fable-(\d+)(?:-(\d))?$/ },
  opus: { host: 'api.anthropic.com', model: /^claude-opus-(\d+)(?:-(\d))?$/ },
  claude: { host: 'api.anthropic.com', model: /^claude-sonnet-(\d+)(?:-(\d))?$/ },
  sonnet: { host: 'api.anthropic.com', model: /^claude-sonnet-(\d+)(?:-(\d))?$/ },
  haiku: { host: 'api.anthropic.com', model: /^claude-haiku-(\d+)(?:-(\d))?$/ },
  sol: { host: 'api.openai.com', model: /^gpt-([\d.]+)-sol$/ },
  terra: { host: 'api.openai.com', model: /^gpt-([\d.]+)-terra$/ },
  gpt: { host: 'api.openai.com', model: /^gpt-([\d.]+)-terra$/ },
  luna: { host: 'api.openai.com', model: /^gpt-([\d.]+)-luna$/ },
  mini: { host: 'api.openai.com', model: /^gpt-([\d.]+)-mini$/ },
  nano: { host: 'api.openai.com', model: /^gpt-([\d.]+)-nano$/ },
  codex: { host: 'api.openai.com', model: /^gpt-([\d.]+)-sol$/ },
  gpro: { host: 'generativelanguage.googleapis.com', model: /^gemini-([\d.]+)-pro(?:-preview)?$/ },
  flash: { host: 'generativelanguage.googleapis.com', model: /^gemini-([\d.]+)-flash$/ },
  lite: { host: 'generativelanguage.googleapis.com', model: /^gemini-([\d.]+)-flash-lite$/ },
  grok: { host: 'api.x.ai', model: /^grok-(\d+(?:\.\d+)?)$/ },
  glm: { host: 'api.z.ai', model: /^glm-([\d.]+)$/, prefix: 'zai::' },
  kimi: { host: 'api.moonshot.ai', model: /^kimi-k([\d.]+)$/, prefix: 'kimi::' },
  'kimi-fast': { host: 'api.moonshot.ai', model: /^kimi-k([\d.]+)-code-highspeed$/, prefix: 'kimi::' },
  minimax: { host: 'api.minimax.io', model: /^MiniMax-M([\d.]+)$/, prefix: 'minimax::' },
  'minimax-speed': { host: 'api.minimax.io', model: /^MiniMax-M([\d.]+)-highspeed$/, prefix: 'minimax::' },
  'f-kimi': { host: 'api.fireworks.ai', model: /\/models\/kimi-k([\dp]+)$/, prefix: 'fireworks::' },
  'f-qwen': { host: 'api.fireworks.ai', model: /\/models\/qwen([\dp]+)-plus$/, prefix: 'fireworks::' },
  'f-minimax': { host: 'api.fireworks.ai', model: /\/models\/minimax-m([\dp]+)$/, prefix: 'fireworks::' },
  'f-glm': { host: 'api.fireworks.ai', model: /\/models\/glm-([\dp]+)$/, prefix: 'fireworks::' },
};

/**
 * Aliases for one model, and for models that the source lacks.
 * @type {Readonly<Record<string, string>>}
 */
export const fixedAliases = {
  mythos: 'claude-mythos-5',
  lite31: 'gemini-3.1-flash-lite',
  flash3: 'gemini-3-flash-preview',
  dflash: 'deepseek-v4-flash',
  dpro: 'deepseek-v4-pro',
  qwen: 'qwen_cloud::qwen3.8-max',
  mimo: 'mimo::mimo-v2.5',
  'mimo-pro': 'mimo::mimo-v2.5-pro',
  mflash: 'mimo::mimo-v2.5',
  mpro: 'mimo::mimo-v2.5-pro',
  'f-glm-air': 'fireworks::glm-4p5-air',
  'f-gpt-oss': 'fireworks::gpt-oss-120b',
  'f-gpt-oss-120b': 'fireworks::gpt-oss-120b',
  'f-gpt-oss-20b': 'fireworks::gpt-oss-20b',
  'f-dflash': 'fireworks::deepseek-v4-flash-0731',
  'f-dpro': 'fireworks::deepseek-v4-pro-0813',
};
