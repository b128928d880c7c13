/**
 * Detects look-alike and invisible characters, which often come from word processors and web pages, and shows them.
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

/**
 * Invisible characters, which can hide a part of a text or change its direction. After a character outside ASCII,
 * joiners and variation selectors are parts of emoji and of several scripts.
 */
const invisible =
  /(?![\t\n\r]|\p{Join_Control}|\uFE0E|\uFE0F)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?<![^\p{ASCII}])(?:\p{Join_Control}|\uFE0E|\uFE0F)/gu;

/** Replaces each invisible character with its code, such as `[U+200B]`. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(invisible, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `[U+${code.padStart(4, '0')}]`;
  });
}
