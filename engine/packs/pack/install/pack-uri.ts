/**
 * Parses a pack's source, which is the argument of `install`.
 */

import { isAbsolute, resolve, win32 } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { parseUrl } from '../../../base/parse-url.ts';
import { readWebAddress } from '../../../base/web-address.ts';
import { isPackName } from '../pack-manifest.ts';

export type PackUri =
  /** `url` refers to a specific archive. Without it, the newest version is requested. */
  | { readonly kind: 'repo'; readonly namespace: string; readonly name: string; readonly url?: string }
  | { readonly kind: 'http'; readonly url: string }
  /**
   * `subFolder` is the path of the pack in the repository; empty for its root. Without `commit`, the newest one is
   * used.
   */
  | {
      readonly kind: 'git';
      readonly url: string;
      readonly subFolder: string;
      readonly typed: string;
      readonly commit?: string;
    }
  | { readonly kind: 'local'; readonly file: string };

const scpPattern = /^([\w.-]+)@([\w.-]+):([^#]+)(?:#(.*))?$/s;

/**
 * Parses the argument of `install`.
 * @param folder absolute base folder of relative paths
 * @throws EngineError `pack.bad-uri` | `web.bad-address`
 */
export function parsePackUri(text: string, folder: string): PackUri {
  const [namespace = '', name = '', ...more] = text.split('@');
  if (more.length === 0 && isPackName(namespace) && isPackName(name)) return { kind: 'repo', namespace, name };
  const [, user, host, path, selector] = scpPattern.exec(text) ?? [];
  if (host !== undefined && path !== undefined && !path.startsWith('//')) {
    const address = `git+ssh://${user}@${host}/${path.replace(/^\/+/, '')}`;
    return gitUri(text, selector === undefined ? address : `${address}#${selector}`);
  }
  if (/^https?:/i.test(text)) return httpUri(text);
  if (/^git(?:\+ssh)?:\/\//i.test(text)) return gitUri(text, text);
  return localUri(text, folder);
}

function httpUri(text: string): PackUri {
  if (parseUrl(text) === undefined) throw badUri(text, 'it is not a valid address');
  if (!/\.aipack$/i.test(readWebAddress(text).pathname)) {
    throw badUri(
      text,
      'an address must point to an archive with a name ending in .aipack (for git, start it with git+ssh://)',
    );
  }
  return { kind: 'http', url: text };
}

function gitUri(typed: string, address: string): PackUri {
  const [url = '', ...rest] = address.split('#');
  const parsed = parseUrl(url);
  if (parsed === undefined || parsed.hostname === '') throw badUri(typed, 'it is not a valid repository address');
  // Git would pass these parts to ssh, which treats a leading dash as an option.
  const decoded = [parsed.hostname, parsed.username].map(decodedPart);
  if (decoded.some((part) => part.startsWith('-'))) throw badUri(typed, 'a host cannot begin with "-"');
  return { kind: 'git', url, subFolder: rest.length === 0 ? '' : selectorOf(typed, rest.join('#')), typed };
}

function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function selectorOf(typed: string, selector: string): string {
  const path = selector.replaceAll('\\', '/');
  if (isAbsolute(path) || win32.isAbsolute(path) || /^[a-z]:/i.test(path)) {
    throw badUri(typed, 'the folder after "#" must be relative to the root of the repository');
  }
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw badUri(typed, 'the folder after "#" must not contain ".."');
  if (parts.length === 0) throw badUri(typed, 'the folder after "#" is missing');
  if (path.includes('\0')) throw badUri(typed, 'the folder after "#" contains a NUL character');
  return parts.join('/');
}

function localUri(text: string, folder: string): PackUri {
  if (!/\.aipack$/i.test(text)) {
    const hint = text.includes('@') ? ' (without a version)' : '';
    throw badUri(text, `it is not namespace@name${hint}, an address, or a file with a name ending in .aipack`);
  }
  if (/^[a-z][a-z+.-]+:/i.test(text))
    throw badUri(text, 'packs can only be installed over http, https, git and git+ssh');
  return { kind: 'local', file: resolve(folder, text) };
}

function badUri(text: string, problem: string): EngineError {
  const shown = text.replace(/\/\/[^/@]*@/, '//');
  return new EngineError({ code: 'pack.bad-uri', message: `"${shown}" cannot be installed: ${problem}.` });
}
