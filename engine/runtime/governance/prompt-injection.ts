/**
 * Detects signs that text tries to steer the model that reads it: invisible text, impersonated conversation roles, and
 * words that revoke instructions. Detection is deterministic and takes linear time. It cannot detect intent without
 * these signs.
 */
import { late } from '../../base/late.ts';
import type { RequestedEffect } from '../kernel/capabilities/effect.ts';
import { toolOfWire } from '../kernel/capabilities/tool-capability.ts';

/** Messages and tools are the same objects in every step of a conversation, so each is read only once. */
const known = new WeakMap<object, string | undefined>();

/**
 * Returns the first sign in text that third parties may have written: tool results, all `user` messages and tool
 * descriptions. Does not check `system` or the model's own text.
 * @returns the location and kind of the sign, without a period; contains no text except the sign itself
 */
export function signInRequest({ messages, tools = [] }: NonNullable<RequestedEffect['said']>): string | undefined {
  for (const message of messages) {
    if (message.role !== 'tool' && message.role !== 'user') continue;
    const sign = signOf(message, () => message.content);
    if (sign === undefined) continue;
    const what =
      message.role === 'tool'
        ? `The result of the tool \`${toolOfWire(message.toolName)}\``
        : 'A message with the role `user`';
    return `${what} ${sign}`;
  }
  for (const tool of tools) {
    const sign = signOf(tool, () => `${tool.description}\n${JSON.stringify(tool.inputSchema)}`);
    if (sign !== undefined) return `The description of the tool \`${toolOfWire(tool.name)}\` ${sign}`;
  }
  return undefined;
}

function signOf(owner: object, text: () => string): string | undefined {
  if (!known.has(owner)) known.set(owner, signInText(text()));
  return known.get(owner);
}

/** Returns the first sign in a text, phrased to continue the text's name. */
export function signInText(text: string): string | undefined {
  // Most text is plain ASCII.
  const hasOthers = /[^\0-\x7f]/.test(text);
  const plain = hasOthers ? plainText(text) : text.toLowerCase().replace(escapedBreak, '\n');
  return (hasOthers ? invisibleText(text) : undefined) ?? role(plain) ?? takenBack(plain);
}

/** In JSON, the format of most tool results. */
const escapedBreak = /\\[nrt]/g;

/**
 * Normalizes text for comparison: lowercase, without diacritics and zero-width characters, with full-width and
 * half-width forms converted. Diacritics are removed first, because normalizing many of them takes quadratic time.
 */
function plainText(text: string): string {
  return text
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .toLowerCase()
    .replace(escapedBreak, '\n');
}

/**
 * Minimum number of consecutive zero-width characters that can hide a letter. Shorter sequences are common in many
 * languages and in emoji.
 */
const leastZeroWidth = 8;
const leastVariations = 4;
/** Maximum number of tag characters in the emoji of a regional flag. */
const longestFlag = 8;

const hidden = new RegExp(
  [
    String.raw`(?<flag>\u{1F3F4})?(?<tags>[\u{E0000}-\u{E007F}]+)`,
    String.raw`(?<variations>[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+)`,
    String.raw`(?<widthless>[\u00AD\u180E\u200B-\u200D\u2060-\u2064\uFEFF]+)`,
    String.raw`(?<override>[\u202D\u202E])`,
  ].join('|'),
  'gu',
);

function invisibleText(text: string): string | undefined {
  for (const { groups = {} } of text.matchAll(hidden)) {
    const { flag, tags, variations, widthless, override } = groups;
    if (override !== undefined) return `reverses the direction of its text (${codeOf(override)})`;
    const isFlag = flag !== undefined && lengthOf(tags) <= longestFlag;
    if (tags !== undefined && !isFlag) return invisible(tags);
    if (lengthOf(variations) >= leastVariations) return invisible(variations);
    if (lengthOf(widthless) >= leastZeroWidth) return invisible(widthless);
  }
  return undefined;
}

function invisible(run = ''): string {
  return `contains invisible text (${lengthOf(run)} characters, starting with ${codeOf(run)})`;
}

/** Returns the length in characters. */
function lengthOf(run: string | undefined): number {
  let count = 0;
  for (const _ of run ?? '') count++;
  return count;
}

function codeOf(run: string): string {
  return `U+${(run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Role separators in the templates used to train models. */
const markers = [
  ...['<|im_start|>', '<|im_end|>', '<|system|>', '<|user|>', '<|assistant|>', '<|endoftext|>', '<|end_of_text|>'],
  ...['<|begin_of_text|>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '<|channel|>', '<|endofprompt|>'],
  ...['<start_of_turn>', '<end_of_turn>', '[inst]', '[/inst]', '<<sys>>', '<</sys>>', '[system_prompt]', '<|end|>'],
  ...['<|user▁|>', '<|begin▁of▁sentence|>', '<|end▁of▁sentence|>', '<|start_of_role|>', '<|end_of_role|>'],
];

/**
 * A line that starts with a role name and addresses the model; `system: linux` in a table does not match. Every
 * repetition is bounded.
 */
const roleLine = new RegExp(
  [
    String.raw`^[ \t>*#_[(<"-]{0,8}(?:system|assistant|developer)(?:[ _](?:prompt|message|instructions?|note|override))?`,
    String.raw`[\])"*_ ]{0,4}[:>][\s*_"]{0,4}`,
    `(?:you (?:are|must|will|should|can|may|have|now)|your (?:new|task|instructions?|only|job)|from now on|ignore|disregard|forget|`,
    String.raw`new instructions?|do not|du (?:bist|musst)|sie (?:sind|mussen)|tu es|vous etes|eres|sei un|voce e|je bent)\b`,
  ].join(''),
  'm',
);

