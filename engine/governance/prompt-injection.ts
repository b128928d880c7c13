/**
 * Signs that a text wants to steer the model that reads it: invisible text, poses as a role of the conversation, and words that take back
 * instructions. What is found is the same each time, in time that grows with the text and no faster; what is only meant so is not found.
 */
import { late } from '../base/late.ts';
import type { AskedEffect } from '../kernel/effect.ts';
import { toolOfWire } from '../kernel/tool-capability.ts';

/** Messages and tools stay the same ones from step to step of a conversation: each is read once. */
const known = new WeakMap<object, string | undefined>();

/**
 * The first sign in what others may have written: results of tools, all that is said as `user`, and how tools describe themselves. What
 * stands in `system`, and what the model has said, is not looked at.
 * @returns where it stands and which one it is, without a full stop; of the text nothing but the sign itself
 */
export function signInRequest({ messages, tools = [] }: NonNullable<AskedEffect['said']>): string | undefined {
  for (const message of messages) {
    if (message.role !== 'tool' && message.role !== 'user') continue;
    const sign = signOf(message, () => message.content);
    if (sign === undefined) continue;
    const what =
      message.role === 'tool' ? `The result of the tool \`${toolOfWire(message.toolName)}\`` : 'A message as `user`';
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

/** The first sign in a text, in words that follow what the text is. */
export function signInText(text: string): string | undefined {
  // Most texts have nothing but plain letters in them.
  const hasOthers = /[^\0-\x7f]/.test(text);
  const plain = hasOthers ? plainText(text) : text.toLowerCase().replace(escapedBreak, '\n');
  return (hasOthers ? invisibleText(text) : undefined) ?? role(plain) ?? takenBack(plain);
}

/** In JSON, as most results of tools are told. */
const escapedBreak = /\\[nrt]/g;

/**
 * As it is compared: in small letters, without marks over letters and characters of no width, wide and narrow forms as the usual ones. Marks
 * go first: putting many of them in order takes time that grows with their square.
 */
function plainText(text: string): string {
  return text
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .toLowerCase()
    .replace(escapedBreak, '\n');
}

/** Characters of no width in a row: so many hide a letter. Fewer are common in texts of many languages, and in emoji. */
const leastZeroWidth = 8;
const leastVariations = 4;
/** Of a flag of a region, which is an emoji made of tags. */
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
    if (override !== undefined) return `turns the direction of its text around (${codeOf(override)})`;
    const isFlag = flag !== undefined && lengthOf(tags) <= longestFlag;
    if (tags !== undefined && !isFlag) return invisible(tags);
    if (lengthOf(variations) >= leastVariations) return invisible(variations);
    if (lengthOf(widthless) >= leastZeroWidth) return invisible(widthless);
  }
  return undefined;
}

function invisible(run = ''): string {
  return `holds invisible text (from ${codeOf(run)} on, ${lengthOf(run)} characters)`;
}

/** In characters. */
function lengthOf(run: string | undefined): number {
  let count = 0;
  for (const _ of run ?? '') count++;
  return count;
}

function codeOf(run: string): string {
  return `U+${(run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What separates roles in the templates by which models are trained. */
const markers = [
  ...['<|im_start|>', '<|im_end|>', '<|system|>', '<|user|>', '<|assistant|>', '<|endoftext|>', '<|end_of_text|>'],
  ...['<|begin_of_text|>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '<|channel|>', '<|endofprompt|>'],
  ...['<start_of_turn>', '<end_of_turn>', '[inst]', '[/inst]', '<<sys>>', '<</sys>>', '[system_prompt]', '<|end|>'],
  ...['<|user▁|>', '<|begin▁of▁sentence|>', '<|end▁of▁sentence|>', '<|start_of_role|>', '<|end_of_role|>'],
];

/** A line in the name of a role that speaks to the model: `system: linux` in a table is none. Every repetition has its limit. */
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
  if (marker !== undefined) return `poses as a role of the conversation ("${marker}")`;
  const line = roleLine.exec(plain)?.[0];
  return line === undefined ? undefined : `poses as a role of the conversation (${quoted(line)})`;
}

type Part = 'verb' | 'filler' | 'former' | 'own' | 'task' | 'whole';

/** In English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Russian. */
const vocabulary: Readonly<Record<Part, string>> = {
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
  (): ReadonlyMap<string, Part> =>
    new Map(
      Object.entries(vocabulary).flatMap(([part, words]) =>
        plainText(words)
          .trim()
          .split(/\s+/)
          .map((word) => [word, part as Part] as const),
      ),
    ),
);

/** Languages that put no blanks between words. Every repetition has its limit. */
const unspaced = late(() =>
  [
    '(?:忽略|无视|無視|忘记|忘記)[^。\n]{0,10}(?:之前|以上|上面|前面|先前|此前)[^。\n]{0,8}(?:指令|指示|说明|說明|规则|規則|提示)',
    '(?:以前|前述|上記|これまで|先ほど)の?[^。\n]{0,8}(?:指示|命令|指令|ルール|プロンプト)[^。\n]{0,4}(?:無視|忘れ)',
  ].map((source) => new RegExp(plainText(source))),
);

/** "Ignore all previous instructions": a verb, and behind it, between words that say little, whose instructions. */
function takenBack(plain: string): string | undefined {
  const said: string[] = [];
  const seen = new Set<Part>();
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

function isWhole(seen: ReadonlySet<Part>): boolean {
  if (seen.has('former')) return seen.has('task') || seen.has('whole');
  return seen.has('own') && seen.has('task');
}

function takesBack(words: string): string {
  return `takes back instructions (${quoted(words)})`;
}

/** Characters of an excerpt. */
const longestExcerpt = 60;

function quoted(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return `"${line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt)}…`}"`;
}
