/**
 * Names under which secrets travel, however they are spelled: `apiKey`, `API_KEY` and `x-api-key` are one.
 */

const secretNames = new Set(['token', 'pwd', 'cookies', 'credentials', 'jwt', 'bearer']);

const secretEndings = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'apikey',
  'accesskey',
  'secretkey',
  'privatekey',
  'subscriptionkey',
  'accesstoken',
  'authtoken',
  'bearertoken',
  'idtoken',
  'privatetoken',
  'refreshtoken',
  'securitytoken',
  'sessiontoken',
];

const parameterEndings = ['signature', 'credential'];
const parameterNames = new Set(['key', 'sig', 'auth']);

const headerWords =
  /(?:^|-)(?:auth|authorization|cookie|credentials?|key|secret|session|signature|token)s?(?:-?\d+)?$/i;

/** True for a field of a body that holds a secret. */
export function isSecretField(name: string): boolean {
  const plain = plainOf(name);
  return secretNames.has(plain) || secretEndings.some((ending) => plain.endsWith(ending));
}

/** True for a header that holds a secret. */
export function isSecretHeader(name: string): boolean {
  return headerWords.test(name) || isSecretField(name);
}

/** True for a parameter of a URL that holds a secret; such names are shorter than elsewhere. */
export function isSecretParameter(name: string): boolean {
  const plain = plainOf(name);
  return parameterNames.has(plain) || parameterEndings.some((ending) => plain.endsWith(ending)) || isSecretField(name);
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