function role(plain: string): string | undefined {
  const marker = plain.includes('<') || plain.includes('[') ? markers.find((one) => plain.includes(one)) : undefined;
  if (marker !== undefined) return `imitates a role of the conversation ("${marker}")`;
  const line = roleLine.exec(plain)?.[0];
  return line === undefined ? undefined : `imitates a role of the conversation (${quoted(line)})`;
}

type InjectionWordKind = 'verb' | 'filler' | 'former' | 'own' | 'task' | 'whole';

/** In English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Russian. */
const vocabulary: Readonly<Record<InjectionWordKind, string>> = {
  verb: `ignore disregard forget ignoriere ignoriert ignorieren vergiss vergesst vergessen missachte ignorez oublie oubliez ignora ignoren
    olvida olvide olvidad ignorate dimentica dimenticate desconsidere esqueça negeer vergeet zignoruj ignoruj zapomnij
    игнорируй игнорируйте проигнорируй забудь забудьте`,
  filler: `all any of the these those that this and or other such my please completely about
    alle aller die der den diese dieser von bitte sie und toutes tous les la ces de des et todas todos las los estas estos y
    tutte tutti le i gli queste e as os essas o wszystkie wszystkich te все всех всё об эти`,
  former: `previous previously prior above preceding earlier foregoing before
    vorherigen vorige vorigen bisherigen obigen vorangehenden vorangegangenen früheren
    précédentes précédents précédente antérieures anteriores anterior previas previos precedenti precedente prévias
    vorige eerdere bovenstaande voorgaande poprzednie poprzednich wcześniejsze powyższe предыдущие предыдущих прежние прошлые вышеуказанные`,
  own: 'your system initial original deine deinen ihre tes vos tus sus tue tuoi suas jouw je twoje твои свои',
  task: `instruction instructions prompt prompts rule rules directive directives directions guideline guidelines
    anweisung anweisungen instruktionen regeln vorgaben befehle consignes consigne règles instrucciones indicaciones reglas
    istruzioni regole indicazioni direttive instruções regras orientações instructies aanwijzingen regels
    instrukcje instrukcji polecenia zasady инструкции инструкциях указания указаниях правила`,
  whole: 'everything anything alles tout todo tutto tudo wszystko',
};

const parts = late(
  (): ReadonlyMap<string, InjectionWordKind> =>
    new Map(
      Object.entries(vocabulary).flatMap(([part, words]) =>
        plainText(words)
          .trim()
          .split(/\s+/)
          .map((word) => [word, part as InjectionWordKind] as const),
      ),
    ),
);

/** For languages without spaces between words. Every repetition is bounded. */
const unspaced = late(() =>
  [
    '(?:忽略|无视|無視|忘记|忘記)[^。\n]{0,10}(?:之前|以上|上面|前面|先前|此前)[^。\n]{0,8}(?:指令|指示|说明|說明|规则|規則|提示)',
    '(?:以前|前述|上記|これまで|先ほど)の?[^。\n]{0,8}(?:指示|命令|指令|ルール|プロンプト)[^。\n]{0,4}(?:無視|忘れ)',
  ].map((source) => new RegExp(plainText(source))),
);

/** "Ignore all previous instructions": a verb followed, after filler words, by a reference to instructions. */
function takenBack(plain: string): string | undefined {
  const said: string[] = [];
  const seen = new Set<InjectionWordKind>();
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    const part = parts().get(word);
    if (part === undefined || part === 'verb') {
      said.length = 0;
      seen.clear();
    }
    if (part === undefined || (part !== 'verb' && said.length === 0)) continue;
    said.push(word);
    if (isWhole(seen.add(part))) return takesBack(said.join(' '));
  }
  const found = unspaced()
    .map((pattern) => pattern.exec(plain)?.[0])
    .find((match) => match !== undefined);
  return found === undefined ? undefined : takesBack(found);
}

function isWhole(seen: ReadonlySet<InjectionWordKind>): boolean {
  if (seen.has('former')) return seen.has('task') || seen.has('whole');
  return seen.has('own') && seen.has('task');
}

function takesBack(words: string): string {
  return `overrides earlier instructions (${quoted(words)})`;
}

/** Maximum length of an excerpt, in characters. */
const longestExcerpt = 60;

function quoted(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return `"${line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt)}…`}"`;
}
