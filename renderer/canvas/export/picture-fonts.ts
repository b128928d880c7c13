/**
 * A picture is drawn apart from the page and does not see its fonts, so they go along in it.
 */

/** The bundled families that are in use on the page, as `@font-face` rules with the fonts in them. */
export async function embeddedFonts(page: Document): Promise<string> {
  const loaded = new Set([...page.fonts].filter(({ status }) => status === 'loaded').map(keyOf));
  const rules = [...page.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter(isFontFace);
  const used = rules.filter(({ style }) =>
    loaded.has(
      keyOf({
        family: style.getPropertyValue('font-family'),
        style: style.getPropertyValue('font-style'),
        unicodeRange: style.getPropertyValue('unicode-range'),
      }),
    ),
  );
  return (await Promise.all(used.map(embed))).join('');
}

function isFontFace(rule: CSSRule): rule is CSSFontFaceRule {
  return rule instanceof CSSFontFaceRule;
}

function keyOf({ family, style, unicodeRange }: Pick<FontFace, 'family' | 'style' | 'unicodeRange'>): string {
  return [family.replaceAll(/["']/g, ''), style, unicodeRange.replaceAll(/\s/g, '').toUpperCase()].join('|');
}

async function embed(rule: CSSFontFaceRule): Promise<string> {
  const source = /url\("?([^")]+)"?\)/.exec(rule.style.getPropertyValue('src'))?.[1];
  if (source === undefined) return '';
  const answer = await fetch(new URL(source, rule.parentStyleSheet?.href ?? document.baseURI));
  const data = await dataUrl(await answer.blob());
  const kept = ['font-family', 'font-style', 'font-weight', 'unicode-range'].map(
    (name) => `${name}:${rule.style.getPropertyValue(name)};`,
  );
  return `@font-face{${kept.join('')}src:url(${data})}`;
}

/** A file as an address that holds all of it. */
export function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
