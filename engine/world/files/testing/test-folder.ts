/**
 * Temporary folders and git repositories for tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TestFolder {
  /** Absolute path with symbolic links resolved. */
  readonly path: string;
  /** Returns the absolute path of an entry in the folder. */
  at(path: string): string;
  /** Writes a file, creating its folders. */
  write(path: string, content: string | Uint8Array): void;
  /** Runs git in the folder, independent of the machine's git settings. */
  git(...args: readonly string[]): void;
  remove(): void;
}

/** Creates an empty folder. */
export function createTestFolder(): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-files-')));
  const at = (inside: string): string => join(path, inside);
  return {
    path,
    at,
    write(inside, content) {
      mkdirSync(dirname(at(inside)), { recursive: true });
      writeFileSync(at(inside), content);
    },
    git(...args) {
      execFileSync('git', ['-C', path, ...args], { env: { ...process.env, ...gitIdentity }, stdio: 'pipe' });
    },
    remove() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

const gitIdentity = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
};
