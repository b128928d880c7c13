/**
 * Test helpers: drafts in a temporary folder, and windows that record what they receive.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { Drafts } from './drafts.ts';
import type { DraftUser, WorkspaceDrafts } from './workspace-drafts.ts';

export interface TestUser extends DraftUser {
  readonly heard: unknown[];
}

export function createUser(): TestUser {
  const heard: unknown[] = [];
  return {
    heard,
    stepped: (change) => heard.push(change),
    moved: (change) => heard.push(change),
  };
}

export interface DraftsFixture {
  readonly folder: string;
  readonly clock: ManualClock;
  /** The drafts of the most recent start. */
  drafts: Drafts;
  /** Simulates a crash and a restart of the program. */
  restart(): WorkspaceDrafts;
  /** Returns the drafts of the workspace `/w`. */
  here(): WorkspaceDrafts;
  /** Returns the path of the only journal. */
  journal(): string;
  /** Returns all files of a type, in all workspaces. */
  files(kind: 'drafts' | 'versions' | 'sessions'): string[];
  remove(): void;
}

export function createDraftsFixture(): DraftsFixture {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-drafts-'));
  const clock = createManualClock();
  const fixture: DraftsFixture = {
    folder,
    clock,
    drafts: new Drafts(folder, clock),
    restart() {
      fixture.drafts = new Drafts(folder, clock);
      return fixture.here();
    },
    here: () => fixture.drafts.of('/w'),
    journal() {
      const [file, ...others] = fixture.files('drafts').filter((name) => name.endsWith('.jsonl'));
      if (file === undefined || others.length > 0) throw new Error('There is not one journal.');
      return file;
    },
    files(kind) {
      try {
        const root = path.join(folder, kind);
        const entries = readdirSync(root, { recursive: true, withFileTypes: true });
        return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
      } catch {
        return [];
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  return fixture;
}

/** Returns an edit that inserts text at the start. */
export function insert(text: string, at = 0): EditStep {
  return { do: 'edit', label: `Insert ${text}`, at, edits: [{ start: 0, end: 0, text }] };
}

/** Returns the log that a window builds from the reply to `draft.open`. */
export function logFrom({ baseText, steps }: { baseText: string; steps: readonly EditStep[] }): EditLog {
  return steps.reduce(takeStep, newEditLog(baseText));
}
