/**
 * SVG as text.
 */

type SvgAttributes = Readonly<Record<string, string | number | undefined>>;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that no XML may hold, not even escaped: control signs, halves of pairs, and two that mean nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Text as it stands in XML, between tags or in an attribute. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** An element. `content` is markup already; attributes that are undefined are left out, numbers rounded to hundredths. */
export function svgTag(name: string, attributes: SvgAttributes, content = ''): string {
  const pairs = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : escapeXml(value);
    return [` ${key}="${text}"`];
  });
  const open = `<${name}${pairs.join('')}`;
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
}

/** A text element. */
export function svgText(text: string, attributes: SvgAttributes): string {
  return text === '' ? '' : svgTag('text', attributes, escapeXml(text));
}
