/**
 * Removes private data from text before it is logged or copied: keys, tokens, passwords, and the path of the user's
 * home folder.
 */

/** Replaces removed text. */
const mark = '[redacted]';
/** Shorter values cannot be distinguished from ordinary words. */
const minSecretLength = 6;

/** Names of variables, headers and fields that contain secrets. */
const secretName = String.raw`[\w.-]{0,60}(?:key|token|secret|passw(?:or)?d|passphrase|authorization|cookie|credential)s?`;

/** Patterns of secrets in any text. The capture groups around a secret are kept. */
const shapes: readonly RegExp[] = [
  // -----BEGIN … PRIVATE KEY----- and the lines that follow
  /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(?:(?=-----END)|$)/g,
  // https://name:password@host
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:]*:[^\s/@]*(?=@)/gi,
  // https://token@host
  /(\b(?:https?|git\+ssh|ssh|wss?):\/\/)[^\s/@:]{16,}(?=@)/gi,
  // Authorization: Bearer … and Basic …
  /\b((?:Bearer|Basic|Token)\s+)[\w.~+/=-]{8,}/gi,
  // KEY=…, "token": "…", --password …, authorization: …
  new RegExp(String.raw`(\b${secretName}["']?\s*(?:[=:]|=>)\s*["']?)[^\s"',;&}]{4,}`, 'gi'),
  new RegExp(String.raw`(--${secretName}\s+)\S{4,}`, 'gi'),
  // Keys of providers, code hosts and clouds by their prefixes, and signed tokens.
  /()\b(?:sk|pk|rk)-[\w-]{8,}/g,
  /()\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_|AIza|AKIA|ASIA|gsk_|r8_|xai-|pplx-)[\w-]{8,}/g,
  /()\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
];

/** Returns the values of environment variables that appear to be secrets by their names. */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const named = new RegExp(`^${secretName}$`, 'i');
  return Object.entries(env).flatMap(([name, value]) => (named.test(name) && value ? [value] : []));
}

interface Redactions {
  /** The user's home folder. */
  readonly home: string;
  /** Returns the currently known secrets, such as the values of keys. */
  secrets(): Iterable<string>;
}

/** Creates a function that removes secrets from text and replaces the home folder with `~`. */
export function createRedactor({ home, secrets }: Redactions): (text: string) => string {
  const homes = [
    home,
    home.replaceAll('\\', '/'),
    home.replaceAll('\\', '\\\\'),
    encodeURI(home.replaceAll('\\', '/')),
  ];
  const places = [...new Set(homes)].filter((place) => place.length > 1).sort((a, b) => b.length - a.length);
  return (text) => {
    let plain = text;
    // Longest first, because one secret may contain another.
    const known = [...new Set(secrets())].filter(({ length }) => length >= minSecretLength);
    for (const secret of known.sort((a, b) => b.length - a.length)) plain = plain.replaceAll(secret, mark);
    for (const shape of shapes) plain = plain.replace(shape, (_, before: string) => `${before}${mark}`);
    for (const place of places) plain = withoutHome(plain, place);
    return plain;
  };
}

/** Replaces the folder only at the end of its name: `/home/ada` is not part of `/home/adam`. */
function withoutHome(text: string, place: string): string {
  const literal = place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`${literal}(?![\\w-])`, process.platform === 'win32' ? 'gi' : 'g'), '~');
}
