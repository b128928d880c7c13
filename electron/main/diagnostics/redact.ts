/**
 * Takes out of texts what nobody but the person may know, before they are written to a log or copied: keys, tokens,
 * passwords, and the name of the person's home folder.
 */

/** Stands for what was taken out. */
const mark = '[redacted]';
/** Shorter values are words like any other. */
const minSecretLength = 6;

/** Names of variables, headers and fields that hold secrets. */
const secretName = String.raw`[\w.-]{0,60}(?:key|token|secret|passw(?:or)?d|passphrase|authorization|cookie|credential)s?`;

/** What secrets look like, wherever they stand. The groups around a secret stay. */
const shapes: readonly RegExp[] = [
  // -----BEGIN … PRIVATE KEY----- and what follows
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
  // Keys of providers, of code hosts and of clouds by their own beginnings, and signed tokens.
  /()\b(?:sk|pk|rk)-[\w-]{8,}/g,
  /()\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_|AIza|AKIA|ASIA|gsk_|r8_|xai-|pplx-)[\w-]{8,}/g,
  /()\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
];

/** The values of environment variables whose names say that they are secret. */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const named = new RegExp(`^${secretName}$`, 'i');
  return Object.entries(env).flatMap(([name, value]) => (named.test(name) && value ? [value] : []));
}

interface Redactions {
  /** The person's home folder. */
  readonly home: string;
  /** Secrets that are known at that moment, such as the values of keys. */
  secrets(): Iterable<string>;
}

/** Makes the function that takes secrets out of a text, and writes `~` for the home folder. */
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
    // The longest first: one may hold another.
    const known = [...new Set(secrets())].filter(({ length }) => length >= minSecretLength);
    for (const secret of known.sort((a, b) => b.length - a.length)) plain = plain.replaceAll(secret, mark);
    for (const shape of shapes) plain = plain.replace(shape, (_, before: string) => `${before}${mark}`);
    for (const place of places) plain = withoutHome(plain, place);
    return plain;
  };
}

/** Where the name of the folder ends there; `/home/ada` is no part of `/home/adam`. */
function withoutHome(text: string, place: string): string {
  const literal = place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`${literal}(?![\\w-])`, process.platform === 'win32' ? 'gi' : 'g'), '~');
}
