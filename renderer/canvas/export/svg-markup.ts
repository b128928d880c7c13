/**
 * Creates SVG as text.
 */

type SvgAttributes = Readonly<Record<string, string | number | undefined>>;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML does not allow even when escaped: control characters, lone surrogates, and two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches these characters on purpose
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Escapes text for XML content or attributes. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** Creates an element. `content` is markup. Undefined attributes are omitted, and numbers are rounded to hundredths. */
export function svgTag(name: string, attributes: SvgAttributes, content = ''): string {
  const pairs = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : escapeXml(value);
    return [` ${key}="${text}"`];
  });
  const open = `<${name}${pairs.join('')}`;
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
}

/** Creates a text element. */
export function svgText(text: string, attributes: SvgAttributes): string {
  return text === '' ? '' : svgTag('text', attributes, escapeXml(text));
}
