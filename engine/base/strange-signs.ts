/**
 * Detects look-alike and invisible characters, which often come from word processors and web pages.
 */

const names: Readonly<Record<string, string>> = {
  '\u00A0': 'a no-break space (U+00A0); replace it with a space',
  '\u202F': 'a no-break space (U+202F); replace it with a space',
  '\u3000': 'a wide space (U+3000); replace it with a space',
  '\u200B': 'an invisible character (U+200B); delete it',
  '\u200C': 'an invisible character (U+200C); delete it',
  '\u200D': 'an invisible character (U+200D); delete it',
  '\u2060': 'an invisible character (U+2060); delete it',
  '\uFEFF': 'an invisible character (U+FEFF); delete it',
  '\u00AD': 'an invisible hyphen (U+00AD); delete it',
  '\u201C': 'the curly quote “; type "',
  '\u201D': 'the curly quote ”; type "',
  '\u201E': 'the curly quote „; type "',
  '\u2018': "the curly quote ‘; type '",
  '\u2019': "the curly quote ’; type '",
  '\uFF1A': 'the wide colon ：; type :',
  '\u2013': 'the dash –; type -',
};

const strange = new RegExp(`[${Object.keys(names).join('')}]`, 'u');

/** Returns a sentence about the first such character, with a leading space; empty if there is none. */
export function strangeSignHint(text: string): string {
  const [sign = ''] = strange.exec(text) ?? [];
  const words = names[sign];
  return words === undefined ? '' : ` It contains ${words}.`;
}
